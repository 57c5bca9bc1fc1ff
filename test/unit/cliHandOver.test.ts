/** Tests when a deployer has given up its roles. */
import { type Address, type Hex, keccak256, toHex, zeroHash } from "viem";
import { expect, it } from "vitest";
import type { NamedLog } from "../../packages/cli/src/chain/events.ts";
import { handOverOf } from "../../packages/cli/src/desired/handOver.ts";
import type { System } from "../../packages/cli/src/desired/system.ts";

const account = (digit: number): Address => `0x${String(digit).repeat(40)}`;
const DEPLOYER = account(1);
const TIMELOCK = account(2);
const CORE_SWAP = account(3);
const TREASURY = account(4);
const DELEGATE = account(5);
const OTHER = account(6);
const THIRD = account(7);
const BRIDGE = account(8);
const [OPERATOR_ROLE, MINTER_ROLE, BRIDGE_ROLE, PROPOSER_ROLE] = (
  ["OPERATOR_ROLE", "MINTER_ROLE", "BRIDGE_ROLE", "PROPOSER_ROLE"] as const
).map((name) => keccak256(toHex(name))) as [Hex, Hex, Hex, Hex];

type Change = readonly ["RoleGranted" | "RoleRevoked", Address, Hex, Address, Address];

/** Returns the position of the hand-over among changes: event, contract, role, account and sender. */
function handOverIn(changes: readonly Change[], admin = TIMELOCK, timelock: Address | null = TIMELOCK) {
  const deployment = {
    ...{ coreSwap: CORE_SWAP, treasury: TREASURY, treasuryStablecoin: { delegate: DELEGATE } },
    ...(timelock === null ? {} : { timelock }),
  };
  const governors = { admin, operator: admin, treasuryAdmin: admin, treasuryOperator: admin };
  const configuration = { treasury: { bridges: [{ address: BRIDGE }] } };
  const logs = changes.map(([eventName, address, role, account, sender], logIndex) => ({
    ...{ eventName, address, logIndex, args: { role, account, sender } },
    ...{ topics: [], data: "0x" as const, blockNumber: 1n, transactionHash: zeroHash },
  })) satisfies NamedLog[];
  return handOverOf({ deployment, configuration, ...governors } as unknown as System, logs)?.logIndex ?? null;
}

/** What the script does with CoreSwap's roles. */
function deployment(admin: Address): Change[] {
  return [
    ["RoleGranted", CORE_SWAP, zeroHash, DEPLOYER, DEPLOYER],
    ["RoleGranted", CORE_SWAP, OPERATOR_ROLE, DEPLOYER, DEPLOYER],
    ["RoleGranted", CORE_SWAP, OPERATOR_ROLE, admin, DEPLOYER],
    ["RoleRevoked", CORE_SWAP, OPERATOR_ROLE, DEPLOYER, DEPLOYER],
    ["RoleGranted", CORE_SWAP, zeroHash, admin, DEPLOYER],
    ["RoleRevoked", CORE_SWAP, zeroHash, DEPLOYER, DEPLOYER],
  ];
}

it("The hand-over is where the deployer loses its last role, whatever administrators revoke later", () => {
  expect(handOverIn(deployment(TIMELOCK))).toBe(5);
  const later: Change[] = [
    ["RoleGranted", DELEGATE, zeroHash, TIMELOCK, OTHER],
    ["RoleGranted", CORE_SWAP, OPERATOR_ROLE, THIRD, TIMELOCK],
    ["RoleRevoked", CORE_SWAP, OPERATOR_ROLE, THIRD, TIMELOCK],
    // The operator of the treasury delegate corrects rates, and its account can change.
    ["RoleGranted", DELEGATE, OPERATOR_ROLE, THIRD, DEPLOYER],
    ["RoleRevoked", DELEGATE, OPERATOR_ROLE, THIRD, TIMELOCK],
  ];
  expect(handOverIn([...deployment(TIMELOCK), ...later])).toBe(5);
});

