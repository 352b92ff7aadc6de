/**
 * Draws a chart with uPlot (MIT, 50 KB, maintained). It draws on a canvas, so a thousand bars stay fast. Colours come
 * from elements that the style sheet has coloured; texts and numbers follow the page's language.
 */
import uPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import { axisMoment, number } from "../lib/Format.ts"
import { zone } from "../lib/TimeZone.ts"
import type { ChartProps } from "./ChartProps.ts"
import { stacked } from "./Counts.ts"

/** Minimum distance between time labels. Unit: pixels. Reason: "22.11." plus a gap. */
const timeSpace = 70

/** Height of the time axis. Unit: pixels. */
const timeHeight = 32

/** Width of the count axis. Unit: pixels. */
const numberWidth = 48

/** Smallest maximum of the count axis. Reason: a single run must not fill the whole height. */
const leastTop = 4

/** Steps of the count axis; counts are whole numbers. */
const steps = [1, 2, 5]
  .flatMap((one) => Array.from({ length: 9 }, (_, power) => one * 10 ** power))
  .sort((a, b) => a - b)

/**
 * Draws into `host`; `swatches` holds one element with the colour of each series. `point` receives the index of the
 * bucket under the mouse.
 */
export const draw = (
  host: HTMLElement,
  swatches: HTMLElement,
  { at, series, until }: Pick<ChartProps, "at" | "series" | "until">,
  point: (index: number | undefined) => void
): uPlot => {
  const { borderTopColor: line, color: text } = getComputedStyle(host)
  const colours = Array.from(swatches.querySelectorAll(".swatch"), (swatch) => getComputedStyle(swatch).backgroundColor)
  const from = at[0]!
  const half = (until - from) / at.length / 2000
  const font = "12px system-ui, sans-serif"
  const bars = uPlot.paths.bars!({ size: [0.82, 60] })
  // The highest bar is drawn first, and lower bars cover its lower part.
  const order = series.map((_, index) => index).reverse()
  const tops = stacked(series.map(({ values }) => values))
  return new uPlot(
    {
      width: host.clientWidth || 600,
      height: host.clientHeight || 176,
      legend: { show: false },
      // Ticks are at full hours and days of the zone that labels are in.
      ...(zone.value === undefined ? {} : { tzDate: (at) => uPlot.tzDate(new Date(at * 1000), zone.value!) }),
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: true, range: () => [from / 1000, until / 1000] },
        y: { range: (_, __, most) => [0, Math.max(most, leastTop) * 1.05] }
      },
      axes: [
        {
          stroke: text,
          font,
          size: timeHeight,
          space: timeSpace,
          grid: { show: false },
          ticks: { stroke: line, width: 1, size: 5 },
          values: (_, splits) => splits.map((at) => axisMoment(at * 1000, until - from))
        },
        {
          stroke: text,
          font,
          size: numberWidth,
          incrs: steps,
          grid: { stroke: line, width: 1 },
          ticks: { show: false },
          values: (_, splits) => splits.map(number)
        }
      ],
      series: [
        {},
        ...order.map((index) => ({
          fill: colours[index]!,
          stroke: "transparent",
          width: 0,
          paths: bars,
          points: { show: false }
        }))
      ],
      hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? undefined)] }
    },
    [at.map((begin) => begin / 1000 + half), ...order.map((index) => [...tops[index]!])],
    host
  )
}
