import { words } from "../../../lib/Language.ts"
import { kind } from "../Kind.ts"
import { common, domainField, domainFilter, nameField, numberFilter } from "./Common.ts"

const t = words({
  en: {
    title: "Ring groups",
    add: "Add a ring group",
    none: "No ring group yet. A ring group lets several phones ring for one number.",
    numberHint: "At which it is dialled; empty: numbers and menus lead to it.",
    strategy: "Strategy",
    strategies: {
      simultaneous: "all together",
      sequence: "one after another",
      random: "one after another, in any order"
    },
    timeout: "Ring time in seconds",
    time: "Ring time",
    members: "Members",
    member: "Add a member",
    membersHint: "Numbers of extensions of the same SIP domain, in the order in which they ring."
  },
  de: {
    title: "Rufgruppen",
    add: "Rufgruppe hinzufügen",
    none: "Noch keine Rufgruppe. In einer Rufgruppe klingeln mehrere Telefone für eine Nummer.",
    numberHint: "Unter der sie gewählt wird; leer: Rufnummern und Menüs führen zu ihr.",
    strategy: "Reihenfolge",
    strategies: {
      simultaneous: "alle zugleich",
      sequence: "nacheinander",
      random: "nacheinander, in zufälliger Folge"
    },
    timeout: "Klingelzeit in Sekunden",
    time: "Klingelzeit",
    members: "Mitglieder",
    member: "Mitglied hinzufügen",
    membersHint: "Nummern von Nebenstellen derselben SIP-Domain, in der Folge, in der sie klingeln."
  }
})

export const ringGroups = kind("/api/v1/sip/ring-groups", {
  title: () => t().title,
  add: () => t().add,
  none: () => t().none,
  called: ({ name }) => name,
  manage: "sip.manage",
  remade: true,
  filters: [numberFilter, domainFilter],
  fields: [
    nameField,
    {
      name: "number",
      label: () => common().number,
      hint: () => t().numberHint,
      input: { kind: "text" },
      nullable: true
    },
    domainField,
    {
      name: "strategy",
      label: () => t().strategy,
      input: {
        kind: "choice",
        options: (["simultaneous", "sequence", "random"] as const).map((one) => [one, () => t().strategies[one]])
      }
    },
    {
      name: "ring_timeout",
      label: () => t().timeout,
      input: { kind: "number", min: 1, max: 600 },
      required: true,
      initial: "20"
    },
    {
      name: "extensions",
      label: () => t().members,
      hint: () => t().membersHint,
      input: { kind: "list", add: () => t().member, ordered: true, offers: "extension" },
      initial: [""]
    }
  ],
  columns: [
    { title: () => common().name, show: ({ name }) => <strong>{name}</strong> },
    { title: () => common().number, show: ({ number }) => number ?? "–" },
    { title: () => common().domain, show: ({ domain }) => domain },
    { title: () => t().strategy, show: ({ strategy }) => t().strategies[strategy] },
    { title: () => t().time, show: ({ ring_timeout }) => common().seconds(ring_timeout) },
    { title: () => t().members, show: ({ extensions }) => extensions.join(", ") }
  ]
})
