import { type ReactNode, useId } from "react";

interface PanelProps {
  readonly title: string;
  /** Controls or a note beside the title. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A titled part of a view. */
export function Panel({ title, aside, children }: PanelProps) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div className="aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}

interface FactProps {
  readonly name: string;
  /** Gives a sentence the room of two values. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A name and its value in a list of facts (`dl`). */
export function Fact({ name, isWide = false, children }: FactProps) {
  return (
    <div className={isWide ? "wide" : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
