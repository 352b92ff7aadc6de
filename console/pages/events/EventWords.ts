import { words } from "../../lib/Language.ts"

const t = words({
  en: {
    title: "Events",
    chart: "Events over time",
    list: "Event log",
    pattern: "Type or pattern",
    patternHint: "such as order.created, order.* or *",
    time: "Time",
    custom: "From … to …",
    from: "From",
    to: "To",
    live: "Follow live",
    none: "No events.",
    rest: "others",
    tenant: "tenant",
    user: "user",
    operators: "operators",
    apply: "Show",
    invalid: "A type such as order.created, or a pattern such as order.*",
    id: "Number",
    at: "Written",
    audience: "For",
    data: "Data"
  },
  de: {
    title: "Ereignisse",
    chart: "Ereignisse über die Zeit",
    list: "Ereignisprotokoll",
    pattern: "Typ oder Muster",
    patternHint: "etwa order.created, order.* oder *",
    time: "Zeitraum",
    custom: "Von … bis …",
    from: "Von",
    to: "Bis",
    live: "Live verfolgen",
    none: "Keine Ereignisse.",
    rest: "weitere",
    tenant: "Mandant",
    user: "Benutzer",
    operators: "Betreiber",
    apply: "Anzeigen",
    invalid: "Ein Typ wie order.created oder ein Muster wie order.*",
    id: "Nummer",
    at: "Geschrieben",
    audience: "Für",
    data: "Daten"
  }
})

export const eventWords = t
