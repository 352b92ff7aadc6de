import { words } from "../../../lib/Language.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { kind } from "../Kind.ts"
import { common, enabledField, nameField } from "./Common.ts"
import { State } from "./Shown.tsx"

const t = words({
  en: {
    title: "Call filters",
    add: "Add a call filter",
    none:
      "No call filter: everybody gets through." +
      " A filter turns callers away by their number, or lets only certain ones through.",
    type: "What it does",
    blacklist: "turns these callers away",
    whitelist: "lets only these callers through",
    pattern: "Pattern of the caller's number",
    hint: "Digits and +; * for any text, ? for one character; or the word anonymous."
  },
  de: {
    title: "Anruffilter",
    add: "Anruffilter hinzufügen",
    none:
      "Kein Anruffilter: alle kommen durch." +
      " Ein Filter weist Anrufer nach ihrer Nummer ab oder lässt nur bestimmte durch.",
    type: "Wirkung",
    blacklist: "weist diese Anrufer ab",
    whitelist: "lässt nur diese Anrufer durch",
    pattern: "Muster der Anrufernummer",
    hint: "Ziffern und +; * für beliebigen Text, ? für ein Zeichen; oder das Wort anonymous."
  }
})

export const callFilters = kind("/api/v1/sip/call-filters", {
  title: () => t().title,
  add: () => t().add,
  none: () => t().none,
  called: ({ name }) => name,
  manage: "sip.manage",
  remade: true,
  fields: [
    nameField,
    {
      name: "type",
      label: () => t().type,
      input: {
        kind: "choice",
        options: [
          ["blacklist", () => t().blacklist],
          ["whitelist", () => t().whitelist]
        ]
      }
    },
    { name: "pattern", label: () => t().pattern, hint: () => t().hint, input: { kind: "text" }, required: true },
    enabledField
  ],
  columns: [
    { title: () => common().name, show: ({ name }) => <strong>{name}</strong> },
    {
      title: () => t().type,
      show: ({ type }) => <Badge tone={type === "blacklist" ? "error" : "success"}>{t()[type]}</Badge>
    },
    { title: () => t().pattern, show: ({ pattern }) => <code>{pattern}</code> },
    { title: () => common().state, show: ({ enabled }) => <State enabled={enabled} /> }
  ]
})
