import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { undoable } from "../../../lib/Undo.ts"
import { undoWords } from "../../../lib/UndoWords.ts"
import { Sure } from "../../mail/Sure.tsx"
import { OperationsPage } from "../OperationsPage.tsx"
import { Refused } from "../Refusals.ts"
import { CheckFacts } from "./CheckFacts.tsx"
import { CheckForm } from "./CheckForm.tsx"
import { History } from "./History.tsx"
import type { Check } from "./Words.ts"

const t = words({
  en: {
    title: "Check",
    run: "Run now",
    change: "Change",
    off: "Switch off",
    on: "Switch on",
    remove: "Delete",
    sure: "Really delete, with its history?",
    running: "The check runs. Its result appears here in a moment."
  },
  de: {
    title: "Prüfung",
    run: "Jetzt prüfen",
    change: "Ändern",
    off: "Ausschalten",
    on: "Einschalten",
    remove: "Löschen",
    sure: "Wirklich mit Verlauf löschen?",
    running: "Die Prüfung läuft. Gleich steht das Ergebnis hier."
  }
})

/** Reload interval, after a run was asked for and otherwise. Unit: milliseconds. */
const soon = 1_000
const seldom = 10_000

/** One check: last values, history, thresholds. */
export default ({ id }: { readonly id: string }) => {
  const { route } = useLocation()
  const hours = useSignal(24)
  const editing = useSignal(false)
  /** `checked_at` when a run was asked for; undefined when none is awaited. */
  const awaited = useSignal<string | null | undefined>(undefined)
  const doing = useDoing()
  const check = useLoad(
    () =>
      call("GET /api/v1/monitoring/checks/:id", { params: { id: Number(id) }, query: { hours: hours.value } }).then(
        (found) => {
          if (awaited.value !== undefined && found.checked_at !== awaited.value) awaited.value = undefined
          return found
        }
      ),
    [id, hours.value, awaited.value === undefined],
    { live: ["monitoring.alert.*"], every: awaited.value === undefined ? seldom : soon }
  )
  const found = check.value.value
  const act = (work: () => Promise<unknown>, after: () => void) =>
    void doing.run(work).then((done) => {
      if (done) after()
    })
  const params = { id: Number(id) }
  const turn = (enabled: boolean) => call("PUT /api/v1/monitoring/checks/:id", { params, payload: { enabled } })
  return (
    <OperationsPage
      section="checks"
      title={found?.key ?? t().title}
      actions={
        found === undefined || !may("system.manage") ? undefined : (
          <Actions
            of={found}
            busy={doing.busy.value}
            run={() =>
              act(
                () => call("POST /api/v1/monitoring/checks/:id/run", { params }),
                () => (awaited.value = found.checked_at)
              )
            }
            change={() => (editing.value = true)}
            enable={(enabled) =>
              act(
                () =>
                  undoable(
                    () => turn(enabled),
                    () => undoWords()[enabled ? "on" : "off"](found.key),
                    () => turn(!enabled)
                  ),
                check.reload
              )
            }
            remove={() =>
              act(
                () => call("DELETE /api/v1/monitoring/checks/:id", { params }),
                () => route("/console/operations/checks")
              )
            }
          />
        )
      }
    >
      <div role="status">{awaited.value === undefined ? null : <p class="soft">{t().running}</p>}</div>
      <Refused problem={doing.problem.value} />
      {editing.value && found !== undefined ? (
        <CheckForm
          check={found}
          shut={() => (editing.value = false)}
          saved={() => {
            editing.value = false
            check.reload()
          }}
        />
      ) : null}
      <Loading of={check}>
        {(shown) => (
          <>
            <CheckFacts of={shown} />
            <History of={shown} hours={hours.value} choose={(chosen) => (hours.value = chosen)} />
          </>
        )}
      </Loading>
    </OperationsPage>
  )
}

const Actions = ({
  busy,
  change,
  enable,
  of,
  remove,
  run
}: {
  readonly of: Check
  readonly busy: boolean
  readonly run: () => void
  readonly change: () => void
  readonly enable: (enabled: boolean) => void
  readonly remove: () => void
}) => (
  <>
    {of.enabled ? (
      <button type="button" class="primary" disabled={busy} onClick={run}>
        {t().run}
      </button>
    ) : null}
    <button type="button" onClick={change}>
      {t().change}
    </button>
    <button type="button" disabled={busy} onClick={() => enable(!of.enabled)}>
      {of.enabled ? t().off : t().on}
    </button>
    {of.origin === "operator" ? (
      <Sure sure={t().sure} disabled={busy} onSure={remove}>
        {t().remove}
      </Sure>
    ) : null}
  </>
)
