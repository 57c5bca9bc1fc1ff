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
  readonly children: ReactNode;
}

/** A name and its value in a list of facts (`dl`). */
export function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface TableProps {
  /** Read only by screen readers. */
  readonly caption: string;
  readonly head: readonly ReactNode[];
  /** Indexes of the columns of numbers. */
  readonly numeric?: readonly number[];
  readonly children: ReactNode;
}

/** A table that scrolls sideways when it does not fit. */
export function Table({ caption, head, numeric = [], children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
    <section className="scroll" tabIndex={0} aria-label={`Table: ${caption}`}>
      <table>
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
              <th key={index} scope="col" className={numeric.includes(index) ? "number" : undefined}>
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
