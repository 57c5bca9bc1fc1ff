interface HeadingProps {
  readonly text: string;
  /** Read only by screen readers. */
  readonly isHidden?: boolean;
}

/** Heading of a view, and title of the page. */
export function Heading({ text, isHidden = false }: HeadingProps) {
  return (
    <>
      <title>{`${text} – CoreSwap`}</title>
      <h1 className={isHidden ? "hidden" : undefined}>{text}</h1>
    </>
  );
}
