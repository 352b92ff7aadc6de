/**
 * What becomes of one target after one attempt. Pure: no clock, no I/O; times are epoch milliseconds.
 *
 *   pending ──claim──▶ attempting ──▶ delivered | failed | pending (again, at `dueAt`) | uncertain (again, at once)
 *   uncertain ──claim──▶ attempting, marked as a possible second;   any open state ──suppress──▶ suppressed
 *
 * `RETRY:NxMm` gives N attempts with M minutes between them; without it there is one. Beyond these, and each bounded:
 * - A pause the receiver asked for (`retryAfter`) uses up no attempt, for at most `deferralBudget` from the first on.
 * - Without RETRY, a failure that provably sent nothing is repeated after `quickRepeatPauses`: a blip of the network
 *   must not cost an alarm that named one attempt.
 * - An attempt whose process died goes again and uses up none: idempotent channels under the same key, unmarked; others
 *   as `uncertain`, marked. `maxInterruptions` ends a target that takes the process with it.
 * - A channel that is not idempotent and got no answer (`reached: perhaps`): `uncertain` and one marked repeat,
 *   `maxUncertainRepeats`; after that it is a failed attempt like any other.
 * - Not everything in doubt is worth a second one (`doubt: settle`, a call that is not grave): it is a failed attempt, and
 *   what RETRY still gives is marked.
 * - A channel that is away (`fault: channel`) is not its target's failure: it uses up no attempt, for at most `outageBudget`
 *   from the first on, and much less when a fallback stands ready.
 * `uncertain` is never an end: it has a `dueAt`, and what follows its repeat is decided as always.
 */
import { Schema } from "effect"
import type { Outcome, Retryable } from "../../channels/Exports.ts"
import type { AlarmRetry } from "../subject/AlarmSubject.ts"

export const TargetState = Schema.Literals(["pending", "attempting", "delivered", "failed", "uncertain", "suppressed"])
export type TargetState = typeof TargetState.Type

/** The ledger's record of one target. All counts start at 0. */
export const Target = Schema.Struct({
  state: TargetState,
  /** When it may be claimed; null unless pending or uncertain, and for a fallback whose turn has not come. */
  dueAt: Schema.NullOr(Schema.Finite),
  /** When the attempt under way was due: what a wait for a turn is counted from. */
  since: Schema.NullOr(Schema.Finite),
  /** Attempts that count against N. */
  attempts: Schema.Int,
  /** Attempts begun, whatever became of them: the number shown to receivers. */
  begun: Schema.Int,
  quickRepeats: Schema.Int,
  interruptions: Schema.Int,
  uncertainRepeats: Schema.Int,
  /** When the receiver first asked for a pause. */
  deferredSince: Schema.NullOr(Schema.Finite),
  /** Since when the channel itself has been away; null once it answered. */
  awaySince: Schema.NullOr(Schema.Finite),
  /** An earlier attempt may have arrived: every repeat of that part says so. */
  possibleSecond: Schema.Boolean,
  /** Parts of the message that have gone out; the next attempt goes on from there. */
  partsSent: Schema.Int,
  /** The last outcome in words. */
  reason: Schema.NullOr(Schema.String)
})
export type Target = typeof Target.Type

/** `Interrupted`: the process that held the claim died before it could say how the attempt ended. */
export type AttemptEnd = Outcome | { readonly _tag: "Interrupted" }

export interface Plan {
  /** From the subject; undefined when it holds no RETRY. */
  readonly retry: AlarmRetry | undefined
  /** The receiver recognises a repeat by its key (webhook), so that none needs a mark. */
  readonly idempotent: boolean
  /** What an attempt of unknown end is followed by: a marked repeat, or nothing but what RETRY still gives. */
  readonly doubt: "repeat" | "settle"
  /** Unit: minutes. How long after a doubt its repeat goes, at least. */
  readonly doubtPause: number
  /** Another channel stands ready for when this one fails. */
  readonly hasFallback: boolean
  /** Unit: milliseconds. 60,000 but in tests. */
  readonly minute: number
}

/** Unit: minutes. Reason: RETRY:Nx0m means "at once", not "as fast as the processor can": a second. */
export const leastPause = 1 / 60

/** Unit: minutes. Reason: 2 s bridges a restarting receiver, 10 s a switched route; longer outages are RETRY's. */
export const quickRepeatPauses: ReadonlyArray<number> = [2 / 60, 10 / 60]

/** Unit: interruptions of one target. Reason: far above what crashes do by chance; ends a target that causes them. */
export const maxInterruptions = 20

