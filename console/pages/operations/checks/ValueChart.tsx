import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { axisMoment, moment, shortMoment } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import type { Tone } from "../../../parts/Badge.tsx"
import { place } from "../../../parts/TimeScale.ts"
import { axisOf, linesOf, piecesOf, type Point, spansOf } from "./ValueScale.ts"
import "../../../parts/chart.css"
import { At } from "../../../parts/When.tsx"

const t = words({
  en: { asTable: "As a table", at: "Time", value: "Value", state: "State", limit: (value: string) => `limit ${value}` },
  de: {
    asTable: "Als Tabelle",
    at: "Zeit",
    value: "Wert",
    state: "Zustand",
    limit: (value: string) => `Grenze ${value}`
  }
})

/** Height of the plot, and of the strip of states below it. Unit: pixels. */
const height = 160
const strip = 12
/** Room for the labels of the values, and around the drawing. Unit: pixels. */
const left = 64
const above = 10
const gap = 8
const below = 24
/** Room for the label of the limit above its line, else it is below. */
const labelRoom = 14
/** Width of a label of the time axis. Unit: pixels. */
const timeRoom = 110
/** Rows of the table. Reason: the newest ones answer the question, the chart shows the rest. */
const rows = 50

interface Props {
  readonly label: string
  readonly points: ReadonlyArray<Point>
  /** Text of a value with its unit. */
  readonly show: (value: number) => string
  readonly stateText: (state: string) => string
  readonly stateTone: (state: string) => Tone
  /** Value from which on the check fails. */
  readonly limit?: number | undefined
  /** End of the time axis. Epoch milliseconds. */
  readonly until: number
}

/** Values of a check over time as a line, its states as a strip, and the newest values as a table. */
export const ValueChart = (props: Props) => {
  const { label, points, show, stateText, until } = props
  const host = useRef<HTMLDivElement>(null)
  const width = useSignal(600)
  useEffect(() => {
    if (host.current === null) return
    const sized = new ResizeObserver(([entry]) => {
      if (entry!.contentRect.width > 0) width.value = entry!.contentRect.width
    })
    sized.observe(host.current)
    return () => sized.disconnect()
  }, [])
  const states = [...new Set(points.map(({ state }) => state))]
  const last = points.at(-1)
  const said =
    last === undefined
      ? label
      : `${label}: ${last.value === undefined ? "" : `${show(last.value)}, `}${stateText(last.state)}`
  return (
    <figure class="chart">
      <div ref={host}>
        <Plot {...props} label={said} width={width.value} />
      </div>
      <figcaption>
        <ul class="legend">
          {states.map((state) => (
            <li key={state}>
              <span class={`swatch ${props.stateTone(state)}`} />
              {stateText(state)}
            </li>
          ))}
        </ul>
        <span class="when">{shortMoment(until)}</span>
      </figcaption>
      <details>
        <summary>{t().asTable}</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label={label}>
          <table>
            <caption class="sr">{label}</caption>
            <thead>
              <tr>
                <th scope="col">{t().at}</th>
                <th scope="col">{t().state}</th>
                <th scope="col" class="number">
                  {t().value}
                </th>
              </tr>
            </thead>
            <tbody>
              {points
                .slice(-rows)
                .toReversed()
                .map(({ at, state, value }) => (
                  <tr key={at}>
                    <th scope="row">
                      <At at={at} />
                    </th>
                    <td>{stateText(state)}</td>
                    <td class="number">{value === undefined ? "" : show(value)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

const Plot = ({
  label,
  limit,
  points,
  show,
  stateText,
  stateTone,
  until,
  width
}: Props & { readonly width: number }) => {
  const values = points.flatMap(({ value }) => (value === undefined ? [] : [value]))
  const axis = axisOf(limit === undefined ? values : [...values, limit])
  const time = { from: Math.min(points[0]?.at ?? until, until - 1), to: until }
  const x = (at: number) => left + (place(time, at) / 100) * (width - left)
  const y = (value: number) => above + ((axis.top - value) / (axis.top - axis.bottom)) * height
  const labels = Math.max(1, Math.floor((width - left) / timeRoom))
  const stripTop = above + height + gap
  return (
    <svg class="value-chart" width={width} height={stripTop + strip + below} role="img" aria-label={label}>
      {linesOf(axis).map((value) => (
        <g key={value}>
          <line class="value-grid" x1={left} x2={width} y1={y(value)} y2={y(value)} />
          <text x={left - 8} y={y(value) + 4} text-anchor="end">
            {show(value)}
          </text>
        </g>
      ))}
      {limit === undefined ? null : (
        <>
          <line class="value-limit" x1={left} x2={width} y1={y(limit)} y2={y(limit)} />
          <text class="value-limit" x={left + 4} y={y(limit) - above < labelRoom ? y(limit) + labelRoom : y(limit) - 4}>
            {t().limit(show(limit))}
          </text>
        </>
      )}
      {piecesOf(points).map((piece) =>
        piece.length === 1 ? (
          <circle key={piece[0]![0]} class="value-dot" cx={x(piece[0]![0])} cy={y(piece[0]![1])} r={2.5} />
        ) : (
          <polyline
            key={piece[0]![0]}
            class="value-line"
            points={piece.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ")}
          />
        )
      )}
      {spansOf(points, until).map(({ from, state, to }) => (
        <rect
          key={from}
          class={`value-state ${stateTone(state)}`}
          x={x(from)}
          y={stripTop}
          width={Math.max(2, x(to) - x(from))}
          height={strip}
        >
          <title>{`${stateText(state)}: ${moment(from)}`}</title>
        </rect>
      ))}
      {Array.from({ length: labels }, (_, index) => time.from + ((until - time.from) * index) / labels).map((at) => (
        <text key={at} x={x(at)} y={stripTop + strip + below - 8}>
          {axisMoment(at, time.to - time.from)}
        </text>
      ))}
    </svg>
  )
}
