import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import "./locale.ts";
import UPlot, { type AlignedData, type Options, type Series } from "uplot";
import "uplot/dist/uPlot.min.css";
import { DAY_SECONDS, placeText } from "../format/time.ts";

/** A line, or a layer of the bars. */
interface ChartSeries {
  readonly name: string;
  /** Name of a CSS variable. */
  readonly color: string;
  /**
   * Heights, one per position; null for a gap. Used only to draw bars, lines and axis ticks; figures in text come from the
   * exact data.
   */
  readonly heights: readonly (number | null)[];
}

/** Where positions are along the axis: evenly spaced with a label each ("29 Oct"), or at Unix times in seconds. */
type Axis = { readonly labels: readonly string[] } | { readonly times: readonly number[] };

interface ChartProps {
  readonly name: string;
  readonly kind: "bars" | "steps" | "line";
  readonly axis: Axis;
  readonly series: readonly ChartSeries[];
  /** Text of an axis tick, which is a step away from the next one. */
  readonly tick: (height: number, step: number) => string;
  /** Content of a position, for screen readers. */
  readonly valueText: (index: number) => string;
  /** Shown below the chart: the content of the selected position, by default the last one. */
  readonly children: (index: number) => ReactNode;
}

const HEIGHT_PX = 280;
const TICK_FONT = "12px system-ui, sans-serif";
const PLACE_STEPS = [1, 2, 5, 7, 10, 14, 20, 28, 50, 100, 200, 500];

/** A chart whose positions can be selected with the pointer and the arrow keys. Bars are stacked in the order given. */
export function Chart({ name, kind, axis, series, tick, valueText, children }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const current = useRef({ axis, tick });
  current.current = { axis, tick };
  const [chosen, setChosen] = useState<number | null>(null);
  const places = placesOf(axis);
  const last = places.length - 1;
  const index = Math.min(chosen ?? last, last);
  const data = dataOf(kind, places, series);
  const latest = useRef(data);
  latest.current = data;
  const shape = JSON.stringify([kind, "times" in axis, series.map(({ color }) => color)]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape stands for the series; data follow below
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const options = optionsOf(kind, series, element.clientWidth, current, setChosen);
    const made = new UPlot(options, latest.current, element);
    plot.current = made;
    const redraw = () => made.redraw(false);
    const size = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
    size.observe(element);
    const theme = new MutationObserver(redraw);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", redraw);
    return () => {
      size.disconnect();
      theme.disconnect();
      system.removeEventListener("change", redraw);
      made.destroy();
      plot.current = null;
    };
  }, [shape]);

  const dataText = JSON.stringify(data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal data need no drawing
  useEffect(() => plot.current?.setData(latest.current), [dataText]);

  const walk = (event: KeyboardEvent) => {
    const targets: Record<string, number> = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(last, target));
    setChosen(next);
    plot.current?.setCursor({ left: plot.current.valToPos(places[next] ?? 0, "x"), top: 1 }, false);
  };

  return (
    <figure className="chart">
      <div
        ref={host}
        className="plot"
        role="slider"
        tabIndex={0}
        aria-label={`${name}: arrow keys move along the chart`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={index}
        aria-valuetext={valueText(index)}
        onKeyDown={walk}
        onMouseLeave={() => setChosen(null)}
      />
      <figcaption>{children(index)}</figcaption>
    </figure>
  );
}

/** Values of the positions along the axis: their number in the order, or their time. */
function placesOf(axis: Axis): number[] {
  return "times" in axis ? [...axis.times] : axis.labels.map((_, place) => place);
}

/**
 * For stacked bars, the series with the tallest sum comes first, so that the lower ones are drawn over it. A step goes to
 * the next position, so the last one gets a position after it.
 */
function dataOf(kind: ChartProps["kind"], places: number[], series: readonly ChartSeries[]): AlignedData {
  if (kind === "line") return [places, ...series.map(({ heights }) => [...heights])];
  if (kind === "steps") {
    const end = places.slice(-1).map((place) => place + 1);
    return [[...places, ...end], ...series.map(({ heights }) => [...heights, ...heights.slice(-1)])];
  }
  const sums = places.map(() => 0);
  const layers = series.map(({ heights }) =>
    heights.map((height, place) => {
      sums[place] = (sums[place] ?? 0) + (height ?? 0);
      return sums[place] ?? 0;
    }),
  );
  return [places, ...layers.reverse()];
}

function optionsOf(
  kind: ChartProps["kind"],
  series: readonly ChartSeries[],
  width: number,
  current: { readonly current: Pick<ChartProps, "axis" | "tick"> },
  choose: (index: number | null) => void,
): Options {
  const common = { font: TICK_FONT, stroke: () => colorOf("--muted"), ticks: { show: false } };
  const isTimed = "times" in current.current.axis;
  const drawn = kind === "bars" ? [...series].reverse() : series;
  return {
    width,
    height: HEIGHT_PX,
    padding: [12, 28, 0, 0],
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: kind !== "bars" } },
    scales: {
      x: { time: isTimed, range: (_, min, max) => (kind === "bars" ? [min - 0.6, max + 0.6] : [min, max]) },
      ...(kind === "bars" ? { y: { range: (_, _min, max) => [0, max > 0 ? max * 1.05 : 1] } } : {}),
    },
    axes: [
      {
        ...common,
        // The lowest tick of the other axis ends below the line.
        gap: 10,
        grid: { show: false },
        ...(isTimed ? {} : { incrs: PLACE_STEPS }),
        space: 72,
        values: (_, splits, _axis, _space, step) => splits.map((place) => labelOf(current.current.axis, place, step)),
      },
      {
        ...common,
        size: 64,
        grid: { stroke: () => colorOf("--line"), width: 1 },
        values: (_, splits, _axis, _space, step) => splits.map((height) => current.current.tick(height, step)),
      },
    ],
    series: [{}, ...drawn.map((one) => seriesOf(kind, one))],
    hooks: {
      setCursor: [
        ({ cursor: { idx, left = -1 } }) => {
          if (left >= 0 && idx !== null && idx !== undefined) choose(idx);
        },
      ],
    },
  };
}

/** @param step distance to the next tick: a number of positions, or of seconds */
function labelOf(axis: Axis, place: number, step: number): string {
  if ("labels" in axis) return axis.labels[place] ?? "";
  return placeText(place, step < DAY_SECONDS ? "hour" : "day");
}

function seriesOf(kind: ChartProps["kind"], { name, color }: ChartSeries): Series {
  const paint = () => colorOf(color);
  const { bars, stepped, linear } = UPlot.paths;
  if (kind === "bars" && bars) {
    return { label: name, fill: paint, width: 0, paths: bars({ size: [0.72, 48] }), points: { show: false } };
  }
  const paths = kind === "steps" ? stepped?.({ align: 1 }) : linear?.();
  return { label: name, stroke: paint, width: 2, points: { show: false }, ...(paths ? { paths } : {}) };
}

function colorOf(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}