it("An account to which the deployer granted its role counts as the deployer, and so does whoever got it from there", () => {
  const shared: Change[] = [
    ["RoleGranted", TREASURY, zeroHash, DEPLOYER, DEPLOYER],
    ["RoleGranted", TREASURY, zeroHash, OTHER, DEPLOYER],
    ["RoleGranted", TREASURY, OPERATOR_ROLE, THIRD, OTHER],
    ...deployment(TIMELOCK),
  ];
  expect(handOverIn([...shared, ["RoleRevoked", TREASURY, zeroHash, OTHER, OTHER]])).toBe(9);
  expect(handOverIn([...shared, ["RoleRevoked", TREASURY, OPERATOR_ROLE, THIRD, TIMELOCK]])).toBe(9);
});

it("Behind no timelock, an administrator that was replaced is not the deployer", () => {
  const replaced: Change[] = [
    ["RoleGranted", CORE_SWAP, zeroHash, THIRD, OTHER],
    ["RoleRevoked", CORE_SWAP, zeroHash, OTHER, THIRD],
  ];
  expect(handOverIn([...deployment(OTHER), ...replaced], THIRD, null)).toBe(5);
});

it("There is no hand-over when the deployer is the configured administrator, or has lost no role yet", () => {
  expect(handOverIn(deployment(OTHER), DEPLOYER, null)).toBeNull();
  expect(handOverIn(deployment(TIMELOCK).slice(0, 3))).toBeNull();
});

it("Who may mint because of the deployer counts until it may not, but for the configured minter and bridges", () => {
  const minting: Change[] = [
    ...deployment(TIMELOCK),
    ["RoleGranted", TREASURY, zeroHash, DEPLOYER, DEPLOYER],
    ["RoleGranted", TREASURY, MINTER_ROLE, DELEGATE, DEPLOYER],
    ["RoleGranted", TREASURY, BRIDGE_ROLE, BRIDGE, DEPLOYER],
    ["RoleGranted", TREASURY, MINTER_ROLE, OTHER, DEPLOYER],
    ["RoleGranted", TREASURY, BRIDGE_ROLE, THIRD, DEPLOYER],
    ["RoleRevoked", TREASURY, zeroHash, DEPLOYER, DEPLOYER],
  ];
  expect(handOverIn(minting)).toBe(11);
  expect(handOverIn([...minting, ["RoleRevoked", TREASURY, MINTER_ROLE, OTHER, OTHER]])).toBe(12);
  expect(handOverIn([...minting, ["RoleRevoked", TREASURY, BRIDGE_ROLE, THIRD, THIRD]])).toBe(12);
  expect(handOverIn([...minting, ["RoleRevoked", TREASURY, MINTER_ROLE, DELEGATE, TIMELOCK]])).toBe(11);
  expect(handOverIn([...minting, ["RoleRevoked", TREASURY, BRIDGE_ROLE, BRIDGE, TIMELOCK]])).toBe(11);
  const later: Change[] = [
    ["RoleGranted", TREASURY, BRIDGE_ROLE, account(9), TIMELOCK],
    ["RoleRevoked", TREASURY, BRIDGE_ROLE, account(9), TIMELOCK],
  ];
  expect(handOverIn([...minting, ...later])).toBe(11);
});

it("A deployer that proposes to the timelock has a role until it may not, and another proposer is not the deployer", () => {
  const proposing: Change[] = [
    ["RoleGranted", TIMELOCK, zeroHash, TIMELOCK, DEPLOYER],
    ["RoleGranted", TIMELOCK, PROPOSER_ROLE, DEPLOYER, DEPLOYER],
    ["RoleGranted", TIMELOCK, PROPOSER_ROLE, OTHER, DEPLOYER],
    ...deployment(TIMELOCK),
  ];
  expect(handOverIn([...proposing, ["RoleRevoked", TIMELOCK, PROPOSER_ROLE, DEPLOYER, DEPLOYER]])).toBe(9);
  expect(handOverIn([...proposing, ["RoleRevoked", TIMELOCK, PROPOSER_ROLE, OTHER, TIMELOCK]])).toBe(8);
});
