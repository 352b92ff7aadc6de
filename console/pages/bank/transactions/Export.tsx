import { address } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useDoing } from "../../../lib/Doing.ts"
import { save } from "../../mail/Download.ts"
import { ownTenant } from "../Accounts.ts"
import { told } from "../Refusals.ts"
import { queryOf } from "./TransactionFilters.tsx"

const t = words({ en: { csv: "As CSV", name: "transactions" }, de: { csv: "Als CSV", name: "umsaetze" } })

/** Download of the filtered transactions. */
export const Export = ({ filter }: { readonly filter: Readonly<Record<string, string>> }) => {
  const doing = useDoing()
  return (
    <>
      <span role="alert" class="field-error">
        {doing.problem.value === undefined ? "" : told(doing.problem.value)}
      </span>
      <button
        type="button"
        disabled={doing.busy.value}
        onClick={() =>
          void doing.run(() =>
            save(
              address("GET /api/v1/crm/ebics/transactions/export", {}, { ...ownTenant(), ...queryOf(filter) }),
              `${t().name}.csv`
            )
          )
        }
      >
        {t().csv}
      </button>
    </>
  )
}
