/**
 * Judges the calls of a crash run: compares each target in the ledger with the calls at the switch. Pure. Verdict.ts
 * judges the other channels and the runs.
 */
import type { TargetView } from "#daemons/comm-dispatcher/runs/RunViews.ts"
import { type Alarm, retryAttempts } from "./Load.ts"
import { type CutCall, type Dialled, repeat, spokenAs } from "./Telephone.ts"

export interface CallEvidence {
  readonly dialled: ReadonlyArray<Dialled>
  /** Largest number of concurrent calls. */
  readonly mostAtOnce: number
  /** Calls in progress at a kill. */
  readonly cut: ReadonlyArray<CutCall>
  readonly kills: number
}

export interface TargetVerdict {
  readonly problems: ReadonlyArray<string>
  readonly lost: boolean
  /** The target is uncertain: the end of its last call is unknown, and its severity does not allow a repeat. */
  readonly unknown: boolean
  /** The end of its last call is known, and the message was heard. */
  readonly known: boolean
  /** Answered calls beyond the first. */
  readonly doubled: number
}

const isGrave = ({ severity }: Alarm) => severity === "ALERT" || severity === "CRITICAL"

/** Judges the call of one alarm. */
export const judgeCall = (
  alarm: Alarm,
  target: TargetView | undefined,
  dialled: ReadonlyArray<Dialled>
): TargetVerdict => {
  const problems: Array<string> = []
  const attempts = target?.attempts ?? []
  const uncertain = attempts.filter(({ state }) => state === "uncertain")
  const counted = attempts.filter(({ state }) => state === "failed" || state === "uncertain")
  const unknown =
    target?.state === "uncertain" &&
    !isGrave(alarm) &&
    uncertain.length > 0 &&
    counted.length >= (alarm.failures > 0 ? retryAttempts : 1)
  const lost = !unknown && (target?.state !== "delivered" || !dialled.some(({ heard }) => heard >= repeat))
  if (lost)
    problems.push(
      `its call is ${target?.state ?? "missing"} in the ledger (${target?.reason}) and was heard ${dialled.map(({ heard }) => heard).join(", ") || "by nobody"}`
    )

  const answered = dialled.filter((call) => call.answered !== undefined)
  const doubled = Math.max(0, answered.length - 1)
  if (doubled > uncertain.length)
    problems.push(`${answered.length} calls were answered but ${uncertain.length} attempts are uncertain`)
  if (dialled.length > attempts.length) problems.push(`${dialled.length} calls but ${attempts.length} attempts`)
  for (const [index, call] of dialled.entries()) {
    const before = uncertain.filter(
      ({ finished_at }) => finished_at !== null && Date.parse(finished_at) <= call.started
    )
    const marked = call.audio === spokenAs(alarm.severity, alarm.body, true)
    if (!marked && call.audio !== spokenAs(alarm.severity, alarm.body, false))
      problems.push(`call ${index + 1} says something else: ${call.audio}`)
    if (before.length > 0 && !marked)
      problems.push(`call ${index + 1} of ${dialled.length} does not say that it may be the second`)
    if (before.length === 0 && marked)
      problems.push(`call ${index + 1} says that it may be the second though nothing was uncertain`)
  }
  const last = attempts.at(-1)
  if (uncertain.some((attempt) => attempt !== last) && target?.possible_second !== true)
    problems.push("its target is not marked as a possible second")
  return {
    problems,
    lost,
    unknown,
    known: target?.state === "delivered" && attempts.at(-1)?.state === "delivered",
    doubled
  }
}

/** Judges all calls together. `doubled`: sum over the single verdicts. */
export const judgeTogether = (
  { cut, dialled, kills, mostAtOnce }: CallEvidence,
  doubled: number
): ReadonlyArray<string> => {
  const unasked = cut.filter(({ asked, orphaned }) => orphaned && !asked)
  return [
    ...(mostAtOnce > 1 ? [`${mostAtOnce} alarm calls at once`] : []),
    ...(doubled > kills ? [`${doubled} calls doubled by ${kills} kills`] : []),
    ...(new Set(dialled.map(({ uuid }) => uuid)).size < dialled.length ? ["an attempt was dialled twice"] : []),
    ...dialled
      .filter(({ ended }) => ended === undefined)
      .map(({ number }) => `the call to ${number} is still going on`),
    ...unasked.map(({ uuid }) => `nobody asked after ${uuid}, whose process was killed`)
  ]
}
