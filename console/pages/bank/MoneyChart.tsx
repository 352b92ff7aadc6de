import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { calendarDay, dayOfYear, money, percent, shortMoney } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { axisOf, type DayMoney, heightAt, labelled, linesOf, matchedShare } from "./MoneyScale.ts"
import { MoneyTable } from "./MoneyTable.tsx"
import "../../parts/chart.css"

const t = words({
  en: {
    in: "Money in",
    out: "Money out",
    matched: "Matched share of the day",
    nothing: "No money moved in these days.",
    all: (came: string, went: string, share: string) => `${came} in, ${went} out, ${share} of the transactions matched`
  },
  de: {
    in: "Eingang",
    out: "Ausgang",
    matched: "Zugeordneter Anteil des Tages",
    nothing: "In diesen Tagen wurde kein Geld bewegt.",
    all: (came: string, went: string, share: string) =>
      `${came} Eingang, ${went} Ausgang, ${share} der Umsätze zugeordnet`
  }
})

/** Height of the plot. Unit: pixels. */
const height = 180
/** Height of the bars of the matched share, and the gap above them. Unit: pixels. */
const shareHeight = 24
const gap = 10
/** Room for the amounts on the left, and above and below the drawing. Unit: pixels. */
const left = 58
const above = 8
const below = 24
/** Distance between the labels of two days. Unit: pixels. */
const labelRoom = 52
/** Half the width of a day's label, so that the last one stays inside. Unit: pixels. */
const halfLabel = 18

interface Props {
  readonly label: string
  readonly currency: string
  readonly days: ReadonlyArray<DayMoney>
}

/** Money in and out per day as bars, with the same data as a table. */
export const MoneyChart = ({ currency, days, label }: Props) => {
  const host = useRef<HTMLDivElement>(null)
  const width = useSignal(600)
  useEffect(() => {
    if (host.current === null) return
    const sized = new ResizeObserver(([entry]) => {
      if (entry!.contentRect.width > 0) width.value = entry!.contentRect.width
    })
    sized.observe(host.current)
    return () => sized.disconnect()
  }, [days.length === 0])
  const came = days.reduce((sum, day) => sum + day.in, 0)
  const went = days.reduce((sum, day) => sum + day.out, 0)
  if (came === 0 && went === 0) return <p class="empty-chart">{t().nothing}</p>
  const counts = {
    matched: days.reduce((sum, day) => sum + day.matched, 0),
    transactions: days.reduce((sum, day) => sum + day.transactions, 0)
  }
  const said = t().all(
    money(came.toFixed(2), currency),
    money(went.toFixed(2), currency),
    percent(matchedShare(counts) ?? 0)
  )
  return (
    <figure class="chart money-chart">
      <div ref={host}>
        <Plot width={width.value} days={days} currency={currency} said={`${label}: ${said}`} />
      </div>
      <figcaption>
        <ul class="legend">
          {(["in", "out", "matched"] as const).map((name) => (
            <li key={name}>
              <span class={`swatch money-${name}`} />
              {t()[name]}
            </li>
          ))}
        </ul>
        <span class="when">{said}</span>
      </figcaption>
      <MoneyTable label={label} days={days} currency={currency} />
    </figure>
  )
}

const Plot = ({
  currency,
  days,
  said,
  width
}: Omit<Props, "label"> & { readonly said: string; readonly width: number }) => {
  const axis = axisOf(days)
  const band = Math.max(1, (width - left) / days.length)
  const bar = Math.max(2, Math.min(28, band * 0.7))
  const named = new Set(labelled(days.length, (width - left) / labelRoom))
  const zero = heightAt(axis, 0, height)
  const place = (at: number) => left + band * at + (band - bar) / 2
  return (
    <svg width={width} height={above + height + gap + shareHeight + below} role="img" aria-label={said}>
      <g transform={`translate(0 ${above})`}>
        {linesOf(axis).map((value) => (
          <g key={value}>
            <line
              class={value === 0 ? "money-zero" : "money-line"}
              x1={left}
              x2={width}
              y1={heightAt(axis, value, height)}
              y2={heightAt(axis, value, height)}
            />
            <text x={left - 8} y={heightAt(axis, value, height) + 4} text-anchor="end">
              {shortMoney(value, currency)}
            </text>
          </g>
        ))}
        {days.map((day, at) => {
          const top = heightAt(axis, day.in, height)
          const share = matchedShare(day)
          return (
            <g key={day.day}>
              <title>
                {`${calendarDay(day.day)}: +${shortMoney(day.in, currency)} −${shortMoney(day.out, currency)}`}
              </title>
              <rect class="money-hit" x={left + band * at} y={0} width={band} height={height + gap + shareHeight} />
              <rect class="money-in" x={place(at)} y={top} width={bar} height={zero - top} />
              <rect
                class="money-out"
                x={place(at)}
                y={zero}
                width={bar}
                height={heightAt(axis, -day.out, height) - zero}
              />
              {share === undefined ? null : (
                <>
                  <rect class="money-all" x={place(at)} y={height + gap} width={bar} height={shareHeight} />
                  <rect
                    class="money-matched"
                    x={place(at)}
                    y={height + gap + shareHeight * (1 - share)}
                    width={bar}
                    height={shareHeight * share}
                  />
                </>
              )}
              {named.has(at) ? (
                <text
                  x={Math.min(left + band * (at + 0.5), width - halfLabel)}
                  y={height + gap + shareHeight + below - 6}
                  text-anchor="middle"
                >
                  {dayOfYear(day.day)}
                </text>
              ) : null}
            </g>
          )
        })}
      </g>
    </svg>
  )
}
