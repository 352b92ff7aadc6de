import { useSignal } from "@preact/signals"
import { words } from "../../lib/Language.ts"
import { may, me } from "../../lib/Me.ts"
import { Page } from "../../parts/Page.tsx"
import { customersFor, customerWords } from "../telephony/kinds/Customers.tsx"
import { List } from "../telephony/List.tsx"
import { Import } from "./Import.tsx"

const t = words({ en: { take: "Import a CSV file" }, de: { take: "CSV-Datei importieren" } })

/** Customers: search, create, edit, and import from files. */
export default () => {
  const importing = useSignal(false)
  return (
    <Page
      title={customerWords().title}
      actions={
        may("customers.manage") && !importing.value ? (
          <button type="button" onClick={() => (importing.value = true)}>
            {t().take}
          </button>
        ) : undefined
      }
    >
      {importing.value ? <Import shut={() => (importing.value = false)} /> : null}
      <List of={customersFor(me.value?.tenant_id)} />
    </Page>
  )
}
