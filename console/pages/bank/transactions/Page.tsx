import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { useFilterable } from "../../../parts/Filterable.ts"
import { useFilters } from "../../../parts/Address.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { accountName, ownTenant, useAccounts } from "../Accounts.ts"
import { BankPage } from "../BankPage.tsx"
import type { Transaction } from "../Shapes.ts"
import { BatchButton, BatchProgress, useBatch } from "./BatchRun.tsx"
import { useDesk } from "./Desk.ts"
import { Detail } from "./Detail.tsx"
import { Export } from "./Export.tsx"
import { KeyHelp } from "./KeyHelp.tsx"
import { commandOf, type Focus, moved } from "./Keys.ts"
import { Rows } from "./Rows.tsx"
import { SaidLine } from "./SaidLine.tsx"
import { filterDefaults, queryOf, TransactionFilters } from "./TransactionFilters.tsx"
import "./transactions.css"

const t = words({
  en: {
    none: "No transaction yet. Transactions come with the statements of the bank.",
    noneSo: "No transaction matches the filters.",
    choose: "Choose a transaction, or press j."
  },
  de: {
    none: "Noch kein Umsatz. Umsätze kommen mit den Auszügen der Bank.",
    noneSo: "Kein Umsatz passt zu den Filtern.",
    choose: "Wählen Sie einen Umsatz, oder drücken Sie j."
  }
})

/** Windows with room for the help of the keys. */
const wide = "(min-width: 70rem)"

/** Transactions per page. */
const pageSize = 50

/** Where the focus is, for the meaning of a key. `selected`: id of the selected transaction. */
const focusOf = (target: EventTarget | null, selected: string): Focus => {
  if (!(target instanceof HTMLElement)) return "page"
  if (target.isContentEditable || target.closest("dialog, select, textarea") !== null) return "typing"
  if (target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type)) return "typing"
  if (target.dataset["row"] === selected && selected !== "") return "row"
  return target.closest("button, a, summary, input, [role=button]") === null ? "page" : "control"
}

/** Transactions with their suggestions, decided by mouse or by single keys. */
export default () => {
  const filters = useFilters<string>(filterDefaults)
  const { id: selected = "", ...filter } = filters.value
  const keys = Object.values(filter)
  const trail = useTrail(keys)
  const before = trail.value.at(-1)
  const accounts = useAccounts()
  const help = useSignal(matchMedia(wide).matches)
  const batch = useBatch(() => list.reload())
  const rows = useRef<HTMLDivElement>(null)
  const list = useLoad(
    () =>
      call("GET /api/v1/crm/ebics/transactions", {
        query: { ...ownTenant(), limit: pageSize, before, ...queryOf(filter) }
      }),
    [...keys, before],
    { live: ["bank.*", "payment.*"] }
  )
  const items = list.value.value?.items ?? []
  const select = (id: string, focus = true) => {
    filters.set("id", id)
    if (!focus) return
    setTimeout(() => {
      const row = rows.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
      row?.focus({ preventScroll: true })
      row?.scrollIntoView({ block: "nearest" })
    })
  }
  const desk = useDesk({ selected, select, items, changed: list.reload })
  const decides = may("ebics.reconcile")
  const at = items.findIndex(({ id }) => id === selected)
  const go = (step: 1 | -1) => {
    const next = moved(at, step, items.length)
    if (next !== undefined) select(items[next]!.id)
  }
  const act = (event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return
    const command = commandOf(event, focusOf(event.target, selected))
    if (command === undefined || (!decides && ["accept", "split", "ignore", "undo"].includes(command))) return
    event.preventDefault()
    switch (command) {
      case "next":
        return go(1)
      case "previous":
        return go(-1)
      case "accept":
        return selected === "" || desk.mode !== "view" ? undefined : desk.accept(1)
      case "split":
      case "ignore":
        return selected === "" ? undefined : desk.show(command)
      case "undo":
        return desk.undo()
      case "search":
        return document.querySelector<HTMLElement>("input[name=q]")?.focus()
      case "help":
        help.value = !help.value
    }
  }
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const heard = (event: KeyboardEvent) => latest.current(event)
    document.addEventListener("keydown", heard)
    return () => document.removeEventListener("keydown", heard)
  }, [])
  const isFiltered = keys.some((one) => one !== "")
  const filterable = useFilterable(list, isFiltered || before !== undefined)
  return (
    <BankPage
      section="transactions"
      actions={
        <>
          {decides ? <BatchButton batch={batch} /> : null}
          <Export filter={filter} />
        </>
      }
    >
      <BatchProgress batch={batch} />
      <div class={selected === "" ? "" : "desk-tools"}>
        {filterable ? (
          <>
            <TransactionFilters filters={filters} accounts={accounts.value.value ?? []} />
            <KeyHelp decides={decides} open={help.value} toggle={(open) => (help.value = open)} />
          </>
        ) : null}
      </div>
      <SaidLine said={desk.said.value} undo={decides ? desk.undo : undefined} />
      <div class={selected === "" ? "bank-desk" : "bank-desk chosen"}>
        <div ref={rows} class="desk-list">
          <Loading of={list}>
            {({ next_before }) => (
              <>
                {items.length === 0 ? (
                  <p class="empty">{isFiltered ? t().noneSo : t().none}</p>
                ) : (
                  <Rows items={items} selected={selected} select={(id) => select(id, false)} />
                )}
                <Pager trail={trail} next={next_before} />
              </>
            )}
          </Loading>
        </div>
        <div class="desk-detail">
          {selected === "" ? (
            // Without a transaction there is nothing to choose.
            items.length === 0 ? null : (
              <p class="soft desk-hint">{t().choose}</p>
            )
          ) : (
            <Selected
              key={selected}
              id={selected}
              known={items[at]}
              name={(account) => accountName(accounts.value.value, account)}
            >
              {(transaction, account) => (
                <Detail
                  transaction={transaction}
                  account={account}
                  desk={desk}
                  decides={decides}
                  back={() => filters.set("id", "")}
                />
              )}
            </Selected>
          )}
        </div>
      </div>
    </BankPage>
  )
}

/** The selected transaction: from the list, or loaded when the list does not have it. */
const Selected = ({
  children,
  id,
  known,
  name
}: {
  readonly id: string
  readonly known: Transaction | undefined
  readonly name: (account: string | null) => string
  readonly children: (transaction: Transaction, account: string) => ComponentChildren
}) => {
  const loaded = useLoad<Transaction | undefined>(
    () =>
      known === undefined
        ? call("GET /api/v1/crm/ebics/transactions/:uuid", { params: { uuid: id } })
        : Promise.resolve(undefined),
    [id, known === undefined],
    { live: ["bank.*", "payment.*"] }
  )
  return known === undefined ? (
    <Loading of={loaded}>{(found) => (found === undefined ? null : children(found, name(found.account_id)))}</Loading>
  ) : (
    <>{children(known, name(known.account_id))}</>
  )
}
