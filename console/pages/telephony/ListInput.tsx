import { useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { words } from "../../lib/Language.ts"
import type { ThingName } from "./Kind.ts"
import { type Thing, things } from "./Things.ts"

const t = words({
  en: {
    at: (label: string, at: number) => `${label} ${at}`,
    remove: (what: string) => `Remove ${what}`,
    up: (what: string) => `Move ${what} up`
  },
  de: {
    at: (label: string, at: number) => `${label} ${at}`,
    remove: (what: string) => `${what} entfernen`,
    up: (what: string) => `${what} nach oben`
  }
})

interface Props {
  readonly id: string
  readonly label: string
  readonly value: ReadonlyArray<string>
  readonly set: (value: ReadonlyArray<string>) => void
  /** Text of the button that adds a row. */
  readonly add: string
  /** Whether the order matters. */
  readonly ordered: boolean
  /** Objects to suggest. */
  readonly offers?: ThingName
  readonly invalid: boolean
}

/** List of texts, one per row; where the order matters, rows can be moved up. */
export const ListInput = ({ add, id, invalid, label, offers, ordered, set, value }: Props) => {
  const offered = useSignal<ReadonlyArray<Thing>>([])
  const rows = useRef<HTMLDivElement>(null)
  const fresh = useRef(false)
  useEffect(() => {
    if (offers !== undefined)
      things(offers).then(
        ({ items }) => (offered.value = items),
        () => {}
      )
  }, [offers])
  useLayoutEffect(() => {
    if (fresh.current) [...(rows.current?.querySelectorAll("input") ?? [])].at(-1)?.focus()
    fresh.current = false
  }, [value.length])
  return (
    <div ref={rows} class="list-input">
      {value.map((one, at) => (
        <div key={at} class="list-row">
          <input
            type="text"
            aria-label={t().at(label, at + 1)}
            aria-invalid={invalid}
            value={one}
            autocomplete="off"
            {...(offers === undefined ? {} : { list: `${id}-offers` })}
            onInput={({ currentTarget }) => set(value.with(at, currentTarget.value))}
          />
          {ordered ? (
            <button
              type="button"
              class="small"
              aria-label={t().up(one)}
              disabled={at === 0}
              onClick={() => set(value.with(at - 1, one).with(at, value[at - 1]!))}
            >
              ↑
            </button>
          ) : null}
          <button type="button" class="small" aria-label={t().remove(one)} onClick={() => set(value.toSpliced(at, 1))}>
            ×
          </button>
        </div>
      ))}
      {offers === undefined ? null : (
        <datalist id={`${id}-offers`}>
          {offered.value.map((one) => (
            <option key={one.id} value={one.number}>
              {one.label}
            </option>
          ))}
        </datalist>
      )}
      <div>
        <button
          type="button"
          id={id}
          class="small"
          onClick={() => {
            fresh.current = true
            set([...value, ""])
          }}
        >
          {add}
        </button>
      </div>
    </div>
  )
}
