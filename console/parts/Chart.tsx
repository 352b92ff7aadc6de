import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { moment, number } from "../lib/Format.ts"
import { language, words } from "../lib/Language.ts"
import { ChartTable } from "./ChartTable.tsx"
import { draw } from "./ChartPlot.ts"
import { useScheme } from "./Scheme.ts"
import type { ChartProps } from "./ChartProps.ts"
import "./chart.css"

const t = words({
  en: { nothing: "Nothing in this time.", in: (total: string) => `${total} in all` },
  de: { nothing: "Nichts in dieser Zeit.", in: (total: string) => `insgesamt ${total}` }
})

const sum = (values: ReadonlyArray<number>): number => values.reduce((all, one) => all + one, 0)

/** Counts over time as stacked bars, and the same data as a table for screen readers. */
export const Chart = ({ at, label, series, until }: ChartProps) => {
  const host = useRef<HTMLDivElement>(null)
  const swatches = useRef<HTMLUListElement>(null)
  const pointed = useSignal<number | undefined>(undefined)
  const scheme = useScheme()
  const total = sum(series.map(({ values }) => sum(values)))
  const shape = `${scheme} ${language.value} ${total === 0} ${at[0]} ${until} ${series.map(({ colour, name }) => `${name} ${colour}`).join()}`
  const values = JSON.stringify(series.map((one) => one.values))

  useEffect(() => {
    if (host.current === null || swatches.current === null) return
    const drawn = draw(host.current, swatches.current, { at, until, series }, (index) => (pointed.value = index))
    const sized = new ResizeObserver(
      ([entry]) =>
        entry!.contentRect.width > 0 &&
        drawn.setSize({ width: entry!.contentRect.width, height: entry!.contentRect.height })
    )
    sized.observe(host.current)
    return () => {
      sized.disconnect()
      drawn.destroy()
      pointed.value = undefined
    }
  }, [shape, values])

  if (total === 0) return <p class="empty-chart">{t().nothing}</p>
  const index = pointed.value !== undefined && pointed.value < at.length ? pointed.value : undefined
  return (
    <figure class="chart">
      <div ref={host} class="chart-plot" role="img" aria-label={`${label}: ${t().in(number(total))}`} />
      <figcaption>
        <ul ref={swatches} class="legend">
          {series.map((one) => (
            <li key={one.name}>
              <span class={`swatch ${one.colour}`} />
              {one.label}
              <b>{number(index === undefined ? sum(one.values) : (one.values[index] ?? 0))}</b>
            </li>
          ))}
        </ul>
        <span class="when">{index === undefined ? t().in(number(total)) : moment(at[index]!)}</span>
      </figcaption>
      <ChartTable label={label} at={at} series={series} />
    </figure>
  )
}
