import { words } from "../../lib/Language.ts"
import { CsvImport } from "../telephony/CsvImport.tsx"

const t = words({
  en: {
    title: "Import customers",
    hint: "UTF-8, at most 16 MiB. The first line names the columns: number and name, and optionally locale, email and phones. A customer with the same number is changed."
  },
  de: {
    title: "Kunden importieren",
    hint: "UTF-8, höchstens 16 MiB. Die erste Zeile nennt die Spalten: number, name, und von locale, email, phones die vorhandenen. Ein Kunde mit derselben Nummer wird geändert."
  }
})

/** Uploads a file of customers and shows the progress of its import. */
export const Import = ({ shut }: { readonly shut: () => void }) => (
  <CsvImport title={t().title} hint={t().hint} path="/api/v1/crm/customers/imports" shut={shut} />
)
