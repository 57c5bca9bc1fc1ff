/** Programs of the system that tests run, because no npm package contains them. */
import { spawnSync } from "node:child_process";

/**
 * Returns the path of an installed program.
 * @param debianPackage the package that contains it
 * @throws Error that names the package to install
 */
export function installedProgram(name: string, debianPackage = name): string {
  // Debian keeps servers in folders that only root has on its PATH.
  const { status, stdout } = spawnSync("sh", ["-c", 'command -v "$1"', "sh", name], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  });
  if (status === 0) return stdout.trim();
  throw new Error(
    `${name} is not installed: \`apt-get install --no-install-recommends ${debianPackage}\`, or a package of this system`,
  );
}
