import { words } from "../../../lib/Language.ts"
import { kind } from "../Kind.ts"
import { common, nameField, numberFilter } from "./Common.ts"

const t = words({
  en: {
    title: "External numbers",
    add: "Add an external number",
    none:
      "No external number yet." +
      " It stands for a number in the telephone network, so that calls can be forwarded there.",
    hint: "A number outside that calls may be sent on to: +49 170 1234567"
  },
  de: {
    title: "Externe Nummern",
    add: "Externe Nummer hinzufügen",
    none:
      "Noch keine externe Nummer." +
      " Sie steht für eine Nummer im Telefonnetz, damit Anrufe dorthin weitergeleitet werden können.",
    hint: "Eine Nummer außerhalb, an die Anrufe weitergehen dürfen: +49 170 1234567"
  }
})

export const externalNumbers = kind("/api/v1/sip/external-numbers", {
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
    nameField
  ],
  columns: [
    { title: () => common().number, show: ({ number }) => <strong>{number}</strong> },
    { title: () => common().name, show: ({ name }) => name }
  ]
})
