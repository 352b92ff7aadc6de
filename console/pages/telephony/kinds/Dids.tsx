import { words } from "../../../lib/Language.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { kind } from "../Kind.ts"
import { NameOf } from "../NameOf.tsx"
import { common, nameField, numberFilter } from "./Common.ts"
import { LeadsTo } from "./Shown.tsx"

const t = words({
  en: {
    title: "Numbers",
    add: "Add a number",
    none: "No number yet. A number from the telephone network leads to an extension, a group or a menu.",
    hint: "As people write it: +49 30 1234567 or 030 1234567",
    trunk: "Comes in by",
    assigned: "in use",
    pending: "waits for the provider"
  },
  de: {
    title: "Rufnummern",
    add: "Rufnummer hinzufügen",
    none:
      "Noch keine Rufnummer." +
      " Eine Rufnummer aus dem Telefonnetz führt zu einer Nebenstelle, einer Gruppe oder einem Menü.",
    hint: "Wie man sie schreibt: +49 30 1234567 oder 030 1234567",
    trunk: "Kommt über",
    assigned: "in Betrieb",
    pending: "wartet auf den Betreiber"
  }
})

export const dids = kind("/api/v1/sip/dids", {
  title: () => t().title,
  add: () => t().add,
  none: () => t().none,
  called: ({ number }) => number,
  manage: "sip.manage",
  filters: [numberFilter],
  fields: [
    {
      name: "number",
      label: () => common().number,
      hint: () => t().hint,
      input: { kind: "text", type: "tel" },
      required: true
    },
    nameField,
    {
      name: "trunk_id",
      label: () => t().trunk,
      input: { kind: "thing", of: "trunk", none: () => common().any },
      nullable: true
    },
    { name: "destination", label: () => common().destination, input: { kind: "destination" }, required: true }
  ],
  columns: [
    { title: () => common().number, show: ({ number }) => <strong>{number}</strong> },
    { title: () => common().name, show: ({ name }) => name },
    {
      title: () => common().destination,
      show: ({ destination_id, destination_type }) => <LeadsTo type={destination_type} id={destination_id} />
    },
    {
      title: () => t().trunk,
      show: ({ trunk_id }) => (trunk_id === null ? common().any : <NameOf of="trunk" id={trunk_id} />)
    },
    {
      title: () => common().state,
      show: ({ state }) => <Badge tone={state === "assigned" ? "success" : "warning"}>{t()[state]}</Badge>
    }
  ]
})
