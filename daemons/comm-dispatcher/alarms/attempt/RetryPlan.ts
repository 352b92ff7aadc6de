/**
 * Decides the next state of a target. Pure: no clock, no I/O; times are epoch milliseconds.
 *
 *   pending ──claim──▶ attempting ──▶ delivered, failed, pending (again, at `dueAt`) or uncertain (again, at once)
 *   uncertain with a `dueAt` ──claim──▶ attempting, marked as a possible repeat
 *   any open state ──suppress──▶ suppressed
 *
 * `RETRY:NxMm` allows N attempts with M minutes between them; without it one attempt. In addition, each bounded:
 * - A pause that the receiver asks for (`retryAfter`) costs no attempt, for at most `deferralBudget` since the first.
 * - Without RETRY, a failure that sent nothing is repeated after `quickRepeatPauses`: a short network fault must not
 *   end an alarm with one attempt.
 * - An attempt whose process died costs no attempt. Idempotent channels repeat it under the same key; others repeat it
 *   as `uncertain`, marked. `maxInterruptions` ends a target that crashes its process.
 * - No answer on a channel that is not idempotent (`reached: perhaps`): `uncertain` and one marked repeat
 *   (`maxUncertainRepeats`); after that a failed attempt.
 * - `doubt: settle` (a call below CRITICAL): an uncertain outcome is a failed attempt; repeats by RETRY are marked.
 * - A channel that is away (`fault: channel`) costs its target no attempt, for at most `outageBudget` since the outage
 *   began; the budget is short when the target has a fallback.
 *
 * A target that is not tried again ends `failed` only when no attempt can have arrived. Else it ends `uncertain`,
 * without a `dueAt`: the receiver may have acted on an attempt that was sent and never answered.
 */
import { Schema } from "effect"
import type { Outcome, Retryable } from "../../channels/Exports.ts"
import { TargetState } from "../../runs/Exports.ts"
import type { AlarmRetry } from "../subject/AlarmSubject.ts"

/** The ledger's record of a target. All counts start at 0. */
export const Target = Schema.Struct({
  state: TargetState,
  /** When it may be claimed; null unless pending or uncertain, and for a fallback whose turn has not come. */
  dueAt: Schema.NullOr(Schema.Finite),
  /** When the attempt under way was due. The wait for a turn is measured from here. */
  since: Schema.NullOr(Schema.Finite),
  /** Attempts that count against the N of RETRY. */
  attempts: Schema.Int,
  /** Attempts begun, with any outcome. Receivers see this number. */
  begun: Schema.Int,
  quickRepeats: Schema.Int,
  interruptions: Schema.Int,
  uncertainRepeats: Schema.Int,
  /** When the receiver first asked for a pause. */
  deferredSince: Schema.NullOr(Schema.Finite),
  /** Begin of the channel's outage; null once it answered. */
  awaySince: Schema.NullOr(Schema.Finite),
  /**
   * An earlier attempt may have arrived. Messages and calls say so in every repeat of that part; a webhook repeats its
   * key.
   */
  possibleSecond: Schema.Boolean,
  /** Parts of the message that were sent. The next attempt continues after them. */
  partsSent: Schema.Int,
  /** Reason of the last outcome. */
  reason: Schema.NullOr(Schema.String)
})
export type Target = typeof Target.Type

/** `Interrupted`: the process that held the claim died before the attempt ended. */
export type AttemptEnd = Outcome | { readonly _tag: "Interrupted" }

export interface Plan {
  /** RETRY of the subject; undefined without one. */
  readonly retry: AlarmRetry | undefined
  /** The receiver recognises a repeat by its key (webhook), so repeats need no mark. */
  readonly idempotent: boolean
  /** After an attempt of unknown outcome: one marked repeat, or only the attempts of RETRY. */
  readonly doubt: "repeat" | "settle"
  /** Shortest pause before the repeat of an attempt with unknown outcome. Unit: minutes. */
  readonly doubtPause: number
  /** The target has a fallback. */
  readonly hasFallback: boolean
  /** Length of a minute. Unit: milliseconds. Other values than 60,000 are for tests. */
  readonly minute: number
}

/** Shortest pause. Unit: minutes. Reason: RETRY:Nx0m means "at once", not a busy loop; a second. */
export const leastPause = 1 / 60

