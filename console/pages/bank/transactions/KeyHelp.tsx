import { words } from "../../../lib/Language.ts"
import { type Command, commands } from "./Keys.ts"

const t = words({
  en: {
    title: "Keys",
    next: "next transaction",
    previous: "previous transaction",
    accept: "accept the first suggestion",
    split: "choose invoices and split",
    ignore: "ignore, with a reason",
    undo: "undo",
    search: "search",
    help: "show or hide the keys",
    note: "The keys work while no field has the focus.",
    or: "or"
  },
  de: {
    title: "Tasten",
    next: "nächster Umsatz",
    previous: "voriger Umsatz",
    accept: "ersten Vorschlag annehmen",
    split: "Rechnungen wählen und aufteilen",
    ignore: "ignorieren, mit Grund",
    undo: "rückgängig machen",
    search: "suchen",
    help: "Tasten zeigen oder verbergen",
    note: "Die Tasten wirken, solange kein Eingabefeld aktiv ist.",
    or: "oder"
  }
})

/** Keys that change something are shown to users who may change something. */
const deciding: ReadonlyArray<Command> = ["accept", "split", "ignore", "undo"]

/** Help of the keys, open or closed. */
export const KeyHelp = ({
  decides,
  open,
  toggle
}: {
  readonly decides: boolean
  readonly open: boolean
  readonly toggle: (open: boolean) => void
}) => (
  <details
    class="key-help"
    open={open}
    onToggle={({ currentTarget }) => currentTarget.open !== open && toggle(currentTarget.open)}
  >
    <summary>{t().title}</summary>
    <ul>
      {(Object.keys(commands) as Array<Command>)
        .filter((command) => decides || !deciding.includes(command))
        .map((command) => (
          <li key={command}>
            {commands[command].map((key, at) => (
              <span key={key}>
                {at === 0 ? "" : ` ${t().or} `}
                <kbd>{key}</kbd>
              </span>
            ))}{" "}
            {t()[command]}
          </li>
        ))}
    </ul>
    <p class="hint">{t().note}</p>
  </details>
)