/** Unit: repeats. Reason: whoever got the first may get one more, marked; not a series. */
export const maxUncertainRepeats = 1

/** Unit: milliseconds, real ones: receivers count in theirs. Reason: an hour of "later" is a refusal. */
export const deferralBudget = 3_600_000

/** Unit: milliseconds. Bounds of one pause that a receiver asks for. Reason: 0 would be a busy loop; a quarter of an hour still lets the alarm be one. */
export const deferralBounds = { least: 1_000, most: 900_000 } as const

/**
 * Unit: minutes. How long a channel may be away before that counts as the target's failure. Reason: an alarm a day old is
 * history; with a fallback in hand a minute of hoping is enough.
 */
export const outageBudget = { alone: 1_440, withFallback: 1 } as const

/** Unit: minutes. Pauses while a channel is away double between these. Reason: seconds for a restart, 30 s for the rest. */
export const outagePauses = { least: 1 / 60, most: 0.5 } as const

/** `now`: due at once; null: a fallback, due when its turn comes. */
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

/** Nothing more will be sent. */
export const isFinal = (target: Target): boolean => ["delivered", "failed", "suppressed"].includes(target.state)

/** The target as it must be committed before the attempt's I/O; undefined when there is nothing to claim (yet). */
export const claim = (target: Target, now: number): Target | undefined =>
  target.dueAt === null || target.dueAt > now || !isOpen(target)
    ? undefined
    : { ...target, state: "attempting", dueAt: null, since: target.dueAt, begun: target.begun + 1 }

/**
 * The target whose turn was not given because its channel is away or wants a pause until `until`: no attempt was made.
 * Failed when that has lasted too long.
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
    ? { ...target, state: "failed", dueAt: null, awaySince, reason }
    : { ...target, dueAt: until, awaySince, reason }
}

/** A fallback whose turn has come. */
export const activate = (target: Target, now: number): Target =>
  target.state === "pending" && target.dueAt === null ? { ...target, dueAt: now } : target

/** After an acknowledgement: what is not already over is not sent again. An attempt under way is left to end. */
export const suppress = (target: Target, reason: string): Target =>
  isOpen(target) ? { ...target, state: "suppressed", dueAt: null, reason } : target

/** What the end of an attempt makes of its target. Only an attempting target changes: a late report of an old claim does not. */
export const decide = (target: Target, end: AttemptEnd, now: number, plan: Plan): Target => {
  if (target.state !== "attempting") return target
  switch (end._tag) {
    case "Delivered":
      return { ...target, state: "delivered", attempts: target.attempts + 1, awaySince: null, reason: end.detail }
    case "Permanent":
      return {
        ...withPartsSent(target, end.progress?.partsSent ?? 0),
        state: "failed",
        attempts: target.attempts + 1,
        reason: end.reason
      }
    case "Interrupted":
      return interrupted(target, now, plan)
    case "Retryable":
      return failedOnce(withPartsSent(target, end.progress?.partsSent ?? 0), end, now, plan)
  }
}

/** Notes that so many parts have gone out. Only ever grows; the part that was in doubt is then behind us. */
export const withPartsSent = (target: Target, partsSent: number): Target =>
  partsSent <= target.partsSent ? target : { ...target, partsSent, possibleSecond: false }

const isOpen = (target: Target): boolean => target.state === "pending" || target.state === "uncertain"

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
  const counted = { ...target, interruptions: target.interruptions + 1 }
  if (counted.interruptions > maxInterruptions)
    return { ...counted, state: "failed", reason: `interrupted ${counted.interruptions} times` }
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
      : { ...before, state: "failed", awaySince, reason }
  }
  const target = {
    ...before,
    awaySince: null,
    possibleSecond: before.possibleSecond || (reached === "perhaps" && !plan.idempotent)
  }
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
  if (attempts >= (plan.retry?.attempts ?? 1)) return { ...target, state: "failed", attempts, reason }
  const pause = Math.max(plan.retry?.pauseMinutes ?? 0, leastPause) * plan.minute
  return (doubtful ? inDoubt : again)({ ...target, attempts }, now + Math.max(pause, wanted), reason)
}

const budgetOf = (plan: Plan): number =>
  (plan.hasFallback ? outageBudget.withFallback : outageBudget.alone) * plan.minute

/** As long again as the outage has lasted, within the bounds. */
const outagePause = (lasted: number, plan: Plan): number =>
  Math.min(Math.max(lasted, outagePauses.least * plan.minute), outagePauses.most * plan.minute)
