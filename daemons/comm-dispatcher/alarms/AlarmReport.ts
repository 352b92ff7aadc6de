/** Renders ledger rows as lines for a terminal. Pure. */
import { columns } from "#core/cli/Output.ts"
import { second } from "#core/cli/Moment.ts"
import type { Acknowledged } from "./run/AcknowledgeRun.ts"
import type { AlarmSubjectError } from "./subject/AlarmSubjectError.ts"
import { alarmName, type RunSummary, type RunView, type TargetView } from "../runs/Exports.ts"

/** Lines for the changes between two states of a run. Without an earlier state: every line. */
export const changes = (before: RunView | undefined, after: RunView): ReadonlyArray<string> => {
  const steps = after.steps.flatMap((step) => {
    const known = before?.steps.find((other) => other.name === step.name)
    return known?.state === step.state ? [] : [line(step.name, step.state, step.detail)]
  })
  const targets = after.targets.flatMap((target, index) => {
    const known = before?.targets[index]
    return known?.state === target.state && known.attempts.length === target.attempts.length
      ? []
      : [line(`  ${target.channel} ${target.target}`, target.state, targetDetail(target))]
  })
  const end = after.state === "running" || before?.state === after.state ? [] : [line("run", after.state, after.reason)]
  // The last step follows the targets.
  const closing = steps.filter((step) => step.startsWith("comm.log_result"))
  return [...steps.filter((step) => !closing.includes(step)), ...targets, ...closing, ...end]
}

const line = (what: string, state: string, detail: string | null | undefined) =>
  `${what}: ${state}${detail ? ` (${detail})` : ""}`

const targetDetail = (target: TargetView): string | undefined => {
  const last = target.attempts.at(-1)
  const parts = [
    ...(last === undefined ? [] : [`attempt ${last.number}`]),
    ...(last?.detail ? [last.detail] : target.reason ? [target.reason] : []),
    ...(target.state === "pending" && target.due_at !== null && last !== undefined ? [`again at ${target.due_at}`] : [])
  ]
  return parts.length === 0 ? undefined : parts.join(", ")
}

/** A run with its steps, targets and attempts. */
export const runLines = (run: RunView): ReadonlyArray<string> => [
  ...columns([
    ["id", run.id],
    ...(run.workflow === alarmName ? [] : [["workflow", run.workflow]]),
    ["state", run.reason === null ? run.state : `${run.state}: ${run.reason}`],
    ["subject", run.subject],
    ["from", run.sender],
    ["source", sourceText(run.source)],
    ["received", run.received_at],
    ["finished", run.finished_at ?? "not yet"],
    ...(run.acknowledged_at === null ? [] : [["acknowledged", `${run.acknowledged_at} by ${run.acknowledged_by}`]])
  ]),
  "",
  ...run.steps.map((step) => `${step.at}  ${line(step.name, step.state, step.detail)}`),
  ...run.targets.flatMap((target) => [
    "",
    `${target.fallback_of === null ? "" : "  else "}${target.channel} ${target.target}: ` +
      `${target.state}${doubtOf(target)}`,
    ...target.attempts.map(
      (attempt) =>
        `  ${attempt.number}. ${attempt.started_at}  ${attempt.state}` +
        (attempt.detail === null ? "" : `  ${attempt.detail}`)
    ),
    ...(target.due_at === null ? [] : [`  next at ${target.due_at}`])
  ])
]

const sourceText = (source: RunView["source"]): string =>
  source.kind === "event"
    ? `event ${source.event_id}`
    : source.kind + (source.mailbox === undefined ? "" : ` ${source.mailbox}`)

const doubtOf = ({ attempts, due_at, possible_second, state }: TargetView): string =>
  state === "uncertain" && due_at === null
    ? " (sent and not answered: it may have arrived)"
    : possible_second && attempts.length > 1
      ? " (sent again after an unknown end: possibly a second)"
      : ""

/** A table of runs. `state`: the state that the list was filtered by. */
export const listLines = (runs: ReadonlyArray<RunSummary>, state?: string): ReadonlyArray<string> =>
  runs.length === 0
    ? [state === undefined ? "No alarms yet. Try: signalbox alarm send --demo" : `No alarm is ${state}.`]
    : columns([
        ["RECEIVED", "STATE", "DELIVERED", "ID", "SUBJECT"],
        ...runs.map((run) => [
          second(run.received_at),
          run.state,
          `${run.delivered_count}/${run.target_count}`,
          run.id,
          run.subject
        ])
      ])

/** The result of an acknowledgement. */
export const acknowledgedLines = ({
  acknowledged_at,
  acknowledged_by,
  id,
  state,
  suppressed
}: Omit<Acknowledged, "finished" | "first" | "tenant_id">): ReadonlyArray<string> => [
  `Alarm ${id} is acknowledged since ${acknowledged_at} by ${acknowledged_by}; ` +
    `${suppressed === 1 ? "1 target" : `${suppressed} targets`} stopped, state ${state}.`
]

/** Longest part of a subject shown on each side of a mistake. Unit: characters. */
const around = 60

/** The mistake in a subject, with a caret under its position. */
export const subjectMistake = (subject: string, error: AlarmSubjectError): string => {
  const from = Math.max(0, error.position - around)
  const shown = subject.slice(from, error.position + around).replace(/\p{C}/gu, " ")
  return [error.message, `  ${shown}`, `  ${" ".repeat(error.position - from)}^`].join("\n")
}
