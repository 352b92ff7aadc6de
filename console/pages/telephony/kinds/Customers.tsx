import { words } from "../../../lib/Language.ts"
import { kind } from "../Kind.ts"
import { common } from "./Common.ts"
import { Rows } from "./Shown.tsx"

const t = words({
  en: {
    title: "Customers",
    add: "Add a customer",
    none: "No customer yet. A customer has a name, a number and telephones. Calls then show who is calling.",
    number: "Customer number",
    locale: "Language",
    localeHint: "In which they are announced: de, en-GB",
    email: "E-mail address",
    phones: "Telephone numbers",
    phone: "Add a number",
    phonesHint: "As people write them: +49 30 1234567 or 030 1234567",
    search: "Name, customer number or telephone number"
  },
  de: {
    title: "Kunden",
    add: "Kunden hinzufügen",
    none: "Noch kein Kunde. Ein Kunde hat einen Namen, eine Nummer und Telefone. Anrufe zeigen dann, wer anruft.",
    number: "Kundennummer",
    locale: "Sprache",
    localeHint: "In der sie angesagt werden: de, en-GB",
    email: "E-Mail-Adresse",
    phones: "Telefonnummern",
    phone: "Nummer hinzufügen",
    phonesHint: "Wie man sie schreibt: +49 30 1234567 oder 030 1234567",
    search: "Name, Kunden- oder Telefonnummer"
  }
})

export const customerWords = t

/** URL of a customer's page; the dialog of an incoming call links to the same page. */
export const customerHref = (number: string, tenant?: number): string =>
  `/console/customers/${encodeURIComponent(number)}${tenant === undefined ? "" : `?tenant=${tenant}`}`

/** `own`: tenant of the user. The URL of a customer of another tenant names that tenant. */
export const customersFor = (own: number | undefined) =>
  kind("/api/v1/crm/customers", {
    title: () => t().title,
    add: () => t().add,
    none: () => t().none,
    called: ({ name }) => name,
    manage: "customers.manage",
    live: ["customer.*"],
    filters: [{ name: "q", label: () => t().search, wide: true }],
    fields: [
      { name: "number", label: () => t().number, input: { kind: "text" }, required: true },
      { name: "name", label: () => common().name, input: { kind: "text" }, required: true },
      {
        name: "phones",
        label: () => t().phones,
        hint: () => t().phonesHint,
        input: { kind: "list", add: () => t().phone, ordered: false },
        initial: [""]
      },
      { name: "email", label: () => t().email, input: { kind: "text", type: "email" }, nullable: true },
      { name: "locale", label: () => t().locale, hint: () => t().localeHint, input: { kind: "text" }, initial: "de" }
    ],
    columns: [
      {
        title: () => t().number,
        show: ({ number, tenant_id }) => (
          <a href={customerHref(number, tenant_id === own ? undefined : tenant_id)}>{number}</a>
        )
      },
      { title: () => common().name, show: ({ name }) => <strong>{name}</strong> },
      { title: () => t().phones, show: ({ phones }) => <Rows>{phones}</Rows> },
      { title: () => t().email, show: ({ email }) => email ?? "–" },
      { title: () => t().locale, show: ({ locale }) => locale }
    ]
  })
