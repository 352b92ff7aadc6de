import { call } from "../../../lib/Call.ts"
import { bytes } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { useFilters } from "../../../parts/Address.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { useFilterable } from "../../../parts/Filterable.ts"
import { save } from "../../mail/Download.ts"
import { accountLabel, accountName, ownTenant, useAccounts } from "../Accounts.ts"
import { BankPage } from "../BankPage.tsx"
import { FilterSelect } from "../../../parts/FilterSelect.tsx"
import { RowTable } from "../../../parts/RowTable.tsx"
import { Refused } from "../Refusals.ts"
import type { BankFile } from "../Shapes.ts"
import { FileOutcome, fileStates, fileStateTitle } from "./FileOutcome.tsx"
import { At } from "../../../parts/When.tsx"

const t = words({
  en: {
    title: "Files from banks",
    back: "All statements",
    account: "Account",
    state: "State",
    source: "Source",
    ebics: "fetched",
    import: "imported by hand",
    file: "File",
    received: "Received",
    outcome: "Result",
    download: "Download",
    again: "Read again",
    none: "No file yet. Every file that the bank delivers or that you import is kept here as it came.",
    noneSo: "No file matches the filters.",
    of: (what: string, name: string) => `${what}: ${name}`
  },
  de: {
    title: "Dateien der Banken",
    back: "Alle Auszüge",
    account: "Konto",
    state: "Zustand",
    source: "Herkunft",
    ebics: "abgerufen",
    import: "von Hand importiert",
    file: "Datei",
    received: "Erhalten",
    outcome: "Ergebnis",
    download: "Herunterladen",
    again: "Noch einmal lesen",
    none: "Noch keine Datei. Jede Datei, die die Bank liefert oder die Sie importieren, bleibt hier im Original erhalten.",
    noneSo: "Keine Datei passt zu den Filtern.",
    of: (what: string, name: string) => `${what}: ${name}`
  }
})

/** Files per page. */
const pageSize = 50

/** Files as they came, with those that could not be read. */
export default () => {
  const filters = useFilters<string>({ account: "", source: "", state: "" })
  const { account = "", source = "", state = "" } = filters.value
  const trail = useTrail([account, source, state])
  const before = trail.value.at(-1)
  const accounts = useAccounts()
  const doing = useDoing()
  const files = useLoad(
    () =>
      call("GET /api/v1/crm/ebics/files", {
        query: {
          ...ownTenant(),
          limit: pageSize,
          before,
          account,
          source: source as BankFile["source"],
          state: state as BankFile["state"]
        }
      }),
    [account, source, state, before],
    { live: ["bank.*"] }
  )
  const filterable = useFilterable(files, account !== "" || source !== "" || state !== "" || before !== undefined)
  return (
    <BankPage
      section="statements"
      title={t().title}
      actions={
        <a class="button" href="/console/bank/statements">
          {t().back}
        </a>
      }
    >
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
            name="source"
            label={t().source}
            value={source}
            set={(value) => filters.set("source", value)}
            options={(["ebics", "import"] as const).map((one) => [one, t()[one]])}
          />
          <FilterSelect
            name="state"
            label={t().state}
            value={state}
            set={(value) => filters.set("state", value)}
            options={fileStates.map((one) => [one, fileStateTitle(one)])}
          />
        </div>
      ) : null}
      <Refused problem={doing.problem.value} />
      <Loading of={files}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{account === "" && source === "" && state === "" ? t().none : t().noneSo}</p>
            ) : (
              <RowTable
                class="bank-table"
                label={t().title}
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: t().file,
                    show: ({ name, order_type, size }) => (
                      <>
                        <span class="bank-file">{name}</span>
                        <small>
                          {bytes(size)}
                          {order_type === null ? "" : `, ${order_type}`}
                        </small>
                      </>
                    )
                  },
                  {
                    title: t().account,
                    show: ({ account_id }) =>
                      account_id === null ? "–" : accountName(accounts.value.value, account_id)
                  },
                  {
                    title: t().received,
                    show: ({ received_at, source }) => (
                      <>
                        <At at={received_at} />
                        <small>{t()[source]}</small>
                      </>
                    )
                  },
                  { title: t().outcome, show: (file) => <FileOutcome file={file} /> }
                ]}
                actions={(file) => (
                  <div class="page-actions">
                    {file.state === "removed" ? null : (
                      <button
                        type="button"
                        class="small"
                        aria-label={t().of(t().download, file.name)}
                        onClick={() => void doing.run(() => save(`/api/v1/crm/ebics/files/${file.id}/raw`, file.name))}
                      >
                        {t().download}
                      </button>
                    )}
                    {file.state === "failed" && may("ebics.manage") ? (
                      <button
                        type="button"
                        class="small"
                        aria-label={t().of(t().again, file.name)}
                        disabled={doing.busy.value}
                        onClick={() =>
                          void doing
                            .run(() => call("POST /api/v1/crm/ebics/files/:uuid/parse", { params: { uuid: file.id } }))
                            .then((done) => done && files.reload())
                        }
                      >
                        {t().again}
                      </button>
                    ) : null}
                  </div>
                )}
              />
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </BankPage>
  )
}
