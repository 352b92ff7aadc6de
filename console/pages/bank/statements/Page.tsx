import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { useFilterable } from "../../../parts/Filterable.ts"
import { useFilters } from "../../../parts/Address.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { accountLabel, accountName, ownTenant, useAccounts } from "../Accounts.ts"
import { ibanText } from "../Amounts.ts"
import { BankPage, sectionTitle } from "../BankPage.tsx"
import { FilterDay, FilterSelect } from "../../../parts/FilterSelect.tsx"
import { RowTable } from "../../../parts/RowTable.tsx"
import { Money } from "../Money.tsx"
import type { Account, Statement } from "../Shapes.ts"
import { findingText } from "./FindingWords.ts"
import { Import } from "./Import.tsx"
import { daysOf, kindTitle, numberOf, statementKinds, statementStates, stateTitle } from "./StatementWords.ts"

const t = words({
  en: {
    import: "Import statements",
    files: "Files",
    account: "Account",
    kind: "Kind",
    state: "State",
    from: "From",
    to: "To",
    findings: "Only with findings",
    days: "Days",
    count: "Transactions",
    closing: "Closing balance",
    none: "No statement yet. Statements come from the bank, or by import.",
    noneSo: "No statement matches the filters."
  },
  de: {
    import: "Auszüge importieren",
    files: "Dateien",
    account: "Konto",
    kind: "Art",
    state: "Zustand",
    from: "Von",
    to: "Bis",
    findings: "Nur mit Auffälligkeiten",
    days: "Tage",
    count: "Umsätze",
    closing: "Endstand",
    none: "Noch kein Auszug. Auszüge kommen von der Bank oder durch Import.",
    noneSo: "Kein Auszug passt zu den Filtern."
  }
})

/** Statements per page. */
const pageSize = 50

/** List of statements with their findings, and the import of files. */
export default () => {
  const filters = useFilters<string>({
    account: "",
    kind: "",
    state: "current",
    from: "",
    to: "",
    findings: "",
    file: "",
    import: ""
  })
  const { account = "", file = "", findings = "", from = "", kind = "", state = "", to = "" } = filters.value
  const importing = useSignal(filters.value["import"] === "open")
  const keys = [account, file, findings, from, kind, state, to]
  const trail = useTrail(keys)
  const before = trail.value.at(-1)
  const accounts = useAccounts()
  const list = useLoad(
    () =>
      call("GET /api/v1/crm/ebics/statements", {
        query: {
          ...ownTenant(),
          limit: pageSize,
          before,
          account,
          file,
          from,
          to,
          kind: kind as Statement["kind"],
          state: state as Statement["state"],
          findings: findings as "true"
        }
      }),
    [...keys, before],
    { live: ["bank.statement.*"] }
  )
  const isFiltered = [account, file, findings, from, kind, to].some((one) => one !== "")
  const filterable = useFilterable(list, isFiltered || state !== "current" || before !== undefined, () =>
    call("GET /api/v1/crm/ebics/statements", { query: { ...ownTenant(), limit: 1 } })
  )
  return (
    <BankPage
      section="statements"
      actions={
        <>
          {may("ebics.manage") && !importing.value ? (
            <button type="button" class="primary" onClick={() => (importing.value = true)}>
              {t().import}
            </button>
          ) : null}
          <a class="button" href="/console/bank/statements/files">
            {t().files}
          </a>
        </>
      }
    >
      {importing.value ? (
        <Import
          accounts={accounts.value.value ?? []}
          account={account}
          shut={() => (importing.value = false)}
          imported={list.reload}
        />
      ) : null}
      {filterable ? (
        <div class="filters">
          <FilterSelect
            name="account"
            label={t().account}
            value={account}
            set={(value) => filters.set("account", value)}
            options={(accounts.value.value ?? []).map((one) => [one.id, accountLabel(one)])}
          />
          <FilterSelect
            name="kind"
            label={t().kind}
            value={kind}
            set={(value) => filters.set("kind", value)}
            options={statementKinds.map((one) => [one, kindTitle(one)])}
          />
          <FilterSelect
            name="state"
            label={t().state}
            value={state}
            set={(value) => filters.set("state", value)}
            options={statementStates.map((one) => [one, stateTitle(one)])}
          />
          <FilterDay name="from" label={t().from} value={from} set={(value) => filters.set("from", value)} />
          <FilterDay name="to" label={t().to} value={to} set={(value) => filters.set("to", value)} />
          <label class="check">
            <input
              type="checkbox"
              name="findings"
              checked={findings === "true"}
              onChange={({ currentTarget }) => filters.set("findings", currentTarget.checked ? "true" : "")}
            />
            {t().findings}
          </label>
        </div>
      ) : null}
      <Loading of={list}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{isFiltered ? t().noneSo : t().none}</p>
            ) : (
              <Table statements={items} accounts={accounts.value.value} />
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </BankPage>
  )
}

const Table = ({
  accounts,
  statements
}: {
  readonly statements: ReadonlyArray<Statement>
  readonly accounts: ReadonlyArray<Account> | undefined
}) => (
  <RowTable
    class="bank-table"
    label={sectionTitle("statements")}
    rows={statements}
    keyOf={({ id }) => id}
    columns={[
      {
        title: t().days,
        show: (statement) => (
          <>
            <a href={`/console/bank/statements/${statement.id}`}>{daysOf(statement)}</a>
            <small>{numberOf(statement)}</small>
            <ul class="bank-findings">
              {statement.findings.map((finding, at) => (
                <li key={at}>{findingText(finding)}</li>
              ))}
            </ul>
          </>
        )
      },
      {
        title: t().account,
        show: ({ account_id, iban }) => (
          <>
            {accountName(accounts, account_id)}
            <small>{iban === null ? "" : ibanText(iban)}</small>
          </>
        )
      },
      {
        title: t().kind,
        show: ({ kind, state }) => (
          <>
            <Badge tone={state === "replaced" ? "quiet" : "info"}>{kindTitle(kind)}</Badge>
            {state === "replaced" ? <small>{stateTitle("replaced")}</small> : null}
          </>
        )
      },
      { title: t().count, numeric: true, show: ({ transactions }) => transactions },
      {
        title: t().closing,
        numeric: true,
        show: ({ closing, currency }) =>
          closing === null || currency === null ? "–" : <Money amount={closing} currency={currency} />
      }
    ]}
  />
)
