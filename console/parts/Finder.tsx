import { useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { words } from "../lib/Language.ts"
import "./finder.css"

const t = words({
  en: { found: "Found", nothing: "Nothing found.", clear: "Choose another", pick: "Choose one that is found." },
  de: {
    found: "Gefunden",
    nothing: "Nichts gefunden.",
    clear: "Anderes wählen",
    pick: "Wählen Sie ein Ergebnis der Suche."
  }
})

/** Delay after the last key press. Unit: milliseconds. Reason: one request per word instead of one per letter. */
const pause = 250

export interface Found {
  readonly id: string
  readonly label: string
  /** Further text, such as an open amount; a function, because it follows the language. */
  readonly detail?: () => string
}

interface Props<Item extends Found> {
  readonly id: string
  /** The chosen object; undefined for none. */
  readonly value: Item | undefined
  readonly find: (text: string) => Promise<ReadonlyArray<Item>>
  readonly pick: (item: Item | undefined) => void
  readonly label?: string
  readonly placeholder?: string
  readonly invalid?: boolean
  readonly describedBy?: string
  readonly focused?: boolean
  /** Whether the browser refuses a form without a choice. */
  readonly required?: boolean
}

/** Field that searches for one object while the user types, such as an invoice. Works by arrow keys and Enter. */
export const Finder = <Item extends Found>(props: Props<Item>) => {
  const {
    describedBy,
    find,
    focused = false,
    id,
    invalid = false,
    label,
    pick,
    placeholder,
    required = false,
    value
  } = props
  const text = useSignal("")
  const found = useSignal<{ readonly text: string; readonly items: ReadonlyArray<Item> } | undefined>(undefined)
  const at = useSignal(0)
  const open = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  const clear = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (focused) input.current?.focus()
  }, [])
  useEffect(() => {
    if (!open.value) return
    let stays = true
    const timer = setTimeout(
      () => {
        const sought = text.value
        const show = (items: ReadonlyArray<Item>) => {
          if (!stays) return
          found.value = { text: sought, items }
          at.value = 0
        }
        find(sought.trim()).then(show, () => show([]))
      },
      text.value === "" ? 0 : pause
    )
    return () => {
      stays = false
      clearTimeout(timer)
    }
  }, [text.value, open.value])
  // The browser refuses a form with a text but without a choice, which would be sent without the object.
  useEffect(
    () => input.current?.setCustomValidity(text.value.trim() === "" ? "" : t().pick),
    [text.value, value === undefined]
  )
  const choose = (item: Item) => {
    open.value = false
    text.value = ""
    found.value = undefined
    pick(item)
    setTimeout(() => clear.current?.focus())
  }
  if (value !== undefined)
    return (
      <span class="finder-chosen">
        <span>
          {value.label} {value.detail === undefined ? null : <small>{value.detail()}</small>}
        </span>
        <button
          ref={clear}
          id={id}
          type="button"
          class="small"
          aria-label={`${t().clear}: ${value.label}`}
          onClick={() => {
            pick(undefined)
            setTimeout(() => input.current?.focus())
          }}
        >
          {t().clear}
        </button>
      </span>
    )
  // Results for an earlier text must not be chosen by Enter.
  const items = open.value && found.value?.text === text.value ? found.value.items : []
  return (
    <span class="finder">
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        value={text.value}
        autocomplete="off"
        spellcheck={false}
        aria-autocomplete="list"
        aria-expanded={items.length > 0}
        aria-controls={items.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={items.length > 0 ? `${id}-${at.value}` : undefined}
        aria-invalid={invalid}
        required={required}
        {...(label === undefined ? {} : { "aria-label": label })}
        {...(placeholder === undefined ? {} : { placeholder })}
        {...(describedBy === undefined ? {} : { "aria-describedby": describedBy })}
        onFocus={() => (open.value = true)}
        onBlur={() => (open.value = false)}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
          open.value = true
        }}
        onKeyDown={(event) => {
          const count = items.length
          if (event.key === "ArrowDown" && count > 0) at.value = (at.value + 1) % count
          else if (event.key === "ArrowUp" && count > 0) at.value = (at.value + count - 1) % count
          else if (event.key === "Escape" && open.value) {
            open.value = false
            event.stopPropagation()
          } else if (event.key === "Enter") {
            // Enter would submit the form.
            if (count > 0) choose(items[at.value]!)
          } else return
          event.preventDefault()
        }}
      />
      {items.length > 0 ? (
        <ul class="finder-list" role="listbox" id={`${id}-list`} aria-label={t().found}>
          {items.map((item, index) => (
            <li
              key={item.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at.value}
              onMouseDown={(event) => {
                event.preventDefault()
                choose(item)
              }}
            >
              {item.label} {item.detail === undefined ? null : <small>{item.detail()}</small>}
            </li>
          ))}
        </ul>
      ) : null}
      <small role="status">
        {open.value && text.value !== "" && found.value?.text === text.value && items.length === 0 ? t().nothing : ""}
      </small>
    </span>
  )
}
