import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { call } from "../../../lib/Call.ts"
import { number } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { on } from "../../../lib/Socket.ts"
import { type Doing, useDoing } from "../../../lib/Doing.ts"
import { Refused } from "../Refusals.ts"
import type { Batch } from "../Shapes.ts"

const t = words({
  en: {
    start: "Match automatically",
    progress: "Progress of the matching",
    waiting: "Waiting …",
    running: "Matching …",
    finished: "Matching is finished.",
    failed: "Matching failed.",
    counts: (matched: number, suggested: number, ignored: number, unmatched: number) =>
      `${number(matched)} matched, ${number(suggested)} with a suggestion, ${number(ignored)} ignored, ${number(unmatched)} without a match`
  },
  de: {
    start: "Automatisch zuordnen",
    progress: "Fortschritt der Zuordnung",
    waiting: "Wartet …",
    running: "Wird zugeordnet …",
    finished: "Die Zuordnung ist fertig.",
    failed: "Die Zuordnung ist fehlgeschlagen.",
    counts: (matched: number, suggested: number, ignored: number, unmatched: number) =>
      `${number(matched)} zugeordnet, ${number(suggested)} mit Vorschlag, ${number(ignored)} ignoriert, ${number(unmatched)} ohne Treffer`
  }
})

/** Interval of looks at a running batch, for when its events do not arrive. Unit: milliseconds. */
const look = 5_000

const path = "/api/v1/crm/ebics/reconcile"

export interface BatchRun {
  readonly batch: Batch | undefined
  readonly isRunning: boolean
  readonly doing: Doing
  readonly start: () => void
}

/** Begins a batch that decides about all unmatched transactions, and follows its progress. */
export const useBatch = (changed: () => void): BatchRun => {
  const doing = useDoing()
  const batch = useSignal<Batch | undefined>(undefined)
  const id = batch.value?.id
  const isRunning = batch.value !== undefined && batch.value.state !== "finished" && batch.value.state !== "failed"
  useEffect(() => {
    if (id === undefined || !isRunning) return
    // A failed look is ignored; the next one may succeed.
    const ask = () =>
      void call(`GET ${path}/batches/:uuid`, { params: { uuid: id } }).then(
        (now) => {
          batch.value = now
          if (now.state === "finished" || now.state === "failed") changed()
        },
        () => {}
      )
    const end = on("bank.batch.progress", ({ data }) => data["batch_id"] === id && ask())
    const timer = setInterval(ask, look)
    ask()
    return () => {
      end()
      clearInterval(timer)
    }
  }, [id, isRunning])
  const start = () =>
    void doing.run(async () => {
      batch.value = await call(`POST ${path}/batch`, { payload: {} })
    })
  return { batch: batch.value, isRunning, doing, start }
}

export const BatchButton = ({ batch: { doing, isRunning, start } }: { readonly batch: BatchRun }) => (
  <button type="button" disabled={doing.busy.value || isRunning} onClick={start}>
    {t().start}
  </button>
)

/** Progress and result of the batch, or why it did not begin. */
export const BatchProgress = ({ batch: { batch, doing } }: { readonly batch: BatchRun }) => (
  <>
    <Refused problem={doing.problem.value} />
    {batch === undefined ? null : (
      <div class="bank-batch">
        <Progress of={batch} />
      </div>
    )}
  </>
)

const Progress = ({ of: { problem, state, transactions } }: { readonly of: Batch }) => (
  <>
    {state === "failed" ? null : (
      <progress
        aria-label={t().progress}
        {...(state === "finished"
          ? { value: 1, max: 1 }
          : transactions.total === null
            ? {}
            : { value: transactions.done, max: Math.max(1, transactions.total) })}
      />
    )}
    <span role="status">
      {t()[state]}{" "}
      {t().counts(transactions.auto_matched, transactions.suggested, transactions.ignored, transactions.unmatched)}
      {problem === null ? "" : ` ${problem}`}
    </span>
  </>
)
