import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { bytes, duration, moment } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { useNow } from "../../../parts/Now.ts"
import { When } from "../../../parts/When.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Refused } from "../Refusals.ts"
import { backupWord, type Job, stateTones } from "./Words.ts"

type Report = NonNullable<Job["report"]>

const t = words({
  en: {
    title: "Restore drills",
    intro: "A drill restores the newest backup in a temporary place and checks the result.",
    run: "Start a drill",
    none: "No drill yet. Whether the backups restore is unknown until one has run.",
    proven: "restores",
    broken: "does not restore",
    of: (snapshot: string, time: string) => `Backup ${snapshot} of ${time}`,
    real: (time: string, size: string) => `A real restore of ${size} would take about ${time}.`,
    check: "Check",
    result: "Result",
    took: "Took",
    ok: "proven",
    wrong: "wrong",
    earlier: "Earlier drills"
  },
  de: {
    title: "Restore-Proben",
    intro: "Eine Probe stellt das neueste Backup an einem vorübergehenden Ort wieder her und prüft das Ergebnis.",
    run: "Probe starten",
    none: "Noch keine Probe. Ob sich die Backups wiederherstellen lassen, ist bis dahin ungewiss.",
    proven: "lässt sich wiederherstellen",
    broken: "lässt sich nicht wiederherstellen",
    of: (snapshot: string, time: string) => `Backup ${snapshot} vom ${time}`,
    // Durations end in a full stop in German ("6 Min.").
    real: (time: string, size: string) => `Eine echte Wiederherstellung von ${size} würde so lange dauern: ${time}`,
    check: "Prüfung",
    result: "Ergebnis",
    took: "Dauer",
    ok: "erwiesen",
    wrong: "falsch",
    earlier: "Frühere Proben"
  }
})

/** Drills that the page shows. */
const listed = 10

/** Interval of looks at the list, while a drill runs and otherwise. Unit: milliseconds. */
const soon = 1_500
const seldom = 30_000

/** The latest drill with its report, and the earlier ones. */
export const Drills = ({
  begun,
  manages,
  turn
}: {
  readonly begun: () => void
  readonly manages: boolean
  readonly turn: number
}) => {
  const doing = useDoing()
  const now = useNow(seldom)
  const running = useSignal(false)
  const drills = useLoad(
    () =>
      call("GET /api/v1/backups/jobs", { query: { limit: listed, work: "drill" } }).then((answer) => {
        running.value = answer.items.some(({ state }) => state === "running" || state === "waiting")
        return answer
      }),
    [turn, running.value],
    { live: ["backup.*"], every: running.value ? soon : seldom }
  )
  return (
    <section class="card" aria-labelledby="drills">
      <div class="card-head">
        <h2 id="drills">{t().title}</h2>
        {manages ? (
          <button
            type="button"
            disabled={doing.busy.value}
            onClick={() => void doing.run(() => call("POST /api/v1/backups/drill")).then((done) => done && begun())}
          >
            {t().run}
          </button>
        ) : null}
      </div>
      <p class="soft">{t().intro}</p>
      <Refused problem={doing.problem.value} />
      <Loading of={drills}>
        {({ items }) => {
          const [latest, ...earlier] = items
          if (latest === undefined) return <p class="empty">{t().none}</p>
          return (
            <>
              <Drill job={latest} now={now} />
              {earlier.length === 0 ? null : (
                <details>
                  <summary>{t().earlier}</summary>
                  <ul class="rows">
                    {earlier.map((job) => (
                      <li key={job.id}>
                        <Drill job={job} now={now} />
                      </li>
                    ))}
                  </ul>
                </details>
              )}
            </>
          )
        }}
      </Loading>
    </section>
  )
}

const Drill = ({ job, now }: { readonly job: Job; readonly now: number }) => (
  <>
    <div class="ops-line">
      {job.report === null ? (
        <Badge tone={stateTones[job.state]}>{backupWord(job.state)}</Badge>
      ) : (
        <Badge tone={job.report.ok ? "success" : "error"}>{job.report.ok ? t().proven : t().broken}</Badge>
      )}
      <When at={job.finished_at ?? job.created_at} now={now} />
      {job.report === null ? null : (
        <span class="soft">{t().of(job.report.snapshot.slice(0, 8), moment(job.report.backup_time))}</span>
      )}
    </div>
    {job.problem === null ? null : <p class="field-error">{job.problem}</p>}
    {job.report === null ? null : <Findings report={job.report} />}
  </>
)

const Findings = ({ report }: { readonly report: Report }) => (
  <>
    <div class="scroll" role="region" aria-label={t().title} tabIndex={0}>
      <table class="ops-table">
        <thead>
          <tr>
            <th scope="col">{t().check}</th>
            <th scope="col">{t().result}</th>
            <th scope="col" class="number">
              {t().took}
            </th>
          </tr>
        </thead>
        <tbody>
          {report.checks.map((one, at) => (
            <tr key={at}>
              <th scope="row">{backupWord(one.check)}</th>
              <td>
                <Badge tone={one.ok ? "success" : "error"}>{one.ok ? t().ok : t().wrong}</Badge> {one.detail}
              </td>
              <td class="number">{duration(one.duration_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <p>{t().real(duration(report.real_restore_ms), bytes(report.restored_bytes))}</p>
  </>
)
