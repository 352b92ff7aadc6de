import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { bytes, duration, number } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { useNow } from "../../../parts/Now.ts"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { When } from "../../../parts/When.tsx"
import { backupWord, type Job, stateTones } from "./Words.ts"

const t = words({
  en: {
    title: "Runs",
    none: "Nothing has run yet. Start a schedule with “Run now”, or wait for its next time.",
    byHand: "by hand",
    progress: (name: string) => `Progress of ${name}`,
    of: (done: string, total: string) => `${done} of ${total}`,
    size: (size: string, added: string) => `${size} read, repository grew by ${added}`,
    files: (count: number) => (count === 1 ? "1 file" : `${number(count)} files`),
    leftOut: "Left out:",
    took: (time: string) => `took ${time}`
  },
  de: {
    title: "Läufe",
    none: "Bisher ist nichts gelaufen. Starten Sie einen Zeitplan mit „Jetzt starten“, oder warten Sie auf seine Zeit.",
    byHand: "von Hand",
    progress: (name: string) => `Fortschritt von ${name}`,
    of: (done: string, total: string) => `${done} von ${total}`,
    size: (size: string, added: string) => `${size} gelesen, Repository um ${added} gewachsen`,
    files: (count: number) => (count === 1 ? "1 Datei" : `${number(count)} Dateien`),
    leftOut: "Ausgelassen:",
    took: (time: string) => `dauerte ${time}`
  }
})

/** Jobs per page. */
const pageSize = 10

/** Interval of looks at the list, while a job runs and otherwise. Unit: milliseconds. */
const soon = 1_500
const seldom = 30_000

/** Backups and restores that ran, newest first, with the progress of those that run. */
export const Jobs = ({ turn }: { readonly turn: number }) => {
  const trail = useTrail([])
  const before = trail.value.at(-1)
  const running = useSignal(false)
  const now = useNow(seldom)
  const jobs = useLoad(
    () =>
      call("GET /api/v1/backups/jobs", { query: { limit: pageSize, before } }).then((answer) => {
        running.value = answer.items.some(({ state }) => state === "running" || state === "waiting")
        return answer
      }),
    [before, turn, running.value],
    { live: ["backup.*"], every: running.value ? soon : seldom }
  )
  return (
    <section class="card" aria-labelledby="jobs">
      <h2 id="jobs">{t().title}</h2>
      <Loading of={jobs}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{t().none}</p>
            ) : (
              <ul class="rows" aria-labelledby="jobs">
                {items.map((job) => (
                  <li key={job.id}>
                    <JobLine job={job} now={now} />
                  </li>
                ))}
              </ul>
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </section>
  )
}

const JobLine = ({ job, now }: { readonly job: Job; readonly now: number }) => {
  const name = job.schedule ?? backupWord(job.type)
  return (
    <>
      <div class="ops-line">
        <Badge tone={stateTones[job.state]}>{backupWord(job.state)}</Badge>
        <strong>
          {backupWord(job.work)}: {name}
        </strong>
        <When at={job.finished_at ?? job.started_at ?? job.created_at} now={now} />
        <span class="soft">
          {[
            job.schedule === null ? "" : backupWord(job.type),
            job.firing === null ? t().byHand : "",
            job.duration_ms === null ? "" : t().took(duration(job.duration_ms)),
            job.files === null ? "" : t().files(job.files)
          ]
            .filter((one) => one !== "")
            .join(", ")}
        </span>
      </div>
      {job.state === "running" ? <Progress job={job} name={name} /> : null}
      {job.size === null ? null : <small>{t().size(bytes(job.size), bytes(job.added ?? 0))}</small>}
      {job.problem === null ? null : <p class="field-error">{job.problem}</p>}
      {job.left_out.length === 0 ? null : (
        <p class="ops-left-out">
          {t().leftOut}{" "}
          {job.left_out.map(({ reason, what }, at) => (
            <span key={at}>
              <code>{what}</code> ({reason}){at < job.left_out.length - 1 ? ", " : ""}
            </span>
          ))}
        </p>
      )}
    </>
  )
}

/** Step and progress of a running job. */
const Progress = ({ job: { done, step, total }, name }: { readonly job: Job; readonly name: string }) => (
  <div class="ops-line">
    <progress
      aria-label={t().progress(name)}
      {...(done === null || total === null || total === 0 ? {} : { value: Math.min(done, total), max: total })}
    />
    <span class="soft">
      {[
        step === null ? "" : backupWord(step),
        done === null ? "" : total === null ? bytes(done) : t().of(bytes(done), bytes(total))
      ]
        .filter((one) => one !== "")
        .join(" · ")}
    </span>
  </div>
)
