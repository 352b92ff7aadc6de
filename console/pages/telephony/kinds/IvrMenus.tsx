import { words } from "../../../lib/Language.ts"
import { kind } from "../Kind.ts"
import { common, domainField, domainFilter, nameField } from "./Common.ts"
import { LeadsTo, Rows } from "./Shown.tsx"

const t = words({
  en: {
    title: "Menus",
    add: "Add a menu",
    none: "No menu yet. A menu reads choices to callers and connects them by the key that they press.",
    greeting: "Greeting",
    greetingHint: "A sound file of the switch, such as ivr/welcome.wav",
    timeout: "Waits for a key, in seconds",
    failures: "Wrong keys until it hangs up",
    entries: "Keys",
    waits: "Waits"
  },
  de: {
    title: "Menüs",
    add: "Menü hinzufügen",
    none: "Noch kein Menü. Ein Menü liest Anrufern Möglichkeiten vor und verbindet sie nach der gedrückten Taste.",
    greeting: "Begrüßung",
    greetingHint: "Eine Klangdatei der Anlage, etwa ivr/welcome.wav",
    timeout: "Wartet auf eine Taste, in Sekunden",
    failures: "Falsche Tasten bis zum Auflegen",
    entries: "Tasten",
    waits: "Wartet"
  }
})

export const ivrMenus = kind("/api/v1/sip/ivr-menus", {
  title: () => t().title,
  add: () => t().add,
  none: () => t().none,
  called: ({ name }) => name,
  manage: "sip.manage",
  remade: true,
  filters: [domainFilter],
  fields: [
    nameField,
    domainField,
    {
      name: "greeting",
      label: () => t().greeting,
      hint: () => t().greetingHint,
      input: { kind: "text" },
      required: true
    },
    { name: "timeout", label: () => t().timeout, input: { kind: "number", min: 1, max: 60 }, initial: "5" },
    { name: "max_failures", label: () => t().failures, input: { kind: "number", min: 1, max: 10 }, initial: "3" },
    { name: "entries", label: () => t().entries, input: { kind: "entries" } }
  ],
  columns: [
    { title: () => common().name, show: ({ name }) => <strong>{name}</strong> },
    { title: () => common().domain, show: ({ domain }) => domain },
    { title: () => t().greeting, show: ({ greeting }) => <code>{greeting}</code> },
    { title: () => t().waits, show: ({ timeout }) => common().seconds(timeout) },
    {
      title: () => t().entries,
      show: ({ entries }) => (
        <Rows>
          {entries.map((entry) => (
            <>
              <strong>{entry.digits}</strong> <LeadsTo type={entry.destination_type} id={entry.destination_id} />
            </>
          ))}
        </Rows>
      )
    }
  ]
})
