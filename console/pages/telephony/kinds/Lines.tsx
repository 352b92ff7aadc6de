import { words } from "../../../lib/Language.ts"
import { kind } from "../Kind.ts"
import { NameOf } from "../NameOf.tsx"
import { thingTitle } from "../Things.ts"

const t = words({
  en: {
    title: "Lines",
    add: "Add a line",
    none:
      "No line yet: nobody calls out." +
      " A line decides which number callers from here show, and which trunk they use.",
    did: "Number shown",
    trunks: "the trunk's",
    priority: "Priority",
    hint: "The lowest is tried first.",
    line: (id: number) => `line ${id}`
  },
  de: {
    title: "Leitungen",
    add: "Leitung hinzufügen",
    none:
      "Noch keine Leitung: niemand telefoniert nach außen." +
      " Eine Leitung bestimmt, welche Nummer Anrufe von hier zeigen und welchen Anschluss sie nutzen.",
    did: "Gezeigte Nummer",
    trunks: "die des Anschlusses",
    priority: "Rang",
    hint: "Der niedrigste wird zuerst versucht.",
    line: (id: number) => `Leitung ${id}`
  }
})

export const lines = kind("/api/v1/sip/lines", {
  title: () => t().title,
  add: () => t().add,
  none: () => t().none,
  called: ({ id }) => t().line(id),
  manage: "sip.manage",
  fields: [
    {
      name: "extension_id",
      label: () => thingTitle("extension"),
      input: { kind: "thing", of: "extension" },
      required: true
    },
    { name: "trunk_id", label: () => thingTitle("trunk"), input: { kind: "thing", of: "trunk" }, required: true },
    {
      name: "did_id",
      label: () => t().did,
      input: { kind: "thing", of: "did", none: () => t().trunks },
      nullable: true
    },
    {
      name: "priority",
      label: () => t().priority,
      hint: () => t().hint,
      input: { kind: "number", min: 0, max: 10_000 },
      initial: "100"
    }
  ],
  columns: [
    { title: () => thingTitle("extension"), show: ({ extension_id }) => <NameOf of="extension" id={extension_id} /> },
    { title: () => thingTitle("trunk"), show: ({ trunk_id }) => <NameOf of="trunk" id={trunk_id} /> },
    { title: () => t().did, show: ({ did_id }) => (did_id === null ? t().trunks : <NameOf of="did" id={did_id} />) },
    { title: () => t().priority, show: ({ priority }) => String(priority) }
  ]
})
