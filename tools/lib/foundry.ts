/**
 * Locates the Foundry binaries inside their npm packages.
 *
 * The npm launchers (`node_modules/.bin/forge`) always exit with 0, even for failing tests, and killing one leaves the
 * node that it started running. All scripts therefore run the platform binary itself.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * Absolute path of a Foundry binary for this machine.
 * @throws when the platform package is not installed, naming the package
 */
export function foundryBinary(name: "forge" | "anvil"): string {
  const architecture = ARCHITECTURES[process.arch] ?? process.arch;
  const packageName = `@foundry-rs/${name}-${process.platform}-${architecture}`;
  // The platform package is a dependency of the launcher, not of this project: resolve it from there.
  const launcher = createRequire(require.resolve(`@foundry-rs/${name}/package.json`));
  try {
    return join(dirname(launcher.resolve(`${packageName}/package.json`)), "bin", name);
  } catch (cause) {
    throw new Error(`${packageName} is not installed: ${name} has no binary for this platform`, { cause });
  }
}

/** Tests across two LayerZero endpoints: LayerZero's sources do not compile without the optimizer. */
export const NEEDS_OPTIMIZER = [
  "contracts/test/unit/bridge/**",
  "contracts/test/helpers/TreasuryOFTAdapterFixture.sol",
  "contracts/test/integration/scenarios/BridgeScenarios.t.sol",
];
