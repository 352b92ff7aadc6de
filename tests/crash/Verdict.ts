/**
 * Judges a crash run from the submitted alarms, the ledger and the receivers' records. Pure. `problems` is empty when
 * nothing was lost, left open or reported wrongly, and duplicates stay within the promised limits.
 */
import { secondNotice } from "#daemons/comm-dispatcher/channels/messenger/Messenger.ts"
import type { RunView } from "#daemons/comm-dispatcher/runs/RunViews.ts"
import type { DoubleMessage } from "#support/BotApiDouble.ts"
import type { SinkRequest } from "#support/WebhookSink.ts"
import { type CallEvidence, judgeCall, judgeTogether } from "./CallVerdict.ts"
import type { Alarm } from "./Load.ts"

export interface Evidence extends CallEvidence {
  readonly alarms: ReadonlyArray<Alarm>
  readonly runs: ReadonlyArray<typeof RunView.Type>
  readonly requests: ReadonlyArray<SinkRequest>
  readonly messages: ReadonlyArray<DoubleMessage>
}

export interface Verdict {
  readonly problems: ReadonlyArray<string>
  /** Targets of accepted alarms that no receiver accepted, or that the ledger does not show as delivered. */
  readonly lost: number
  /** Webhook targets requested with more than one Idempotency-Key. */
  readonly doubledWebhooks: number
  /** Requests repeated with a key that the sink had already answered with success. */
  readonly repeatedRequests: number
  /** Messages beyond the first of each target. */
  readonly doubledMessages: number
  /** Call targets. */
  readonly calls: number
  /** Answered calls beyond the first of each target. */
  readonly doubledCalls: number
  /** Calls whose process was killed and whose end is still known, because the next process took over tracking. */
  readonly takenUp: number
  /** Call targets that end uncertain: the end of the call is unknown, and the severity does not allow a repeat. */
  readonly unknownCalls: number
  readonly uncertainAttempts: number
  readonly targets: number
  /** Rows for mails that were sent again because their 250 reply was lost. */
  readonly duplicates: number
}

export const judge = (evidence: Evidence): Verdict => {
  const { alarms, cut, dialled, kills, messages, requests, runs } = evidence
  const problems: Array<string> = []
  const requestsAt = Map.groupBy(requests, (request) => request.path)
  const messagesTo = Map.groupBy(messages, (message) => message.chatId)
  const callsTo = Map.groupBy(dialled, (call) => call.number)
  const runsOf = Map.groupBy(runs, (run) => run.subject)
  let lost = 0
  let doubledWebhooks = 0
  let doubledMessages = 0
  let doubledCalls = 0
  let takenUp = 0
  let unknownCalls = 0
  let repeatedRequests = 0
  let targets = 0

  for (const alarm of alarms) {
    const name = `alarm ${alarm.id}`
    const expected = [
      ...(alarm.number === undefined ? [] : ["call"]),
      ...(alarm.path === undefined ? [] : ["webhook"]),
      ...(alarm.chat === undefined ? [] : ["messenger"])
    ]
    targets += expected.length
    if (alarm.accepted === undefined) {
      problems.push(`${name} was never accepted`)
      lost += expected.length
      continue
    }
    const all = runsOf.get(alarm.subject) ?? []
    const real = all.filter((run) => run.state !== "duplicate")
    const [run] = real
    if (run === undefined || real.length > 1) {
      problems.push(`${name} has ${real.length} runs beside duplicates`)
      lost += expected.length
      continue
    }
    const call =
      alarm.number === undefined
        ? undefined
        : judgeCall(
            alarm,
            run.targets.find((found) => found.channel === "call"),
            callsTo.get(alarm.number) ?? []
          )
    problems.push(...(call?.problems ?? []).map((problem) => `${name}: ${problem}`))
    if (call?.lost === true) lost += 1
    if (call?.unknown === true) unknownCalls += 1
    if (
      call?.known === true &&
      cut.some(({ orphaned, uuid }) => orphaned && callsTo.get(alarm.number ?? "")?.at(-1)?.uuid === uuid)
    )
      takenUp += 1
    doubledCalls += call?.doubled ?? 0
    const state = call?.unknown !== true ? "delivered" : expected.length === 1 ? "uncertain" : "partly_delivered"
    if (run.state !== state || run.finished_at === null) problems.push(`${name}: the run is ${run.state}`)
    if (run.body.trim() !== alarm.body) problems.push(`${name}: another body in the ledger: ${run.body}`)

    for (const channel of expected.filter((channel) => channel !== "call")) {
      const target = run.targets.find((found) => found.channel === channel)
      const sent = messagesTo.get(alarm.chat ?? "") ?? []
      const asked = requestsAt.get(alarm.path ?? "") ?? []
      const took = channel === "webhook" ? asked.filter((request) => request.answered === 200).length : sent.length
      if (target?.state !== "delivered" || took === 0) {
        lost += 1
        problems.push(
          `${name}: its ${channel} is ${target?.state ?? "missing"} in the ledger and was taken ${took} times`
        )
        continue
      }
      if (channel === "webhook") {
        const keys = new Set(asked.map((request) => request.key))
        if (keys.size !== 1 || keys.has(undefined)) {
          doubledWebhooks += 1
          problems.push(`${name}: its webhook came under ${keys.size} keys`)
        }
        if (new Set(asked.map((request) => request.body)).size !== 1)
          problems.push(`${name}: different bodies under one key`)
        repeatedRequests += took - 1
        continue
      }
      doubledMessages += sent.length - 1
      const uncertain = target.attempts.filter((attempt) => attempt.state === "uncertain").length
      if (sent.length - 1 > uncertain)
        problems.push(`${name}: ${sent.length} messages but ${uncertain} uncertain attempts`)
      for (const [index, message] of sent.entries()) {
        const marked = message.text.startsWith(secondNotice)
        if (index > 0 && !marked) problems.push(`${name}: message ${index + 1} of ${sent.length} is not marked`)
        if (marked && uncertain === 0) problems.push(`${name}: a message is marked though nothing was uncertain`)
      }
    }
  }

  for (const run of runs) {
    if (run.state === "duplicate" && run.targets.length > 0) problems.push(`duplicate run ${run.id} has targets`)
    if (run.state === "rejected") problems.push(`run ${run.id} was rejected: ${run.reason}`)
    for (const target of run.targets) {
      if (
        !["delivered", "failed", "suppressed"].includes(target.state) &&
        (target.state !== "uncertain" || target.due_at !== null)
      )
        problems.push(`run ${run.id}: ${target.channel} is left ${target.state}`)
      for (const attempt of target.attempts)
        if (attempt.state === "attempting") problems.push(`run ${run.id}: attempt ${attempt.number} is left open`)
    }
  }
  const known = new Set(alarms.map((alarm) => alarm.subject))
  for (const run of runs)
    if (!known.has(run.subject)) problems.push(`run ${run.id} belongs to no alarm: ${run.subject}`)
  if (doubledMessages > kills) problems.push(`${doubledMessages} messages doubled by ${kills} kills`)
  problems.push(...judgeTogether(evidence, doubledCalls))

  return {
    problems,
    lost,
    doubledWebhooks,
    repeatedRequests,
    doubledMessages,
    calls: alarms.filter(({ number }) => number !== undefined).length,
    doubledCalls,
    takenUp,
    unknownCalls,
    uncertainAttempts: runs
      .flatMap((run) => run.targets.flatMap((target) => target.attempts))
      .filter((attempt) => attempt.state === "uncertain").length,
    targets,
    duplicates: runs.filter((run) => run.state === "duplicate").length
  }
}
