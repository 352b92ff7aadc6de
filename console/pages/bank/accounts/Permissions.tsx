import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { may } from "../../../lib/Me.ts"
import { useDoing } from "../../../lib/Doing.ts"
import { ibanText } from "../Amounts.ts"
import { Refused } from "../Refusals.ts"
import type { Account } from "../Shapes.ts"
import { At } from "../../../parts/When.tsx"

const t = words({
  en: {
    title: "What the bank permits",
    ask: "Ask the bank",
    asking: "The bank is asked …",
    none: "The bank was not asked yet.",
    orders: "Order types",
    services: "Services",
    accounts: "Accounts",
    asked: "Asked",
    no: "none"
  },
  de: {
    title: "Was die Bank erlaubt",
    ask: "Bank fragen",
    asking: "Die Bank wird gefragt …",
    none: "Die Bank wurde noch nicht gefragt.",
    orders: "Auftragsarten",
    services: "Dienste",
    accounts: "Konten",
    asked: "Gefragt",
    no: "keine"
  }
})

/** Order types and accounts that the bank permits to the user. */
export const Permissions = ({
  account: { id, permitted },
  canAsk,
  changed
}: {
  readonly account: Account
  readonly canAsk: boolean
  readonly changed: () => void
}) => {
  const doing = useDoing()
  if (permitted === null && !canAsk) return null
  return (
    <details class="card">
      <summary>
        <h2>{t().title}</h2>
      </summary>
      {permitted === null ? (
        <p class="soft">{t().none}</p>
      ) : (
        <dl class="facts">
          <dt>{t().orders}</dt>
          <dd>{permitted.order_types.length === 0 ? t().no : permitted.order_types.join(", ")}</dd>
          {permitted.services.length === 0 ? null : (
            <>
              <dt>{t().services}</dt>
              <dd>
                {permitted.services
                  .map(({ message, name, scope }) =>
                    [name, scope, message].filter((one) => one !== undefined).join(" ")
                  )
                  .join(", ")}
              </dd>
            </>
          )}
          <dt>{t().accounts}</dt>
          <dd>
            {permitted.accounts.length === 0
              ? t().no
              : permitted.accounts
                  .map(({ holder, iban }) => [iban === null ? "–" : ibanText(iban), holder ?? ""].join(" ").trim())
                  .join(", ")}
          </dd>
          <dt>{t().asked}</dt>
          <dd>
            <At at={permitted.fetched_at} />
          </dd>
        </dl>
      )}
      <Refused problem={doing.problem.value} />
      {canAsk && may("ebics.manage") ? (
        <div class="page-actions">
          <button
            type="button"
            disabled={doing.busy.value}
            onClick={() =>
              void doing
                .run(() => call("POST /api/v1/crm/ebics/accounts/:uuid/permissions", { params: { uuid: id } }))
                .then((done) => done && changed())
            }
          >
            {doing.busy.value ? t().asking : t().ask}
          </button>
        </div>
      ) : null}
    </details>
  )
}
