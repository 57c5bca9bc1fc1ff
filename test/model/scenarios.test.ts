/**
 * X1: seeded histories, played on a local chain and on the model, agree in every outcome, event and view.
 * `MODEL_SEEDS=7,8` plays other seeds, and `MODEL_BLOCKS=400` longer histories. A failure names the seed and the block.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChainNode, startNode } from "../../localnet/nodes.ts";
import { readChain } from "../e2e/oracle/chain.ts";
import { recomputeHistory } from "../e2e/oracle/history.ts";
import { Permits } from "./player/permits.ts";
import { Player } from "./player/player.ts";
import { hexNumber, Rpc } from "./player/rpc.ts";
import { Scenario } from "./player/scenario.ts";
import { Statistics } from "./player/statistics.ts";
import { ACTORS, USERS } from "./player/terms.ts";
import { START, World } from "./player/world.ts";
import { replayChain } from "./replay.ts";

const DEFAULT_SEEDS = "1,2,3,4,5,6,7,8,9,10";
const SEEDS = (process.env.MODEL_SEEDS ?? DEFAULT_SEEDS).split(",").map(BigInt);
const BLOCKS = Number(process.env.MODEL_BLOCKS ?? 160);
const isDefault = process.env.MODEL_SEEDS === undefined && process.env.MODEL_BLOCKS === undefined;
const CHAIN_ID = 31337;
const STEPS_PER_BLOCK = 100;
/** Enough gas for a block of a few hundred transactions. */
const BLOCK_GAS = 1_000_000_000_000n;

/** Events that must have happened at least once. */
const EVENTS = [
  ...["Swap", "SwapInputAllowanceSet", "SwapInputAllowanceSpent", "PendingCreditsAdded", "PendingCreditsMerged"],
  ...["InterestAccrued", "YieldClaimed", "WithheldCreditsReduced", "MainCreditsReduced", "YieldMultiplierUpdated"],
  ...["FirstRatePosted", "DailyRatePosted", "DailyRateCorrected", "ManagementFeeUpdated", "NavPosted"],
  ...["IntakeCapSet", "CreditsMoved", "BridgeMint", "BridgeLimitSet", "IssuerAdminRemoved", "IssuerAdminAdded"],
  ...["PauseCauseSet", "StablecoinGuardrailEnabledSet", "MaxSwapLegsSet", "RWAAcceptanceSet"],
  ...["StablecoinAcceptanceSet"],
];
const ERRORS = [
  ...["InsufficientCredits", "QueueFull", "InsufficientSwapAllowance", "InvalidSignature", "PermitExpired"],
  ...["InsufficientRWAInput", "InsufficientRWAOutput", "InsufficientStablecoinInput", "InsufficientStablecoinOutput"],
  ...[
    "RWANotAccepted",
    "StablecoinNotAccepted",
    "InvalidStablecoinDelegateID",
    "UnsupportedRouteId",
    "InvalidLegCount",
  ],
  ...["InvalidPrice", "USDValueNotSet", "StaleNav", "RWAValidityCheckFailed", "UserNotWhitelisted", "UserBlacklisted"],
  ...["IntakeCapExceeded", "DerivedLegTooExpensive", "NavDailyMoveTooLarge", "LastAdministrator"],
  ...["InvalidDelegate", "AssetIDAlreadyRegistered", "NotIssuerAdmin", "AccessControlUnauthorizedAccount"],
  ...["AddressBlacklisted", "AddressNotAllowed", "AccountNotWhitelisted", "EnforcedPause", "ERC20InsufficientBalance"],
  ...[
    "MustPostSequentially",
    "RateAlreadyPosted",
    "RateTooHigh",
    "CannotPostFutureRate",
    "CannotCorrectBeforeFirstRate",
  ],
];

describe("histories on the chain and on the model", () => {
  const statistics = new Statistics();
  let node: ChainNode;
  let rpc: Rpc;
  let world: World;
  let ready: string;
  let readyAt: bigint;

  beforeAll(async () => {
    node = await startNode({
      chainId: CHAIN_ID,
      timestamp: Number(START),
      logFile: join(".demo", "model", "node.log"),
    });
    rpc = new Rpc(node.rpcUrl);
    await rpc.send("evm_setAutomine", false);
    await rpc.send("anvil_autoImpersonateAccount", true);
    await rpc.send("evm_setBlockGasLimit", hexNumber(BLOCK_GAS));
    for (const account of [...Object.values(ACTORS), ...USERS.map(({ address }) => address)]) {
      await rpc.send("anvil_setBalance", account, hexNumber(10n ** 24n));
    }
    world = await World.deploy(rpc);
    const player = new Player(
      rpc,
      world,
      world.model(() => false),
    );
    const steps = world.setup();
    readyAt = START + 1_000n;
    for (let start = 0; start < steps.length; start += STEPS_PER_BLOCK) {
      readyAt += 1n;
      await player.play(readyAt, steps.slice(start, start + STEPS_PER_BLOCK));
    }
    ready = await rpc.send<string>("evm_snapshot");
  });

  afterAll(async () => {
    console.log(statistics.toString());
    await node?.stop();
  });

  test.each(SEEDS)("X1: the history of seed %s has the same outcomes, events and views on both", async (seed) => {
    await rpc.send("evm_revert", ready);
    ready = await rpc.send<string>("evm_snapshot");
    const permits = new Permits(CHAIN_ID, world.address("core"));
    const protocol = world.model(permits.verify);
    for (const { from, call } of world.setup()) protocol.transact(readyAt, from, call);
    const player = new Player(rpc, world, protocol);
    const counted = statistics.scenario();
    const scenario = new Scenario({ seed, player, world, permits, now: readyAt }, counted);
    try {
      await scenario.play(BLOCKS);
    } catch (error) {
      throw new Error(`seed ${seed}, block ${scenario.block}: ${(error as Error).message}`, { cause: error });
    }
  });

  test("X1: a replay of the last history predicts every leg from calldata", async () => {
    const contracts = { coreSwap: world.address("core"), treasury: world.address("TRSY token") };
    const chain = await readChain(node.rpcUrl);
    const replayed = replayChain(chain, contracts);
    expect(replayed.legs.length).toBeGreaterThan(0);
    expect(replayed.legs).toEqual(recomputeHistory(chain, contracts).legs);
  });

  test.runIf(isDefault)("the histories are many and varied enough", () => {
    expect(statistics.legs).toBeGreaterThanOrEqual(2_000);
    expect(statistics.accountHistories).toBeGreaterThanOrEqual(200);
    for (const routeId of ["1", "2", "3", "4", "5", "6", "7", "8"]) {
      expect(statistics.routes.get(routeId), `legs on route ${routeId}`).toBeGreaterThanOrEqual(100);
    }
    for (const kind of ["prefund", "sweep"]) {
      expect(statistics.derivedLegs.get(kind), `${kind} legs`).toBeGreaterThanOrEqual(25);
    }
    expect([...statistics.events.keys()]).toEqual(expect.arrayContaining(EVENTS));
    expect([...statistics.errors.keys()]).toEqual(expect.arrayContaining(ERRORS));
  });
});
