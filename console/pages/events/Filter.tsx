import { useSignal } from "@preact/signals"
import type { Filters } from "../../parts/Address.ts"
import { isRangeName, rangeNames } from "../../parts/Ranges.ts"
import { rangeTitle } from "../../parts/RangePicker.tsx"
import { isPattern } from "./EventTypes.ts"
import { eventWords as t } from "./EventWords.ts"

export type EventFilters = Filters<"pattern" | "range" | "since" | "until">

/** Filter for events: a type or pattern, and a time range. `types`: event types to suggest. */
export const Filter = ({
  filters: { set, value },
  types
}: {
  readonly filters: EventFilters
  readonly types: ReadonlyArray<string>
}) => {
  const typed = useSignal(value.pattern)
  const invalid = typed.value.trim() !== "" && !isPattern(typed.value.trim())
  return (
    <form
      class="filters event-filter"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        if (!invalid) set("pattern", typed.value.trim())
      }}
    >
      <label>
        {t().pattern}
        <input
          name="pattern"
          list="event-types"
          value={typed.value}
          placeholder="*"
          spellcheck={false}
          autocapitalize="off"
          maxLength={100}
          aria-invalid={invalid}
          aria-describedby="pattern-hint"
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          onChange={() => !invalid && set("pattern", typed.value.trim())}
        />
        <datalist id="event-types">
          {suggestions(types).map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
        <small id="pattern-hint">{invalid ? t().invalid : t().patternHint}</small>
      </label>
      <label>
        {t().time}
        <select name="range" value={value.range} onChange={({ currentTarget }) => set("range", currentTarget.value)}>
          {rangeNames.map((name) => (
            <option key={name} value={name}>
              {rangeTitle(name)}
            </option>
          ))}
          <option value="custom">{t().custom}</option>
        </select>
      </label>
      {isRangeName(value.range) ? null : (
        <>
          <label>
            {t().from}
            <input
              type="datetime-local"
              name="since"
              value={value.since}
              onChange={({ currentTarget }) => set("since", currentTarget.value)}
            />
          </label>
          <label>
            {t().to}
            <input
              type="datetime-local"
              name="until"
              value={value.until}
              onChange={({ currentTarget }) => set("until", currentTarget.value)}
            />
          </label>
        </>
      )}
      <button type="submit">{t().apply}</button>
    </form>
  )
}

/** Each type, and the pattern of its group. */
const suggestions = (types: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(types.flatMap((type) => [`${type.split(".")[0]}.*`, type]))].sort()
