import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { words } from "../../lib/Language.ts"
import type { ThingName } from "./Kind.ts"
import { edition, find, isFindable, type Thing, thing, things, thingTitle } from "./Things.ts"

const t = words({
  en: {
    pick: "Please choose",
    search: (what: string) => `Find by number: ${what}`,
    find: "Find",
    nobody: "None found."
  },
  de: {
    pick: "Bitte wählen",
    search: (what: string) => `Nach Nummer suchen: ${what}`,
    find: "Suchen",
    nobody: "Nichts gefunden."
  }
})

interface Props {
  readonly id: string
  readonly of: ThingName
  /** Id of the object as text; empty for none. */
  readonly value: string
  readonly pick: (id: string) => void
  readonly required?: boolean
  /** Text for the choice of none, where it is allowed. */
  readonly none?: string
  readonly label?: string
  readonly invalid?: boolean
  readonly describedBy?: string
}

/** Selects one of the tenant's objects: the newest from a menu, older ones by searching for their number. */
export const Picker = ({ describedBy, id, invalid = false, label, none, of, pick, required = false, value }: Props) => {
  const offered = useSignal<ReadonlyArray<Thing>>([])
  const more = useSignal(false)
  const sought = useSignal("")
  const nobody = useSignal(false)
  const offer = (found: ReadonlyArray<Thing>) => {
    offered.value = [...offered.peek(), ...found.filter((one) => !offered.peek().some((known) => known.id === one.id))]
  }
  useEffect(() => {
    let current = true
    offered.value = []
    more.value = false
    things(of).then(
      (found) => {
        if (!current) return
        offer(found.items)
        more.value = found.more
      },
      () => {}
    )
    return () => void (current = false)
  }, [of, edition.value])
  useEffect(() => {
    let current = true
    if (value !== "")
      thing(of, Number(value)).then(
        (found) => current && offer([found]),
        () => {}
      )
    return () => void (current = false)
  }, [of, value, edition.value])
  const search = () => {
    if (sought.value.trim() === "") return
    find(of, sought.value.trim()).then(
      (found) => {
        nobody.value = found.length === 0
        offer(found)
        if (found.length > 0) pick(String(found[0]!.id))
      },
      () => (nobody.value = true)
    )
  }
  const known = value === "" || offered.value.some((one) => String(one.id) === value)
  return (
    <span class="picker">
      <select
        id={id}
        value={value}
        required={required}
        aria-invalid={invalid}
        {...(label === undefined ? {} : { "aria-label": label })}
        {...(describedBy === undefined ? {} : { "aria-describedby": describedBy })}
        onChange={({ currentTarget }) => pick(currentTarget.value)}
      >
        <option value="">{none ?? t().pick}</option>
        {known ? null : <option value={value}>{`#${value}`}</option>}
        {offered.value.map((one) => (
          <option key={one.id} value={String(one.id)}>
            {one.label}
          </option>
        ))}
      </select>
      {more.value && isFindable(of) ? (
        <span class="picker-search">
          <input
            type="search"
            aria-label={t().search(thingTitle(of))}
            placeholder={t().search(thingTitle(of))}
            value={sought.value}
            onInput={({ currentTarget }) => (sought.value = currentTarget.value)}
            onKeyDown={(event) => {
              // Enter would submit the form.
              if (event.key !== "Enter") return
              event.preventDefault()
              search()
            }}
          />
          <button type="button" class="small" onClick={search}>
            {t().find}
          </button>
          <small role="status">{nobody.value ? t().nobody : ""}</small>
        </span>
      ) : null}
    </span>
  )
}
