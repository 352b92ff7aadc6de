import { words } from "../../lib/Language.ts"
import { AccountPage } from "../mail/AccountPage.tsx"
import { List } from "../telephony/List.tsx"
import { Match } from "./Match.tsx"
import { signaturesOf } from "./SignatureKind.tsx"

const t = words({ en: { title: "Signatures" }, de: { title: "Signaturen" } })

/** Signatures of a mail account, and which one a recipient gets. */
export default () => (
  <AccountPage title={t().title} path="/console/signatures">
    {(account) => (
      <>
        <List key={account} of={signaturesOf(account)} />
        <Match key={`match ${account}`} account={account} />
      </>
    )}
  </AccountPage>
)
