/**
 * Finds contracts that other code than the compiled one created. Such code can write a role into the storage that no
 * event and no list shows, and leave the same code behind.
 */
import { type Address, getContractAddress, type Hex, isAddressEqual } from "viem";
import type { NodeClient } from "../chain/connect.ts";
import type { NamedLog } from "../chain/events.ts";
import { type CreatedContract, compiled } from "./artifacts.ts";
import { CREATE2_DEPLOYER } from "./creations.ts";
import { isBefore } from "./handOver.ts";
import { proxiesOf, type System } from "./system.ts";

/** More than the constructor's arguments of any contract have. */
const MAX_ARGUMENT_WORDS = 64;
const DIGITS_PER_WORD = 64;

/** The fields of a transaction that show what it creates. */
export interface CreatingTransaction {
  readonly from: Address;
  readonly nonce: number;
  readonly to: Address | null;
  readonly input: Hex;
}

/**
 * Returns whether a transaction created a contract by running this code, with any arguments. Either the transaction is
 * the creation itself, or it has the CREATE2 deployer create the contract, possibly through a Safe or a timelock.
 */
export function isCreatedBy(code: Hex, address: Address, { from, nonce, to, input }: CreatingTransaction): boolean {
  if (to === null) {
    // An account that delegates to a contract creates from later nonces than that of its transaction.
    return input.startsWith(code) && isAddressEqual(getContractAddress({ from, nonce: BigInt(nonce) }), address);
  }
  const [first = "", ...rest] = input.slice(2).split(code.slice(2));
  let before = first;
  for (const after of rest) {
    const salt: Hex = `0x${before.slice(-DIGITS_PER_WORD).padStart(DIGITS_PER_WORD, "0")}`;
    for (let words = 0; words <= MAX_ARGUMENT_WORDS; words++) {
      const bytecode: Hex = `${code}${after.slice(0, words * DIGITS_PER_WORD)}`;
      const created = getContractAddress({ opcode: "CREATE2", from: CREATE2_DEPLOYER, salt, bytecode });
      if (isAddressEqual(created, address)) return true;
    }
    before = after;
  }
  return false;
}

/**
 * Compares the transaction of each contract's first event with the compiled code. Contracts without events are not
 * created yet.
 * @param logs the events since the deployment, in the order of the chain
 */
export async function findForeignCreations(client: NodeClient, system: System, logs: readonly NamedLog[]) {
  const found = await Promise.all(
    createdContracts(system).map(async ({ name, address, contract }) => {
      const log = logs.find((log) => isAddressEqual(log.address, address));
      if (log === undefined) return [];
      const transaction = await client.getTransaction({ hash: log.transactionHash });
      if (isCreatedBy(compiled(contract).bytecode, address, transaction)) return [];
      return [{ text: `${name} was not created by the compiled ${contract}`, log }];
    }),
  );
  return found.flat();
}

/**
 * Lists proxies that were created with another implementation than that of the deployment file, or were upgraded before
 * the hand-over: what they ran can have written roles, too. After the hand-over, the configured administrator upgrades
 * them, and the file names only the newest implementation.
 */
export function findForeignImplementations(system: System, logs: readonly NamedLog[], handOver: NamedLog | null) {
  return proxiesOf(system).flatMap(({ name, address, implementation }) => {
    const [created, ...upgrades] = logs.filter(
      (log) => log.eventName === "Upgraded" && isAddressEqual(log.address, address),
    );
    if (created === undefined) return [];
    const [first] = Object.values(created.args) as [Address];
    const isForeign = upgrades.length === 0 && !isAddressEqual(first, implementation);
    const early = upgrades.filter((log) => handOver !== null && isBefore(log, handOver));
    return [
      ...(isForeign
        ? [
            {
              text: `${name} was created with implementation ${first}, in the deployment file ${implementation}`,
              log: created,
            },
          ]
        : []),
      ...early.map((log) => ({ text: `${name} was upgraded before the deployer gave up its last role`, log })),
    ];
  });
}

/** The contracts whose storage decides who may do what. */
function createdContracts(system: System) {
  const { timelock } = system.deployment;
  const of = (contract: CreatedContract) => (named: { readonly name: string; readonly address: Address }) => ({
    ...named,
    contract,
  });
  return [
    ...(timelock === undefined ? [] : [{ name: "timelock", address: timelock }]).map(of("TimelockController")),
    ...proxiesOf(system).map(of("ERC1967Proxy")),
    ...system.rwas.map(({ adapter }) => adapter).map(of("NavPriceAdapter")),
  ];
}
