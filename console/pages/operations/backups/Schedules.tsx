import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { moment } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { useNow } from "../../../parts/Now.ts"
import { RowTable } from "../../../parts/RowTable.tsx"
import { When } from "../../../parts/When.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Sure } from "../../mail/Sure.tsx"
import { Refused } from "../Refusals.ts"
import { ScheduleForm } from "./ScheduleForm.tsx"
import { backupWord, type Schedule, stateTones } from "./Words.ts"

const t = words({
  en: {
    title: "Schedules",
    add: "Add a schedule",
    none: "No schedule yet, so nothing is backed up.",
    noneHint: "Add one, such as every night at 3:00: 0 3 * * *",
    name: "Schedule",
    next: "Next run",
    last: "Last run",
    off: "switched off",
    never: "never",
    notYet: "not run yet",
    good: "last success",
    run: "Run now",
    change: "Change",
    remove: "Delete",
    sure: "Really delete? Its backups stay.",
    of: (what: string, name: string) => `${what}: ${name}`,
    begun: (name: string) => `${name} was started. Its progress is shown below.`
  },
  de: {
    title: "Zeitpläne",
    add: "Zeitplan hinzufügen",
    none: "Noch kein Zeitplan, es wird also nichts gesichert.",
    noneHint: "Fügen Sie einen hinzu, etwa jede Nacht um 3:00 Uhr: 0 3 * * *",
    name: "Zeitplan",
    next: "Nächster Lauf",
    last: "Letzter Lauf",
    off: "ausgeschaltet",
    never: "nie",
    notYet: "noch nicht gelaufen",
    good: "letzter Erfolg",
    run: "Jetzt starten",
    change: "Ändern",
    remove: "Löschen",
    sure: "Wirklich löschen? Die Backups bleiben.",
    of: (what: string, name: string) => `${what}: ${name}`,
    begun: (name: string) => `${name} ist gestartet. Der Fortschritt steht weiter unten.`
  }
})

/** Reload interval. Unit: milliseconds. Reason: a schedule fires by itself. */
const every = 30_000

/** Schedules with their next run; runs, adds, changes and deletes them. */
export const Schedules = ({ begun }: { readonly begun: () => void }) => {
  const list = useLoad(() => call("GET /api/v1/backups/schedules"), [], {
    live: ["backup.completed", "backup.failed"],
    every
  })
  const open = useSignal<Schedule | "new" | undefined>(undefined)
  const started = useSignal<string | undefined>(undefined)
  const doing = useDoing()
  const now = useNow(every)
  const manages = may("backups.manage")
  const shut = () => (open.value = undefined)
  const saved = () => {
    shut()
    list.reload()
  }
  const run = ({ id, name }: Schedule) => {
    started.value = undefined
    void doing
      .run(() => call("POST /api/v1/backups/trigger/:schedule_id", { params: { schedule_id: id } }))
      .then((done) => {
        if (!done) return
        started.value = name
        begun()
      })
  }
  const remove = ({ id }: Schedule) =>
    void doing
      .run(() => call("DELETE /api/v1/backups/schedules/:id", { params: { id } }))
      .then((done) => done && saved())
  return (
    <section class="card" aria-labelledby="schedules">
      <div class="card-head">
        <h2 id="schedules">{t().title}</h2>
        {manages && open.value !== "new" ? (
          <button type="button" class="primary" onClick={() => (open.value = "new")}>
            {t().add}
          </button>
        ) : null}
      </div>
      <div role="status">{started.value === undefined ? null : <p class="done">{t().begun(started.value)}</p>}</div>
      <Refused problem={doing.problem.value} />
      {open.value === undefined ? null : (
        <ScheduleForm
          key={open.value === "new" ? "new" : open.value.id}
          schedule={open.value === "new" ? undefined : open.value}
          saved={saved}
          shut={shut}
        />
      )}
      <Loading of={list}>
        {(schedules) =>
          schedules.length === 0 ? (
            <div class="empty">
              <p>{t().none}</p>
              {manages ? <p>{t().noneHint}</p> : null}
            </div>
          ) : (
            <RowTable
              labelledBy="schedules"
              rows={schedules}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: t().name,
                  show: ({ cron, name, type }) => (
                    <>
                      {name}
                      <small>
                        {backupWord(type)} · <code>{cron}</code>
                      </small>
                    </>
                  )
                },
                {
                  title: t().next,
                  show: ({ enabled, next_run }) =>
                    !enabled ? <Badge tone="quiet">{t().off}</Badge> : next_run === null ? t().never : moment(next_run)
                },
                { title: t().last, show: (schedule) => <Last of={schedule} now={now} /> }
              ]}
              actions={
                manages
                  ? (schedule) => (
                      <div class="page-actions">
                        <button type="button" disabled={doing.busy.value} onClick={() => run(schedule)}>
                          {t().run}
                          <span class="sr">: {schedule.name}</span>
                        </button>
                        <button type="button" onClick={() => (open.value = schedule)}>
                          {t().change}
                          <span class="sr">: {schedule.name}</span>
                        </button>
                        <Sure sure={t().sure} disabled={doing.busy.value} onSure={() => remove(schedule)}>
                          {t().remove}
                          <span class="sr">: {schedule.name}</span>
                        </Sure>
                      </div>
                    )
                  : undefined
              }
            />
          )
        }
      </Loading>
    </section>
  )
}

const Last = ({ now, of }: { readonly of: Schedule; readonly now: number }) =>
  of.last_state === null ? (
    <span class="soft">{t().notYet}</span>
  ) : (
    <>
      <Badge tone={stateTones[of.last_state]}>{backupWord(of.last_state)}</Badge>
      {of.last_success === null ? null : (
        <small>
          {t().good} <When at={of.last_success} now={now} />
        </small>
      )}
      {of.last_problem === null ? null : <small class="field-error">{of.last_problem}</small>}
    </>
  )