/**
 * Pauses before repeats without RETRY, when nothing was sent. Unit: minutes. Reason: 2 s bridge a restarting receiver,
 * 10 s a switched route. RETRY covers longer outages.
 */
export const quickRepeatPauses: ReadonlyArray<number> = [2 / 60, 10 / 60]

/**
 * Maximum number of interruptions of one target. Reason: far above what independent crashes reach; ends a target that
 * causes them.
 */
export const maxInterruptions = 20

/**
 * Maximum number of repeats after an unknown outcome. Reason: a receiver may get one marked duplicate, not a series.
 */
export const maxUncertainRepeats = 1

/**
 * Longest time for which a receiver may postpone an attempt. Unit: milliseconds of real time, because receivers use it
 * (not scaled by `minute`). Reason: an hour of "later" is a refusal.
 */
export const deferralBudget = 3_600_000

/**
 * Bounds of one pause that a receiver asks for. Unit: milliseconds. Reason: 0 would be a busy loop; after more than 15
 * minutes an alarm is too late.
 */
export const deferralBounds = { least: 1_000, most: 900_000 } as const

/**
 * How long a channel may be away until its target fails. Unit: minutes. Reason: an alarm is useless after a day; a
 * target with a fallback waits one minute.
 */
export const outageBudget = { alone: 1_440, withFallback: 1 } as const

/**
 * Bounds of the pauses during an outage, which double. Unit: minutes. Reason: seconds for a restart, 30 s for the rest.
 */
export const outagePauses = { least: 1 / 60, most: 0.5 } as const

/** `now`: when it is due. Null: a fallback that is not active. */
export const initial = (now: number | null): Target => ({
  state: "pending",
  dueAt: now,
  since: null,
  attempts: 0,
  begun: 0,
  quickRepeats: 0,
  interruptions: 0,
  uncertainRepeats: 0,
  deferredSince: null,
  awaySince: null,
  possibleSecond: false,
  partsSent: 0,
  reason: null
})

/** Nothing more will be sent to the target. */
export const isFinal = (target: Pick<Target, "state" | "dueAt">): boolean =>
  ["delivered", "failed", "suppressed"].includes(target.state) ||
  (target.state === "uncertain" && target.dueAt === null)

/** Whether the target ended without a delivery that is known, so that a fallback takes over. */
export const isMissed = (target: Pick<Target, "state" | "dueAt">): boolean =>
  target.state === "failed" || (target.state === "uncertain" && target.dueAt === null)

/** The record to commit before the delivery starts; undefined when the target is not due or not open. */
export const claim = (target: Target, now: number): Target | undefined =>
  target.dueAt === null || target.dueAt > now || !isOpen(target)
    ? undefined
    : { ...target, state: "attempting", dueAt: null, since: target.dueAt, begun: target.begun + 1 }

/**
 * The target after a refused turn: its channel is away or asks for a pause until `until`. No attempt was made. Failed
 * when the outage exceeds its budget.
 */
export const putOff = (
  target: Target,
  until: number,
  reason: string,
  away: boolean,
  now: number,
  plan: Plan
): Target => {
  if (!isOpen(target)) return target
  if (!away) return { ...target, dueAt: until, reason }
  const awaySince = target.awaySince ?? now
  return now - awaySince >= budgetOf(plan)
    ? ended({ ...target, awaySince }, reason)
    : { ...target, dueAt: until, awaySince, reason }
}

/** Makes a fallback due. */
export const activate = (target: Target, now: number): Target =>
  target.state === "pending" && target.dueAt === null ? { ...target, dueAt: now } : target

/** Suppresses an open target after an acknowledgement. An attempt under way is not stopped. */
export const suppress = (target: Target, reason: string): Target =>
  isOpen(target) ? { ...target, state: "suppressed", dueAt: null, reason } : target

/**
 * The target after an ended attempt. Only an attempting target changes, so a late report of an old claim is ignored.
 */
