import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { words } from "../lib/Language.ts"

const t = words({ en: { all: "All" }, de: { all: "Alle" } })

/** Menu that filters a list; its first entry selects everything. */
export const FilterSelect = ({
  label,
  name,
  options,
  set,
  value
}: {
  readonly label: string
  readonly name: string
  /** Values with their texts. */
  readonly options: ReadonlyArray<readonly [string, string]>
  readonly value: string
  readonly set: (value: string) => void
}) => (
  <label class="filter-select">
    {label}
    <select name={name} value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
      <option value="">{t().all}</option>
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

/** Day that filters a list. */
export const FilterDay = ({
  label,
  name,
  set,
  value
}: {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly set: (value: string) => void
}) => (
  <label>
    {label}
    <input type="date" name={name} value={value} onChange={({ currentTarget }) => set(currentTarget.value)} />
  </label>
)

/** Delay after the last key press. Unit: milliseconds. Reason: one request per word instead of one per letter. */
const pause = 300

/** Text that filters a list. */
export const FilterText = ({
  label,
  name,
  placeholder,
  set,
  value
}: {
  readonly label: string
  readonly name: string
  /** An example of a value. */
  readonly placeholder?: string
  readonly value: string
  readonly set: (value: string) => void
}) => {
  const typed = useSignal(value)
  /** The last text that this field has set. */
  const own = useRef(value)
  useEffect(() => {
    // Only a change from elsewhere: the reader may have typed on, or a space before the next word.
    if (value !== own.current) typed.value = value
    own.current = value
  }, [value])
  useEffect(() => {
    if (typed.value === value) return
    const timer = setTimeout(() => {
      own.current = typed.value.trim()
      set(own.current)
    }, pause)
    return () => clearTimeout(timer)
  }, [typed.value])
  return (
    <label>
      {label}
      <input
        type="search"
        name={name}
        maxLength={100}
        {...(placeholder === undefined ? {} : { placeholder })}
        value={typed.value}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
      />
    </label>
  )
}
