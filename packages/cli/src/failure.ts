/** An error that the user can fix. It is printed as one line, with exit code 1. */
export class Failure extends Error {
  override readonly name = "Failure";
}
