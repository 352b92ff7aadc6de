import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { Filters as Held } from "../../parts/Address.ts"
import type { Kind } from "./Kind.ts"

/** Delay after the last key press. Unit: milliseconds. Reason: one request per word instead of one per letter. */
const pause = 300

/** Filter fields of a list, applied while the user types. */
export const Filters = ({
  filters,
  of
}: {
  readonly of: NonNullable<Kind["filters"]>
  readonly filters: Held<string>
}) => (
  <>
    {of.map((one) => (
      <Filter
        key={one.name}
        label={one.label()}
        wide={one.wide === true}
        value={filters.value[one.name] ?? ""}
        set={(text) => filters.set(one.name, text)}
        name={one.name}
      />
    ))}
  </>
)

const Filter = ({
  label,
  name,
  set,
  value,
  wide
}: {
  readonly label: string
  readonly name: string
  readonly wide: boolean
  readonly value: string
  readonly set: (text: string) => void
}) => {
  const text = useSignal(value)
  useEffect(() => {
    if (text.value.trim() === value) return
    const timer = setTimeout(() => set(text.value.trim()), pause)
    return () => clearTimeout(timer)
  }, [text.value, value])
  return (
    <label class={wide ? "wide" : ""}>
      {label}
      <input
        type="search"
        name={name}
        value={text.value}
        autocomplete="off"
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
      />
    </label>
  )
}
