import { words } from "../lib/Language.ts"
import { isRangeName, type RangeName, rangeNames } from "./Ranges.ts"
import { rangeTitle } from "./RangeTitle.ts"

const t = words({ en: { label: "Time" }, de: { label: "Zeitraum" } })

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