export const decide = (target: Target, end: AttemptEnd, now: number, plan: Plan): Target => {
  if (target.state !== "attempting") return target
  switch (end._tag) {
    case "Delivered":
      return { ...target, state: "delivered", attempts: target.attempts + 1, awaySince: null, reason: end.detail }
    case "Permanent":
      return ended(
        { ...withPartsSent(target, end.progress?.partsSent ?? 0), attempts: target.attempts + 1 },
        end.reason
      )
    case "Interrupted":
      return interrupted(target, now, plan)
    case "Retryable":
      return failedOnce(withPartsSent(target, end.progress?.partsSent ?? 0), end, now, plan)
  }
}

/** Records the number of sent parts. The number only grows; a part in doubt is then no longer in doubt. */
export const withPartsSent = (target: Target, partsSent: number): Target =>
  partsSent <= target.partsSent ? target : { ...target, partsSent, possibleSecond: false }

const isOpen = (target: Target): boolean =>
  target.state === "pending" || (target.state === "uncertain" && target.dueAt !== null)

/** The target that is not tried again and was not delivered as far as we know. */
const ended = (target: Target, reason: string): Target => ({
  ...target,
  state: target.possibleSecond ? "uncertain" : "failed",
  dueAt: null,
  reason
})

const again = (target: Target, dueAt: number, reason: string): Target => ({
  ...target,
  state: "pending",
  dueAt,
  reason
})

const inDoubt = (target: Target, dueAt: number, reason: string): Target => ({
  ...target,
  state: "uncertain",
  dueAt,
  reason,
  possibleSecond: true
})

const interrupted = (target: Target, now: number, plan: Plan): Target => {
  const counted = { ...target, interruptions: target.interruptions + 1, possibleSecond: true }
  if (counted.interruptions > maxInterruptions) return ended(counted, `interrupted ${counted.interruptions} times`)
  if (plan.idempotent) return again(counted, now, "interrupted")
  if (plan.doubt === "settle")
    return failedOnce(
      counted,
      { _tag: "Retryable", reason: "interrupted; how it ended is not known", reached: "perhaps" },
      now,
      plan
    )
  return inDoubt(counted, now + plan.doubtPause * plan.minute, "interrupted")
}

const failedOnce = (before: Target, end: Retryable, now: number, plan: Plan): Target => {
  const { reached, reason, retryAfter } = end
  const wanted =
    retryAfter === undefined ? 0 : Math.min(Math.max(retryAfter, deferralBounds.least), deferralBounds.most)
  const doubtful = reached === "perhaps" && !plan.idempotent && plan.doubt === "repeat"
  if (end.fault === "channel" && !doubtful) {
    const awaySince = before.awaySince ?? now
    return now - awaySince < budgetOf(plan)
      ? again({ ...before, awaySince }, now + Math.max(outagePause(now - awaySince, plan), wanted), reason)
      : ended({ ...before, awaySince }, reason)
  }
  const target = { ...before, awaySince: null, possibleSecond: before.possibleSecond || reached === "perhaps" }
  const deferredSince = target.deferredSince ?? now
  if (wanted > 0 && now + wanted - deferredSince <= deferralBudget)
    return again({ ...target, deferredSince }, now + wanted, reason)

  if (doubtful && target.uncertainRepeats < maxUncertainRepeats) {
    const pause = Math.max(leastPause, plan.doubtPause) * plan.minute
    return inDoubt({ ...target, uncertainRepeats: target.uncertainRepeats + 1 }, now + pause, reason)
  }
  const quick = quickRepeatPauses[target.quickRepeats]
  if (plan.retry === undefined && reached === "no" && quick !== undefined) {
    return again({ ...target, quickRepeats: target.quickRepeats + 1 }, now + quick * plan.minute, reason)
  }
  const attempts = target.attempts + 1
  if (attempts >= (plan.retry?.attempts ?? 1)) return ended({ ...target, attempts }, reason)
  const pause = Math.max(plan.retry?.pauseMinutes ?? 0, leastPause) * plan.minute
  return (doubtful ? inDoubt : again)({ ...target, attempts }, now + Math.max(pause, wanted), reason)
}

const budgetOf = (plan: Plan): number =>
  (plan.hasFallback ? outageBudget.withFallback : outageBudget.alone) * plan.minute

/** Pause during an outage: as long as the outage has lasted, within the bounds. */
const outagePause = (lasted: number, plan: Plan): number =>
  Math.min(Math.max(lasted, outagePauses.least * plan.minute), outagePauses.most * plan.minute)
