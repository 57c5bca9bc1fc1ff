import type { Failure } from "./refusals.ts";

/** An error of a wallet, of its node or of the contracts. */
export function Notice({ title, text }: Failure) {
  return (
    <div className="notice error" role="alert">
      <strong>{title}.</strong> {text}
    </div>
  );
}
