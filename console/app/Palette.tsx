import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { useEffect, useRef } from "preact/hooks"
import { words } from "../lib/Language.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { Icon } from "../parts/Icon.tsx"
import { type Destination, destinations, matching } from "./Destinations.ts"
import { search, shortest } from "./Search.ts"
import "./palette.css"

const t = words({
  en: {
    title: "Search and go to",
    label: "Page, alarm, customer, domain, invoice",
    list: "Results",
    nothing: "Nothing found.",
    searching: "Searching …",
    count: (count: number) => (count === 1 ? "1 result" : `${count} results`)
  },
  de: {
    title: "Suchen und öffnen",
    label: "Seite, Alarm, Kunde, Domain, Rechnung",
    list: "Treffer",
    nothing: "Nichts gefunden.",
    searching: "Suche läuft …",
    count: (count: number) => (count === 1 ? "1 Treffer" : `${count} Treffer`)
  }
})

/** Delay after the last key press. Unit: milliseconds. Reason: one request per word instead of one per letter. */
const pause = 200

/** Command palette: finds pages at once, and objects by the daemons' lists. Works by arrow keys and Enter. */
export const Palette = ({ close }: { readonly close: () => void }) => {
  const { route } = useLocation()
  const text = useSignal("")
  const at = useSignal(0)
  const found = useSignal<{ readonly text: string; readonly items: ReadonlyArray<Destination> } | undefined>(undefined)
  const list = useRef<HTMLUListElement>(null)
  const sought = text.value.trim()
  useEffect(() => {
    at.value = 0
    if (sought.length < shortest) return
    let stays = true
    const timer = setTimeout(() => {
      void search(sought).then((items) => stays && (found.value = { text: sought, items }))
    }, pause)
    return () => {
      stays = false
      clearTimeout(timer)
    }
  }, [sought])
  // Results of an earlier text must not be opened by Enter.
  const objects = found.value?.text === sought ? found.value.items : []
  const isSearching = sought.length >= shortest && found.value?.text !== sought
  const items = [...matching(destinations(), sought), ...objects]
  const index = Math.min(at.value, items.length - 1)
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" })
  }, [index, items.length])
  const open = ({ href }: Destination) => {
    close()
    route(href)
  }
  return (
    <Dialog title={t().title} close={close}>
      <input
        class="palette-input"
        type="text"
        role="combobox"
        autofocus
        aria-label={t().label}
        placeholder={t().label}
        autocomplete="off"
        spellcheck={false}
        aria-autocomplete="list"
        aria-expanded={items.length > 0}
        aria-controls="palette-list"
        aria-activedescendant={index >= 0 ? `palette-${index}` : undefined}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        onKeyDown={(event) => {
          const count = items.length
          if (event.key === "ArrowDown" && count > 0) at.value = (index + 1) % count
          else if (event.key === "ArrowUp" && count > 0) at.value = (index + count - 1) % count
          else if (event.key === "Enter" && count > 0) open(items[index]!)
          else return
          event.preventDefault()
        }}
      />
      <ul ref={list} class="palette-list" id="palette-list" role="listbox" aria-label={t().list}>
        {items.map((item, place) => (
          <li
            key={item.href}
            id={`palette-${place}`}
            role="option"
            aria-selected={place === index}
            onMouseDown={(event) => {
              event.preventDefault()
              open(item)
            }}
          >
            <Icon name={item.icon} />
            <span>{item.title}</span>
            <small>{item.group}</small>
          </li>
        ))}
      </ul>
      <p class="soft" role="status">
        {isSearching ? t().searching : items.length === 0 ? t().nothing : t().count(items.length)}
      </p>
    </Dialog>
  )
}
