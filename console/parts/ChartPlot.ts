/**
 * The drawing of a chart by uPlot (MIT, 50 KB, kept; canvas, so that a thousand bars cost a browser nothing). Colours
 * are read off elements that the style sheet has coloured; words and numbers are those of the page's language.
 */
import uPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import { number } from "../lib/Format.ts"
import { language } from "../lib/Language.ts"
import type { ChartProps } from "./ChartProps.ts"
import { stacked } from "./Counts.ts"

/** Between the times below the chart. Unit: pixels. Reason: "22.11." and some air. */
const timeSpace = 70

/** Place for them. Unit: pixels. */
const timeHeight = 32

/** Place for the numbers beside it. Unit: pixels. */
const numberWidth = 48

/** The least that the axis of counts shows. Reason: one run is not to be as high as a thousand. */
const leastTop = 4

/** Counts are whole. */
const steps = [1, 2, 5]
  .flatMap((one) => Array.from({ length: 9 }, (_, power) => one * 10 ** power))
  .sort((a, b) => a - b)

const day = 86_400_000

/** Times of a day; where one day ends, or all is about days, the day. */
const timeLabel = (at: number, span: number): string => {
  const date = new Date(at)
  const options: Intl.DateTimeFormatOptions =
    span > 2 * day || (date.getHours() === 0 && date.getMinutes() === 0)
      ? { day: "2-digit", month: "2-digit" }
      : { hour: "2-digit", minute: "2-digit" }
  return new Intl.DateTimeFormat(language.value === "de" ? "de-DE" : "en-GB", options).format(date)
}

/**
 * Draws into `host`; `swatches` holds an element of each series' colour. `point` is told which bucket the mouse is at.
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
  // The highest is drawn first: what lies over it leaves its upper end.
  const order = series.map((_, index) => index).reverse()
  const tops = stacked(series.map(({ values }) => values))
  return new uPlot(
    {
      width: host.clientWidth || 600,
      height: host.clientHeight || 176,
      legend: { show: false },
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
          values: (_, splits) => splits.map((at) => timeLabel(at * 1000, until - from))
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
