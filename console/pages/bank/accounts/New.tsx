import { useLocation } from "preact-iso"
import { words } from "../../../lib/Language.ts"
import { BankPage } from "../BankPage.tsx"
import { AccountForm } from "./AccountForm.tsx"

const t = words({ en: { title: "New bank account" }, de: { title: "Neues Bankkonto" } })

/** Form for a new account; then opens its page, which shows the next steps. */
export default () => {
  const { route } = useLocation()
  return (
    <BankPage section="accounts" title={t().title}>
      <AccountForm
        account={undefined}
        saved={({ id }) => route(`/console/bank/accounts/${id}`)}
        shut={() => route("/console/bank/accounts")}
      />
    </BankPage>
  )
}
