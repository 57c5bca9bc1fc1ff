import { existsSync } from "node:fs";

/** Sets the variables of `.env.local` that the environment does not set. */
export function loadEnvFile(): void {
  if (existsSync(".env.local")) process.loadEnvFile(".env.local");
}
