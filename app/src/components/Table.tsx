// biome-ignore-all lint/a11y/noRedundantRoles: some browsers drop the role of an element that is not displayed as a table
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import "./table.css";

declare module "react" {
  interface CSSProperties {
    [label: `--label-${number}`]: string;
  }
}

/** Tables with fewer columns fit a phone; `table.css` has no labels for more. */
const STACKED_COLUMNS = { fewest: 4, most: 12 };

interface TableProps {
  /** Read only by screen readers. */
  readonly caption: string;
  /** Names of the columns. */
  readonly head: readonly string[];
  /** Indexes of the columns of numbers. */
  readonly numeric?: readonly number[];
  /** `Row`s. */
  readonly children: ReactNode;
}

/**
 * A table that scrolls when it does not fit, also by the keyboard. On a phone, each row of one with many columns is a
 * block of labelled lines instead, and still a row for screen readers.
 */
export function Table({ caption, head, numeric = [], children }: TableProps) {
  const isStacked = head.length >= STACKED_COLUMNS.fewest && head.length <= STACKED_COLUMNS.most;
  const labels = Object.fromEntries(head.map((name, index) => [`--label-${index + 1}`, JSON.stringify(name)]));
  const frame = useRef<HTMLElement>(null);
  const [isScrollable, setScrollable] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const size = new ResizeObserver(() =>
      setScrollable(element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight),
    );
    for (const each of [element, ...element.children]) size.observe(each);
    return () => size.disconnect();
  }, []);
  return (
    <section ref={frame} className="scroll" tabIndex={isScrollable ? 0 : undefined} aria-label={`Table: ${caption}`}>
      <table role="table" className={isStacked ? "stacked" : undefined} style={labels}>
        <caption className="hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {head.map((name, index) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                key={index}
                scope="col"
                role="columnheader"
                className={numeric.includes(index) ? "number" : undefined}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">{children}</tbody>
      </table>
    </section>
  );
}

/** A row of a table: a `RowHead`, and `Cell`s. */
export function Row({ children }: { readonly children: ReactNode }) {
  return <tr role="row">{children}</tr>;
}

/** The first cell of a row, which names it. */
export function RowHead(props: Pick<ComponentProps<"th">, "title" | "children">) {
  return <th scope="row" role="rowheader" {...props} />;
}

interface CellProps {
  /** Whether the column is one of numbers. */
  readonly isNumber?: boolean;
  readonly children?: ReactNode;
}

/** A cell of a row. */
export function Cell({ isNumber = false, children }: CellProps) {
  return (
    <td role="cell" className={isNumber ? "number" : undefined}>
      {children}
    </td>
  );
}
