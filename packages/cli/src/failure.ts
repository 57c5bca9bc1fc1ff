/** What a user can do something about: printed as one line, with exit code 1. */
export class Failure extends Error {
  override readonly name = "Failure";
}
