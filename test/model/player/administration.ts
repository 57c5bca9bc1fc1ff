/** What administrators do to single accounts, caps and registrations; some of it is refused. */
import { type Address, maxUint256, parseEther, zeroAddress } from "viem";
import type { Random } from "../../../localnet/random.ts";
import type { Protocol } from "../contracts/protocol.ts";
import { roleId } from "../contracts/roles.ts";
import type { Legs } from "./legs.ts";
import { ACTORS, assetId, RWAS, SECOND_TRIAL_TOKEN, STABLECOINS, TREASURY, TRIAL, USERS } from "./terms.ts";
import type { Step, World } from "./world.ts";

/** The administrator's cap of what comes in of an asset with an LP. */
export function capIntake(world: World, lp: string, symbol: string, cap: bigint): Step {
  const call = world.call(`${lp} delegate`, "setIntakeCap", world.address(`${symbol} token`), cap);
  return { from: ACTORS.admin, call };
}

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
  // Only a stablecoin has a USD value of its own.
  const trialValue = isTrialRwa(world, protocol) ? parseEther("1") : random.pick([parseEther("1"), 7n, 0n]);
  return random.pick<() => Step>([
    () => moveCredits(random, world, legs),
    () => moveCredits(random, world, legs),
    () => moveCredits(random, world, legs),
    () => ({ ...capIntake(world, lp, symbol, legs.intakeCap(symbol)), from: random.pick([admin, admin, issuer, stranger]) }),
    () => ({ ...capIntake(world, lp, symbol, legs.intakeCap(symbol)), from: random.pick([admin, admin, issuer]) }),
    () => step(bridge, "TRSY token", "bridgeMint", user, parseEther("1") * random.between(1n, 2_000n)),
    () => step(bridge, "TRSY token", "bridgeMint", user, parseEther("1") * random.between(1n, 2_000n)),
    () =>
      step(
        ...([random.pick([admin, pauser]), "TRSY token", "setBridgeLimit", bridge] as const),
        random.pick([0n, parseEther("1000"), parseEther("5000"), 2n ** 96n - 1n]),
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
    // An LP's own administrators: granted, used, and the last one kept.
    () => step(admin, `${lp} delegate`, "grantRole", roleId("DEFAULT_ADMIN_ROLE"), secondAdmin),
    () => step(admin, `${lp} delegate`, "revokeRole", roleId("DEFAULT_ADMIN_ROLE"), secondAdmin),
    () => step(secondAdmin, `${lp} delegate`, "renounceRole", roleId("DEFAULT_ADMIN_ROLE"), secondAdmin),
    () => step(secondAdmin, `${lp} delegate`, "setCustodyListing", treasuryRwaCustody, random.chance(1, 2), true),
  ])();
}

function isTrialRwa(world: World, protocol: Protocol): boolean {
  const call = world.call("core", "rwaInfo", assetId(TRIAL));
  const [, , , , token] = protocol.view(protocol.state.now, call) as readonly [boolean, boolean, number, Address, Address];
  return token !== zeroAddress;
}

/** Mostly all credits of an account that has some, to another one or to nobody. */
function moveCredits(random: Random, world: World, legs: Legs): Step {
  const holders = USERS.filter(({ address }) => legs.treasuryDelegate.creditsOf(address) > 0n);
  const from = random.pick(holders.length > 0 ? holders : USERS).address;
  const to = random.chance(1, 6) ? zeroAddress : random.pick(USERS).address;
  const available = legs.treasuryDelegate.creditsOf(from);
  const withheld = legs.treasuryDelegate.totalWithheldCredits(from);
  const amount = random.pick([maxUint256, maxUint256, withheld, available / 3n, available + 1n]);
  return { from: ACTORS.admin, call: world.call("TRSY delegate", "moveCredits", from, to, amount) };
}
