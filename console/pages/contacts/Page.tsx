import { useSignal } from "@preact/signals"
import { words } from "../../lib/Language.ts"
import { AccountPage } from "../mail/AccountPage.tsx"
import { List } from "../telephony/List.tsx"
import { contactsOf } from "./ContactKind.tsx"
import { VCards } from "./VCards.tsx"

const t = words({ en: { title: "Contacts" }, de: { title: "Kontakte" } })

/** Address book of a mail account: list with search, forms, and files of contacts. */
export default () => {
  /** Number of imports; the list is made anew after each. */
  const imports = useSignal(0)
  return (
    <AccountPage title={t().title} path="/console/contacts">
      {(account) => (
        <>
          <List key={`${account} ${imports.value}`} of={contactsOf(account)} />
          <VCards key={account} account={account} imported={() => imports.value++} />
        </>
      )}
    </AccountPage>
  )
}
