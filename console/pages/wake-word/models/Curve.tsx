import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { words } from "../../../lib/Language.ts"
import { decimal, fineShare } from "../Figures.ts"
import type { CurvePoint } from "../Shapes.ts"
import { axisSteps, falseAcceptTop, nearest } from "./CurveScale.ts"
import "../../../parts/chart.css"

const t = words({
  en: {
    label: (threshold: string, falseAccepts: string, misses: string) =>
      `Curve over thresholds. At ${threshold}: ${falseAccepts} false accepts an hour, ${misses} missed`,
    falseAccepts: "False accepts an hour (left)",
    misses: "Missed utterances (right)",
    threshold: "Threshold",
    chosen: (value: string) => `threshold ${value}`,
    asTable: "As a table"
  },
  de: {
    label: (threshold: string, falseAccepts: string, misses: string) =>
      `Kurve über die Schwellen. Bei ${threshold}: ${falseAccepts} Fehlauslösungen je Stunde, ${misses} überhört`,
    falseAccepts: "Fehlauslösungen je Stunde (links)",
    misses: "Überhörte Äußerungen (rechts)",
    threshold: "Schwelle",
    chosen: (value: string) => `Schwelle ${value}`,
    asTable: "Als Tabelle"
  }
})

/** Height of the plot, and room around it for labels. Unit: pixels. */
const height = 200
const [left, right, above, below] = [44, 48, 18, 24] as const

/** Steps of both axes of values. */
const steps = 4

/** Thresholds with a label. */
const labelled = [0, 0.25, 0.5, 0.75, 1]

/** Bound of the gate. Unit: false accepts an hour. Source: wake-word, activation. */
const bound = 0.5

interface Props {
  readonly curve: ReadonlyArray<CurvePoint>
  readonly threshold: number
}

/** False accepts and misses of a model over thresholds, as two lines and as a table. */
export const Curve = ({ curve, threshold }: Props) => {
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
  const at = nearest(curve, threshold)
  const label =
    at === undefined
      ? t().threshold
      : t().label(decimal(threshold), decimal(at.false_accepts_per_hour), fineShare(at.miss_rate))
  return (
    <figure class="chart">
      <div ref={host}>
        <Plot curve={curve} threshold={threshold} width={width.value} label={label} />
      </div>
      <figcaption>
        <ul class="legend">
          <li>
            <span class="swatch c2" />
            {t().falseAccepts}
          </li>
          <li>
            <span class="swatch c1" />
            {t().misses}
          </li>
        </ul>
      </figcaption>
      <details>
        <summary>{t().asTable}</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label={label}>
          <table>
            <caption class="sr">{label}</caption>
            <thead>
              <tr>
                {[t().threshold, t().falseAccepts, t().misses].map((title) => (
                  <th key={title} scope="col" class="number">
                    {title.replace(/ \(.*\)$/, "")}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {curve.map((point) => (
                <tr key={point.threshold}>
                  <th scope="row" class="number">
                    {decimal(point.threshold)}
                  </th>
                  <td class="number">{decimal(point.false_accepts_per_hour)}</td>
                  <td class="number">{fineShare(point.miss_rate)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

const Plot = ({ curve, label, threshold, width }: Props & { readonly width: number; readonly label: string }) => {
  const top = falseAcceptTop(curve, bound, threshold)
  const end = width - right
  const x = (value: number) => left + value * (end - left)
  const y = (part: number) => above + (1 - part) * height
  const line = (part: (point: CurvePoint) => number) =>
    curve.map((point) => `${x(point.threshold).toFixed(1)},${(y(part(point)) - above).toFixed(1)}`).join(" ")
  return (
    <svg class="wake-curve" width={width} height={above + height + below} role="img" aria-label={label}>
      {axisSteps(1, steps).map((part) => (
        <g key={part}>
          <line class="wake-grid" x1={left} x2={end} y1={y(part)} y2={y(part)} />
          <text x={left - 6} y={y(part) + 4} text-anchor="end">
            {decimal(part * top)}
          </text>
          <text x={end + 6} y={y(part) + 4}>
            {fineShare(part)}
          </text>
        </g>
      ))}
      {labelled.map((value) => (
        <text key={value} x={x(value)} y={above + height + below - 6} text-anchor="middle">
          {decimal(value)}
        </text>
      ))}
      <line class="wake-threshold" x1={x(threshold)} x2={x(threshold)} y1={above} y2={above + height} />
      <text
        x={x(threshold)}
        y={above - 6}
        text-anchor={threshold > 0.75 ? "end" : threshold < 0.25 ? "start" : "middle"}
      >
        {t().chosen(decimal(threshold))}
      </text>
      {/* A drawing of its own cuts what is above the axis. */}
      <svg x={0} y={above} width={width} height={height}>
        <polyline class="wake-curve-line c2" points={line((point) => point.false_accepts_per_hour / top)} />
        <polyline class="wake-curve-line c1" points={line((point) => point.miss_rate)} />
      </svg>
    </svg>
  )
}
