/** Administration of single accounts, caps and registrations, some of which is refused. */
import { type Address, maxUint96, maxUint256, parseEther, zeroAddress, zeroHash } from "viem";
import type { Random } from "../../../localnet/random.ts";
import type { Protocol } from "../contracts/protocol.ts";
import { roleId } from "../contracts/roles.ts";
import type { Legs } from "./legs.ts";
import { ACTORS, assetId, RWAS, SECOND_TRIAL_TOKEN, STABLECOINS, TREASURY, TRIAL, USERS } from "./terms.ts";
import type { Step, World } from "./world.ts";

/** Sets, as the administrator, the intake cap of an asset at an LP. */
export function capIntake(world: World, lp: string, symbol: string, cap: bigint): Step {
  const call = world.call(`${lp} delegate`, "setIntakeCap", world.address(`${symbol} token`), cap);
  return { from: ACTORS.admin, call };
}

/**
 * Administration, mostly by an account that may do it: moves of credits, caps, bridges, registrations of an ID that is
 * not accepted yet, and roles.
 */
export function administer(random: Random, world: World, protocol: Protocol, legs: Legs): Step {
  const step = (from: Address, name: string, functionName: string, ...args: readonly unknown[]): Step => ({
    from,
    call: world.call(name, functionName, ...args),
  });
  const { admin, secondAdmin, operator, issuer, stranger, pauser, bridge, treasuryRwaCustody } = ACTORS;
  const lp = random.pick([TREASURY, ...STABLECOINS.map(({ symbol }) => symbol)]);
  const { symbol } = random.pick([...STABLECOINS, ...RWAS]);
  const user = random.pick(USERS).address;
  const trialToken = world.address(`${random.pick([TRIAL, TRIAL, SECOND_TRIAL_TOKEN])} token`);
  const anyToken = random.pick([trialToken, trialToken, world.address(`${symbol} token`), stranger]);
  // Only a stablecoin has its own USD value.
  const trialValue = isTrialRwa(world, protocol) ? parseEther("1") : random.pick([parseEther("1"), 7n, 0n]);
  return random.pick<() => Step>([
    () => moveCredits(random, world, legs),
    () => moveCredits(random, world, legs),
    () => moveCredits(random, world, legs),
    () => ({ ...capIntake(world, lp, symbol, legs.intakeCap(symbol)), from: random.pick([admin, issuer, stranger]) }),
    () => ({ ...capIntake(world, lp, symbol, legs.intakeCap(symbol)), from: random.pick([admin, issuer]) }),
    () => step(bridge, "TRSY token", "bridgeMint", user, parseEther("1") * random.between(1n, 2_000n)),
    () => step(bridge, "TRSY token", "bridgeMint", user, parseEther("1") * random.between(1n, 2_000n)),
    () =>
      step(
        ...([random.pick([admin, pauser]), "TRSY token", "setBridgeLimit", bridge] as const),
        random.pick([0n, parseEther("1000"), parseEther("5000"), maxUint96]),
      ),
    () =>
      step(
        ...([operator, "core", "setStablecoinAcceptance", assetId(TRIAL), world.address(`${TRIAL} delegate`)] as const),
        ...[anyToken, random.chance(1, 6), random.chance(1, 5)],
      ),
    () =>
      step(
        ...([operator, "core", "setRWAAcceptance", assetId(TRIAL)] as const),
        ...[random.pick([zeroAddress, world.address("risk"), stranger]), anyToken, random.chance(1, 8)],
      ),
    () => step(operator, "core", "setStablecoinUSDValue", assetId(TRIAL), trialValue),
    // The administrators of an LP's delegate: one is granted and used, and the last one cannot be removed.
    () => step(admin, `${lp} delegate`, "grantRole", roleId("DEFAULT_ADMIN_ROLE"), secondAdmin),
    () => step(admin, `${lp} delegate`, "revokeRole", roleId("DEFAULT_ADMIN_ROLE"), secondAdmin),
    () => step(secondAdmin, `${lp} delegate`, "renounceRole", roleId("DEFAULT_ADMIN_ROLE"), secondAdmin),
    () => step(secondAdmin, `${lp} delegate`, "setCustodyListing", treasuryRwaCustody, random.chance(1, 2), true),
  ])();
}

