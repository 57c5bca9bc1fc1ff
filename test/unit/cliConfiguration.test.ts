/** What the command line refuses in a configuration, as the deployment script does. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zeroAddress } from "viem";
import { afterAll, expect, it } from "vitest";
import { readDeployment } from "../../packages/cli/src/chain/deployment.ts";
import { readConfiguration } from "../../packages/cli/src/desired/configuration.ts";
import { replaceTextFile } from "../../packages/cli/src/write/textFile.ts";

const EXAMPLE = JSON.parse(readFileSync("contracts/script/config/local.example.json", "utf8"));
const [PROPOSER, CUSTODY] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`];

/** An address whose first letter is in the other case, so that its checksum is wrong. */
function swappedCase(address: string): string {
  return address.replace(/[a-fA-F]/, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

const directory = mkdtempSync(join(tmpdir(), "coreswap-configuration-"));
afterAll(() => rmSync(directory, { recursive: true }));

function read(changed: object) {
  const path = join(directory, "deploy.json");
  writeFileSync(path, JSON.stringify({ ...EXAMPLE, ...changed }));
  return readConfiguration(path);
}

const lpWith = (changed: object) => ({ stablecoins: [{ ...EXAMPLE.stablecoins[0], ...changed }] });
const rwaWith = (changed: object) => ({ rwas: [{ ...EXAMPLE.rwas[0], ...changed }] });
/** What a timelock needs, with changes of its terms. */
const behindTimelock = (changed: object = {}) => ({
  governance: "timelock",
  timelock: { delaySeconds: "86400", proposer: PROPOSER, recovery: null, ...changed },
  plainAccounts: [],
  roles: { ...EXAMPLE.roles, admin: null, operator: null },
  treasury: { ...EXAMPLE.treasury, admin: null, operator: null },
});
const apart = { rwaCustody: CUSTODY, stablecoinCustody: null };
const inDelegate = { rwaCustody: null, stablecoinCustody: null };

it("accepts the example, and a cap of the own stablecoin unless one account other than the delegate is both custodies", () => {
  expect(read({}).network).toBe(EXAMPLE.network);
  expect(read(lpWith({ ...apart, intakeCap: "1000000" })).stablecoins[0]?.intakeCap).toBe(1_000_000n);
  expect(read(lpWith({ ...inDelegate, intakeCap: "1000000" })).stablecoins[0]?.intakeCap).toBe(1_000_000n);
});

it("accepts a timelock, and addresses in lower case", () => {
  expect(read(behindTimelock()).timelock?.delaySeconds).toBe(86_400n);
  const { issuerAdmin } = EXAMPLE.stablecoins[0];
  const lower = read(lpWith({ issuerAdmin: issuerAdmin.toLowerCase() }));
  expect(lower.stablecoins[0]?.issuerAdmin).toBe(issuerAdmin);
});

it.each([
  ["no own cap for two custodies", lpWith({ ...apart, intakeCap: null }), "stablecoins.0.intakeCap: expected a cap"],
  [
    "no own cap for assets in the delegate",
    lpWith({ ...inDelegate, intakeCap: null }),
    "stablecoins.0.intakeCap: expected a cap",
  ],
  [
    "an own cap for one custody",
    lpWith({ rwaCustody: CUSTODY, stablecoinCustody: CUSTODY, intakeCap: "1" }),
    "stablecoins.0.intakeCap: expected a cap",
  ],
  [
    "a sweep without an allowance",
    lpWith({ autoLiquidity: true, sweepAllowance: null }),
    "stablecoins.0.sweepAllowance",
  ],
  [
    "a rate above 0.99",
    lpWith({ issuerPaidProtocolFeeRateWad: "990000000000000001" }),
    "expected a number from 0 to 99",
  ],
  ["a zero address", lpWith({ issuerAdmin: zeroAddress }), "stablecoins.0.issuerAdmin: the zero address"],
  ["no leg at all", { maxSwapLegs: 0 }, "maxSwapLegs: expected a number from 1 to 32"],
  [
    "a guardian that proposes",
    { ...behindTimelock(), roles: { ...behindTimelock().roles, guardian: PROPOSER } },
    "roles.guardian: expected an account other than the proposers",
  ],
  [
    "a timelock without its terms",
    { ...behindTimelock(), timelock: null },
    "timelock: expected its terms if governance",
  ],
  ["terms of a timelock without one", { timelock: behindTimelock().timelock }, "timelock: expected its terms if"],
  ["an operator beside a timelock", { ...behindTimelock(), roles: EXAMPLE.roles }, "roles: expected null as admin"],
  [
    "an operator of the treasury beside a timelock",
    { ...behindTimelock(), treasury: EXAMPLE.treasury },
    "roles: expected null as admin",
  ],
  [
    "a recovery that is the proposer",
    behindTimelock({ recovery: PROPOSER }),
    "timelock.recovery: expected an account other than the proposer",
  ],
  ["a delay below a day", behindTimelock({ delaySeconds: "86399" }), "timelock.delaySeconds: expected a number from"],
  ["a delay above 30 days", behindTimelock({ delaySeconds: 2_592_001 }), "timelock.delaySeconds: expected a number"],
  [
    "a move per day below the one per post",
    rwaWith({ maxMovePerPostWad: "3", maxMovePerDayWad: "2" }),
    "rwas.0.maxMovePerDayWad: expected at least maxMovePerPostWad",
  ],
  ["an age beyond 64 bits", rwaWith({ maxAgeSeconds: String(2n ** 64n) }), "rwas.0.maxAgeSeconds: expected a number"],
  [
    "a management fee above 5 %",
    { treasury: { ...EXAMPLE.treasury, managementFeeWad: "50000000000000001" } },
    "treasury.managementFeeWad: expected a number from 0 to 5",
  ],
  [
    "an initial rate above 20 %",
    { treasury: { ...EXAMPLE.treasury, initialRateWad: "200000000000000001" } },
    "treasury.initialRateWad: expected a number from 0 to 2",
  ],
  [
    "an address with a wrong checksum",
    lpWith({ issuerAdmin: swappedCase(EXAMPLE.stablecoins[0].issuerAdmin) }),
    "stablecoins.0.issuerAdmin: the checksum of this address is wrong",
  ],
  ["what is no address", lpWith({ issuerAdmin: "0x1234" }), "stablecoins.0.issuerAdmin: expected an address"],
])("refuses %s", (_, changed, message) => {
  expect(() => read(changed)).toThrow(message);
});

it("replaces a file as a whole, and names one that it cannot write", () => {
  const path = join(directory, "deployment.json");
  writeFileSync(path, "before");
  replaceTextFile(path, "after");
  expect(readFileSync(path, "utf8")).toBe("after");
  expect(() => replaceTextFile(join(directory, "none", "file.json"), "text")).toThrow("cannot write");
});

it("refuses an address of a deployment file whose checksum is wrong, and names it", () => {
  const path = join(directory, "mainnet.json");
  writeFileSync(
    path,
    JSON.stringify({ network: "mainnet", chainId: 1, startBlock: 0, coreSwap: swappedCase(EXAMPLE.roles.vault) }),
  );
  expect(() => readDeployment(path)).toThrow("coreSwap: the checksum of this address is wrong");
});
