import { bothMoments, duration, shortMoment } from "../lib/Format.ts"
import { words } from "../lib/Language.ts"
import type { ComponentChildren } from "preact"
import { Acknowledge } from "./Acknowledge.tsx"
import { AcknowledgementBadge } from "./Acknowledgement.tsx"
import { canAcknowledge } from "./CanAcknowledge.ts"
import { type Run, SeverityBadge, StateBadge } from "./RunBadges.tsx"
import { TargetChips } from "./TargetChips.tsx"
import "./runs.css"

const t = words({
  en: {
    title: "Runs, newest first",
    at: "Received",
    severity: "Severity",
    state: "State",
    subject: "Alarm",
    acknowledged: "Acknowledged",
    reached: "Reached",
    took: "Took",
    none: "No runs.",
    run: "Run",
    noSubject: "(no text)",
    from: (sender: string) => `from ${sender}`,
    of: (delivered: number, all: number) => `${delivered} of ${all}`
  },
  de: {
    title: "Läufe, neueste zuerst",
    at: "Eingang",
    severity: "Stufe",
    state: "Zustand",
    subject: "Alarm",
    acknowledged: "Quittiert",
    reached: "Erreicht",
    took: "Dauer",
    none: "Keine Läufe.",
    run: "Lauf",
    noSubject: "(kein Text)",
    from: (sender: string) => `von ${sender}`,
    of: (delivered: number, all: number) => `${delivered} von ${all}`
  }
})

const took = ({ created_at, finished_at }: Run): string =>
  finished_at === null ? "" : duration(Date.parse(finished_at) - Date.parse(created_at))

interface Props {
  readonly runs: ReadonlyArray<Run>
  /** Whether the table has the columns for alarms too: targets, state, and who acknowledged. */
  readonly alarms?: boolean
  /** Content that replaces the table when `runs` is empty. */
  readonly empty?: ComponentChildren
  /** Called after an acknowledgement. */
  readonly changed?: () => void
}

/** Table of runs, titled by their text; each row links to the run's page. */
export const RunTable = ({ alarms = true, changed, empty, runs }: Props) =>
  runs.length === 0 ? (
    <>{empty ?? <p class="empty">{t().none}</p>}</>
  ) : (
    <div class="scroll">
      <table class="runs">
        <caption class="sr">{t().title}</caption>
        <thead>
          <tr>
            <th scope="col">{t().at}</th>
            <th scope="col">{alarms ? t().subject : t().run}</th>
            {alarms ? <th scope="col">{t().severity}</th> : null}
            <th scope="col">{t().state}</th>
            {alarms ? <th scope="col">{t().acknowledged}</th> : null}
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
            <Row key={run.id} run={run} alarms={alarms} changed={changed} />
          ))}
        </tbody>
      </table>
    </div>
  )

const Row = ({
  alarms,
  changed,
  run
}: {
  readonly run: Run
  readonly alarms: boolean
  readonly changed: (() => void) | undefined
}) => {
  const title = run.title === "" ? t().noSubject : run.title
  return (
    <tr>
      <td class="when">
        <time dateTime={run.received_at} title={bothMoments(run.received_at)}>
          {shortMoment(run.received_at)}
        </time>
      </td>
      <td class="subject">
        <a href={`/console/alarms/${run.id}`}>{title}</a>
        <small>
          {t().from(run.sender)}
          {run.reason === null ? null : <> · {run.reason}</>}
        </small>
        <TargetChips of={run.targets} all={run.target_count} />
      </td>
      {alarms ? (
        <td>
          <SeverityBadge severity={run.severity} />
        </td>
      ) : null}
      <td>
        <StateBadge state={run.state} />
      </td>
      {alarms ? (
        <td class="acknowledgement">
          <AcknowledgementBadge run={run} />{" "}
          {changed !== undefined && canAcknowledge(run) ? (
            <Acknowledge id={run.id} title={title} small done={changed} />
          ) : null}
        </td>
      ) : null}
      {alarms ? (
        <td class="number">{run.target_count === 0 ? "" : t().of(run.delivered_count, run.target_count)}</td>
      ) : null}
      <td class="number">{took(run)}</td>
    </tr>
  )
}