/** Administration that is refused, except a custody that is set again while the account agrees. */
export function refusedAdministration(random: Random, world: World): Step {
  const step = (from: Address, name: string, functionName: string, ...args: readonly unknown[]): Step => ({
    from,
    call: world.call(name, functionName, ...args),
  });
  const { operator, issuer, rateCorrector, stranger, admin } = ACTORS;
  const user = random.pick(USERS).address;
  const rate = parseEther("0.05");
  const rwa = random.pick(RWAS);
  const stablecoin = random.pick(STABLECOINS);
  const acceptance = (id: string, delegate: string, token: string, yieldBearing: boolean) => [
    ...[assetId(id), world.address(`${delegate} delegate`), world.address(`${token} token`)],
    ...[true, yieldBearing],
  ];
  const steps: readonly Step[] = [
    step(issuer, "TRSY delegate", "setRWACustodyAddress", ACTORS.unlistedCustody),
    step(issuer, "S6 delegate", "setStablecoinCustodyAddress", ACTORS.rwaCustody),
    step(issuer, "S6 delegate", "setRWACustodyAddress", ACTORS.rwaCustody),
    step(issuer, "S6 delegate", "setStablecoinCustodyAddress", ACTORS.stablecoinCustody),
    step(issuer, "TRSY delegate", "setCustodyListing", user, true, true),
    step(admin, "TRSY delegate", "setCustodyListing", zeroAddress, true, true),
    step(issuer, "TRSY delegate", "removeIssuerAdmin", issuer),
    step(admin, "TRSY delegate", "removeIssuerAdmin", stranger),
    step(admin, "TRSY delegate", "addIssuerAdmin", zeroAddress),
    step(stranger, "TRSY delegate", "addIssuerAdmin", stranger),
    step(stranger, "TRSY delegate", "setIntakeCap", world.address(`${rwa.symbol} token`), 0n),
    step(issuer, `${stablecoin.symbol} delegate`, "setIntakeCap", user, 1n),
    step(stranger, "TRSY delegate", "moveCredits", user, stranger, maxUint256),
    step(admin, "TRSY delegate", "moveCredits", user, user, 1n),
    step(rateCorrector, "TRSY delegate", "setMaxDailyRate", rate),
    step(rateCorrector, "TRSY delegate", "setMaxFallbackRateSeconds", 0n),
    step(stranger, "TRSY token", "bridgeMint", user, 1n),
    step(ACTORS.bridge, "TRSY token", "bridgeMint", zeroAddress, 1n),
    step(ACTORS.bridge, "TRSY token", "bridgeMint", user, 0n),
    step(stranger, "TRSY token", "setBridgeLimit", ACTORS.bridge, 0n),
    step(admin, "core", "renounceRole", zeroHash, admin),
    step(admin, "TRSY token", "revokeRole", zeroHash, admin),
    step(admin, `${TRIAL} delegate`, "renounceRole", zeroHash, admin),
    step(admin, "TRSY token", "renounceRole", zeroHash, user),
    step(operator, "core", "setStablecoinAcceptance", ...acceptance("S8", "S18", "S8", false)),
    step(operator, "core", "setStablecoinAcceptance", ...acceptance("S8", "S8", "S18", false)),
    step(operator, "core", "setStablecoinAcceptance", ...acceptance("S8", "S8", "S8", true)),
    step(operator, "core", "setStablecoinAcceptance", ...acceptance(TREASURY, TREASURY, TREASURY, false)),
    step(operator, "core", "setRWAAcceptance", assetId(rwa.symbol), zeroAddress, world.address("S8 token"), true),
    step(operator, "core", "setRWAAcceptance", assetId("S8"), zeroAddress, world.address("S8 token"), true),
    step(operator, "core", "setRWAAcceptance", zeroHash, zeroAddress, world.address(`${TRIAL} token`), false),
    step(
      ...([operator, "core", "configureStablecoinGuardrail", assetId(stablecoin.symbol)] as const),
      ...[world.address(`${stablecoin.symbol} price`), parseEther("1"), true],
    ),
    step(operator, "core", "setStablecoinUSDValue", assetId(stablecoin.symbol), 2n ** 88n),
  ];
  return random.pick(steps);
}

function isTrialRwa(world: World, protocol: Protocol): boolean {
  const call = world.call("core", "rwaInfo", assetId(TRIAL));
  const info = protocol.view(protocol.state.now, call) as readonly [boolean, boolean, number, Address, Address];
  return info[4] !== zeroAddress;
}

/** Moves mostly all credits of an account that has some, to another account or to nobody. */
function moveCredits(random: Random, world: World, legs: Legs): Step {
  const holders = USERS.filter(({ address }) => legs.treasuryDelegate.creditsOf(address) > 0n);
  const from = random.pick(holders.length > 0 ? holders : USERS).address;
  const to = random.chance(1, 6) ? zeroAddress : random.pick(USERS).address;
  const available = legs.treasuryDelegate.creditsOf(from);
  const withheld = legs.treasuryDelegate.totalWithheldCredits(from);
  const amount = random.pick([maxUint256, maxUint256, withheld, available / 3n, available + 1n]);
  return { from: ACTORS.admin, call: world.call("TRSY delegate", "moveCredits", from, to, amount) };
}
