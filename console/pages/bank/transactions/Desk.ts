/** Work at the transactions: which one is selected, its suggestions, and decisions about it. */
import { type Signal, useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { call } from "../../../lib/Call.ts"
import { language } from "../../../lib/Language.ts"
import { type Loaded, useLoad } from "../../../lib/Load.ts"
import { type Doing, useDoing } from "../../../lib/Doing.ts"
import { isDecided } from "../StatusWords.tsx"
import type { Suggestions, Transaction } from "../Shapes.ts"
import { following } from "./Keys.ts"
import type { SplitRequest } from "./SplitForm.tsx"

/** What was done last, for the status line: the text follows the language. */
export type Said =
  | { readonly what: "matched"; readonly invoices: ReadonlyArray<string>; readonly partial: boolean }
  | { readonly what: "ignored" | "undone" | "loading" | "nothing" }

/** What the detail shows: suggestions or the decision, or one of the forms. */
export type Mode = "view" | "split" | "ignore"

export interface Desk {
  readonly suggestions: Loaded<Suggestions | undefined>
  /** Suggestions of the selected transaction; undefined while they load. */
  readonly current: Suggestions | undefined
  readonly mode: Mode
  /** Shows a form, or the view again. A decided transaction has no forms. */
  readonly show: (mode: Mode) => void
  readonly doing: Doing
  readonly said: Signal<Said | undefined>
  readonly accept: (position: number) => void
  readonly split: (request: SplitRequest) => void
  readonly ignore: (reason: string) => void
  /** Undoes the decision about the selected transaction, else the last one of this page. */
  readonly undo: () => void
}

interface Options {
  /** Id of the selected transaction; empty for none. */
  readonly selected: string
  readonly select: (id: string) => void
  readonly items: ReadonlyArray<Transaction>
  readonly changed: () => void
}

const path = "/api/v1/crm/ebics/transactions/:uuid"

export const useDesk = ({ changed, items, select, selected }: Options): Desk => {
  const shown = useSignal<{ readonly id: string; readonly mode: Mode }>({ id: "", mode: "view" })
  const said = useSignal<Said | undefined>(undefined)
  const last = useSignal<string | undefined>(undefined)
  const doing = useDoing()
  const lang = language.value
  const suggestions = useLoad<Suggestions | undefined>(
    () =>
      selected === ""
        ? Promise.resolve(undefined)
        : call(`GET ${path}/suggestions`, { params: { uuid: selected }, query: { lang } }),
    [selected, lang],
    { live: ["bank.*", "payment.*"] }
  )
  useEffect(() => {
    doing.problem.value = undefined
  }, [selected])
  // A reload keeps the answer about the transaction that was selected before.
  const found = suggestions.value.value
  const current = found?.transaction_id === selected ? found : undefined
  const isOpen = shown.value.id === selected && (current === undefined || current.decision === null)
  const show = (mode: Mode) => {
    doing.problem.value = undefined
    shown.value = { id: selected, mode }
  }

  const decide = (work: (uuid: string) => Promise<Said>) => {
    const uuid = selected
    if (uuid === "") return
    void doing
      .run(async () => {
        said.value = await work(uuid)
      })
      .then((done) => {
        changed()
        suggestions.reload()
        if (!done) return
        shown.value = { id: "", mode: "view" }
        last.value = uuid
        const at = items.findIndex(({ id }) => id === uuid)
        const next = following(
          at,
          items.map((one) => !isDecided(one.reconciliation_status))
        )
        if (at >= 0 && next !== undefined) select(items[next]!.id)
      })
  }
  const match = (payload: SplitRequest | { readonly suggestion: number }) =>
    decide(async (uuid) => {
      const answer = await call(`POST ${path}/reconcile`, {
        params: { uuid },
        query: { lang: language.peek() },
        payload
      })
      return {
        what: "matched",
        invoices: (answer.decision?.allocations ?? []).map(({ number }) => number),
        partial: answer.reconciliation_status === "partial"
      }
    })
  return {
    suggestions,
    current,
    mode: isOpen ? shown.value.mode : "view",
    show,
    doing,
    said,
    accept: (position) => {
      if (current === undefined) said.value = { what: "loading" }
      else if (current.suggestions.some((one) => one.position === position)) match({ suggestion: position })
      else said.value = { what: "nothing" }
    },
    split: match,
    ignore: (reason) =>
      decide(async (uuid) => {
        await call(`POST ${path}/ignore`, { params: { uuid }, query: { lang: language.peek() }, payload: { reason } })
        return { what: "ignored" }
      }),
    undo: () => {
      const uuid = current?.can_undo === true ? selected : last.peek()
      if (uuid === undefined) return void (said.value = { what: "nothing" })
      void doing
        .run(() => call(`POST ${path}/undo`, { params: { uuid }, query: { lang: language.peek() } }))
        .then((done) => {
          changed()
          suggestions.reload()
          if (!done) return
          shown.value = { id: "", mode: "view" }
          said.value = { what: "undone" }
          last.value = undefined
          select(uuid)
        })
    }
  }
}
