import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { call } from "../../../lib/Call.ts"
import { number } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { on } from "../../../lib/Socket.ts"
import { useDoing } from "../../mail/Doing.ts"
import { Refused } from "../Refused.tsx"
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
      `${number(matched)} matched, ${number(suggested)} with a suggestion, ${number(ignored)} ignored, ${number(unmatched)} without`
  },
  de: {
    start: "Automatisch zuordnen",
    progress: "Fortschritt der Zuordnung",
    waiting: "Wartet …",
    running: "Wird zugeordnet …",
    finished: "Die Zuordnung ist fertig.",
    failed: "Die Zuordnung ist fehlgeschlagen.",
    counts: (matched: number, suggested: number, ignored: number, unmatched: number) =>
      `${number(matched)} zugeordnet, ${number(suggested)} mit Vorschlag, ${number(ignored)} ignoriert, ${number(unmatched)} ohne`
  }
})

/** Interval of looks at a running batch, for when its events do not arrive. Unit: milliseconds. */
const look = 5_000

const path = "/api/v1/crm/ebics/reconcile"

/** Button that decides about all unmatched transactions, and its progress. */
export const BatchRun = ({ changed }: { readonly changed: () => void }) => {
  const doing = useDoing()
  const batch = useSignal<Batch | undefined>(undefined)
  const id = batch.value?.id
  const running = batch.value !== undefined && batch.value.state !== "finished" && batch.value.state !== "failed"
  useEffect(() => {
    if (id === undefined || !running) return
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
  }, [id, running])
  const start = () =>
    void doing.run(async () => {
      batch.value = await call(`POST ${path}/batch`, { payload: {} })
    })
  return (
    <div class="bank-batch">
      <button type="button" disabled={doing.busy.value || running} onClick={start}>
        {t().start}
      </button>
      <Refused problem={doing.problem.value} />
      {batch.value === undefined ? null : <Progress of={batch.value} />}
    </div>
  )
}

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
