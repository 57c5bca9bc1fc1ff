import { type ReactNode, useEffect, useState } from "react";

const SHOWN_MS = 1_500;

interface CopyProps {
  /** The text to copy, which is also shown on hover. */
  readonly text: string;
  /** What the text is, for screen readers: "address". */
  readonly what: string;
  readonly children?: ReactNode;
}

/** A button that copies a text. Without children it is an icon. */
export function Copy({ text, what, children }: CopyProps) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () => {
    // Pages that are not served over HTTPS, except from this machine, have no clipboard.
    const writing = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    writing.then(
      () => setOutcome("copied"),
      () => setOutcome("failed"),
    );
  };
  return (
    <button
      type="button"
      className={children === undefined ? "copy icon" : "copy"}
      title={children === undefined ? `Copy ${what}` : `${text}\nClick to copy`}
      onClick={copy}
      data-outcome={outcome}
    >
      {children ?? <CopyIcon />}
      <span className="hidden">{children === undefined ? `Copy ${what}` : `, copy ${what} ${text}`}</span>
      <span role="status" className="copied">
        {outcome === "copied" ? "Copied" : outcome === "failed" ? "Not allowed here" : ""}
      </span>
    </button>
  );
}

function CopyIcon() {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" width="14" height="14" fill="none" stroke="currentColor">
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 3.5v-1h-8v8h1" />
    </svg>
  );
}
