/**
 * `core roles rotate`: moves a role to another account, which must prove that it can send transactions before the old
 * account loses the role.
 */
import { treasuryAbi as abi } from "@coreswap/abi";
import { type Address, encodeFunctionData, type Hash, type Hex, isAddressEqual, isHash, toEventSelector } from "viem";
import { type NamedContract, roleId } from "../chain/contracts.ts";
import { readEvents } from "../chain/events.ts";
import { blocksOption } from "../commandLine.ts";
import { Failure } from "../failure.ts";
import { administratorOf, CONTRACTS, holdersOf, roleNamed } from "../roles.ts";
import { readAddress } from "../text.ts";
import { writeCommand } from "../write/options.ts";
import { type Authority, type Context, callsOn, type Plan } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

interface Rotation {
  readonly contract: NamedContract;
  readonly role: string;
  readonly from: Address;
  readonly to: Address;
}

export const rolesRotate = writeCommand("rotate", "move a role to an account that shows it can act")
  .description(
    `Moves a role in three steps; run it again for each, and it finds the next one on the chain.
1. The role's administrator grants it to the new account.
2. The new account sends a transaction that changes nothing, which shows that it can sign.
3. With --proof <hash of that transaction>, the administrator revokes the role from the old account.
The new holder of DEFAULT_ADMIN_ROLE revokes it from the old one itself, which is the proof.`,
  )
  .argument("<contract>", CONTRACTS)
  .argument("<role>", "name, such as PAUSE_ROLE")
  .argument("<old account>", "address", (text) => readAddress("the old account", text))
  .argument("<new account>", "address", (text) => readAddress("the new account", text))
  .addOption(blocksOption)
  .option("--proof <hash>", "transaction by which the new account showed that it can act")
  .action(async (name, role, oldAccount, newAccount, { proof, blocksPerRequest, ...options }) => {
    if (isAddressEqual(oldAccount, newAccount)) throw new Failure("the old and the new account are the same");
    if (proof !== undefined && !isHash(proof))
      throw new Failure(`--proof is "${proof}", expected the hash of a transaction`);
    await runPlan(options, (context) =>
      nextStep(
        context,
        { contract: roleNamed(context, name, role), role, from: oldAccount, to: newAccount },
        proof,
        blocksPerRequest,
      ),
    );
  });

async function nextStep(
  context: Context,
  rotation: Rotation,
  proof: Hash | undefined,
  blocksPerRequest: bigint,
): Promise<Plan> {
  const { contract, role, from, to } = rotation;
  const title = (step: string) => `Rotate ${role} of ${contract.name}: ${step}`;
  const [oldHas, newHas] = await Promise.all([from, to].map((account) => hasRole(context, rotation, account)));
  const call = (mayCall: Authority, data: Hex) => ({
    whenRunAgain: "skips what is done" as const,
    calls: callsOn(contract, [mayCall], [data]),
    observations: [holdersOf(contract, role)],
  });
  if (!newHas) {
    if (!oldHas) throw new Failure(`${from} does not hold ${role} of ${contract.name}`);
    const data = encodeFunctionData({ abi, functionName: "grantRole", args: [roleId(role), to] });
    return { title: title(`grant it to ${to}`), ...call(await administratorOf(context, contract, role), data) };
  }
  if (!oldHas)
    return { title: title(`it has moved to ${to}`), whenRunAgain: "skips what is done", calls: [], observations: [] };

  const revocation = encodeFunctionData({ abi, functionName: "revokeRole", args: [roleId(role), from] });
  if (role === "DEFAULT_ADMIN_ROLE") {
    return { title: title(`${to} revokes it from ${from}`), ...call({ account: to, as: role }, revocation) };
  }
  if (proof === undefined) {
    const view = encodeFunctionData({ abi, functionName: "hasRole", args: [roleId(role), to] });
    return {
      title: title(`${to} shows that it can act`),
      ...call({ account: to, as: role }, view),
      whenRunAgain: "repeats all",
      notes: ["changes nothing; give the hash of the transaction to --proof next"],
    };
  }
  await requireProof(context, rotation, proof, blocksPerRequest);
  return {
    title: title(`revoke it from ${from}`),
    ...call(await administratorOf(context, contract, role), revocation),
  };
}

function hasRole({ client }: Context, { contract, role }: Rotation, account: Address): Promise<boolean> {
  const args = [roleId(role), account] as const;
  return client.readContract({ address: contract.address, abi, functionName: "hasRole", args });
}

/**
 * What a Safe and a timelock emit when they execute something. A Safe also emits an event when anybody sends it ether,
 * which shows nothing of its owners.
 */
const EXECUTIONS = [
  "event ExecutionSuccess(bytes32 txHash, uint256 payment)",
  "event ExecutionFailure(bytes32 txHash, uint256 payment)",
  "event CallExecuted(bytes32 id, uint256 index, address target, uint256 value, bytes data)",
].map((event) => toEventSelector(event));

/**
 * Requires a transaction by which an account acted after it received the role. Either the account is the sender, or it
 * is a Safe or a timelock that executed something.
 * @throws Failure that says what the transaction lacks
 */
async function requireProof(
  { client, deployment }: Context,
  { contract, role, to }: Rotation,
  hash: Hash,
  blocksPerRequest: bigint,
): Promise<void> {
  const receipt = await client.getTransactionReceipt({ hash }).catch(() => {
    throw new Failure(`the node has no receipt of ${hash}: --proof takes a transaction that was mined`);
  });
  if (receipt.status !== "success") throw new Failure(`transaction ${hash} reverted: it proves nothing`);
  const acted =
    isAddressEqual(receipt.from, to) ||
    receipt.logs.some(({ address, topics }) => isAddressEqual(address, to) && EXECUTIONS.includes(topics[0] ?? "0x"));
  if (!acted) throw new Failure(`transaction ${hash} was sent by ${receipt.from}, and ${to} took no part in it`);
  const grants = await readEvents(client, [contract.address], new Set(["RoleGranted"]), {
    fromBlock: BigInt(deployment.startBlock),
    toBlock: receipt.blockNumber,
    blocksPerRequest,
  });
  // The state of that block would show this too, but most nodes keep that state for minutes, and a timelock takes days.
  const grant = grants.findLast(
    ({ args }) => args.role === roleId(role) && isAddressEqual(args.account as Address, to),
  );
  if (grant === undefined || grant.blockNumber === receipt.blockNumber) {
    throw new Failure(`transaction ${hash} is not from after ${to} got ${role}: it proves nothing`);
  }
}
