import { words } from "../lib/Language.ts"
import { isRangeName, type RangeName, rangeNames } from "./Ranges.ts"

const t = words({
  en: { label: "Time", hour: "Last hour", day: "Last 24 hours", week: "Last 7 days", month: "Last 30 days" },
  de: {
    label: "Zeitraum",
    hour: "Letzte Stunde",
    day: "Letzte 24 Stunden",
    week: "Letzte 7 Tage",
    month: "Letzte 30 Tage"
  }
})

export const rangeTitle = (name: RangeName): string => t()[name]

/** Selects the time range that a page shows. */
export const RangePicker = ({
  choose,
  value
}: {
  readonly value: RangeName
  readonly choose: (name: RangeName) => void
}) => (
  <label>
    {t().label}
    <select
      value={value}
      onChange={({ currentTarget }) => isRangeName(currentTarget.value) && choose(currentTarget.value)}
    >
      {rangeNames.map((name) => (
        <option key={name} value={name}>
          {rangeTitle(name)}
        </option>
      ))}
    </select>
  </label>
)
