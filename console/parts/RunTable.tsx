import { duration, moment, shortMoment } from "../lib/Format.ts"
import { words } from "../lib/Language.ts"
import { type Run, SeverityBadge, StateBadge } from "./RunBadges.tsx"
import "./runs.css"

const t = words({
  en: {
    title: "Runs, newest first",
    at: "Received",
    severity: "Severity",
    state: "State",
    subject: "Subject",
    reached: "Reached",
    took: "Took",
    none: "No runs.",
    noSubject: "(no subject)",
    from: (sender: string) => `from ${sender}`,
    of: (delivered: number, all: number) => `${delivered} of ${all}`
  },
  de: {
    title: "Läufe, neueste zuerst",
    at: "Eingang",
    severity: "Stufe",
    state: "Zustand",
    subject: "Betreff",
    reached: "Erreicht",
    took: "Dauer",
    none: "Keine Läufe.",
    noSubject: "(kein Betreff)",
    from: (sender: string) => `von ${sender}`,
    of: (delivered: number, all: number) => `${delivered} von ${all}`
  }
})

const took = ({ created_at, finished_at }: Run): string =>
  finished_at === null ? "" : duration(Date.parse(finished_at) - Date.parse(created_at))

/** Table of runs; each row links to the run's page. `alarms`: shows the columns that only alarms have. */
export const RunTable = ({ alarms = true, runs }: { readonly runs: ReadonlyArray<Run>; readonly alarms?: boolean }) =>
  runs.length === 0 ? (
    <p class="empty">{t().none}</p>
  ) : (
    <div class="scroll">
      <table class="runs">
        <caption class="sr">{t().title}</caption>
        <thead>
          <tr>
            <th scope="col">{t().at}</th>
            {alarms ? <th scope="col">{t().severity}</th> : null}
            <th scope="col">{t().state}</th>
            <th scope="col">{t().subject}</th>
            {alarms ? (
              <th scope="col" class="number">
                {t().reached}
              </th>
            ) : null}
            <th scope="col" class="number">
              {t().took}
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td class="when">
                <time dateTime={run.received_at} title={moment(run.received_at)}>
                  {shortMoment(run.received_at)}
                </time>
              </td>
              {alarms ? (
                <td>
                  <SeverityBadge severity={run.severity} />
                </td>
              ) : null}
              <td>
                <StateBadge state={run.state} />
              </td>
              <td class="subject">
                <a href={`/console/alarms/${run.id}`}>{run.subject === "" ? t().noSubject : run.subject}</a>
                <small>
                  {t().from(run.sender)}
                  {run.reason === null ? null : <> · {run.reason}</>}
                </small>
              </td>
              {alarms ? (
                <td class="number">{run.target_count === 0 ? "" : t().of(run.delivered_count, run.target_count)}</td>
              ) : null}
              <td class="number">{took(run)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
