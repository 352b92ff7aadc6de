/**
 * One attempt at telling somebody by telephone: audio first, then the turn, then the call, and how it ended. After a crash
 * the switch is asked what became of it.
 */
import { Clock, Deferred, Duration, Effect, Queue, Result } from "effect"
import type { SqlClient } from "effect/sql"
import { EventSocket } from "#protocols/event-socket/EventSocket.ts"
import type { EventSocketError } from "#protocols/event-socket/EventSocketError.ts"
import { causeFromAnswer } from "#protocols/event-socket/HangupCause.ts"
import type { Severity } from "../../AlarmSubject.ts"
import type { TargetOptions } from "../../TargetSpec.ts"
import type { Outcome } from "../Outcome.ts"
import { audioOf, type Voice } from "./CallAudio.ts"
import { CallLock } from "./CallLock.ts"
import { type CallSettings, defaults, gatewayOf } from "./CallOptions.ts"
import * as CallPlan from "./CallPlan.ts"
import { found, initial } from "./CallProgress.ts"
import { verdict } from "./CallVerdict.ts"
import { callWords } from "./CallWords.ts"
import { existsWithin, follow, itemsOf } from "./FollowCall.ts"
import { liveAttempts, waitUntilGone } from "./LiveCalls.ts"

/** What a call needs of a delivery request. */
export interface CallDelivery {
  /** E.164. */
  readonly target: string
  readonly severity: Severity | null
  readonly text: string
  readonly possibleSecond: boolean
  readonly options: TargetOptions
  /** The channel's uuid: the same after a crash. */
  readonly attemptId: string
  /** When it was due, epoch milliseconds; its wait for the turn counts from here. */
  readonly dueAt: number
}

export interface CallContext {
  readonly settings: CallSettings
  readonly voice: Voice
  /** How long a call waits for others to be over, from when it was due. The lock's own wait. */
  readonly wait: Duration.Duration
  /** See FollowCall. */
  readonly quiet?: Duration.Duration | undefined
}

/** How long a process that has just started, or a switch that restarts, has to connect before a call counts as not made. */
const connectPatience = Duration.seconds(3)
/** How long an inherited call is asked after while the switch does not answer. */
export const recoverPatience = Duration.seconds(30)
/** Beyond ringing and the longest call, before we end it ourselves. Unit: milliseconds. */
const overtime = 30_000
/** Unit: milliseconds. No call lasts longer: ringing, the longest pause, and the longest message as often as may be. */
const longestCall = 1_000 * CallPlan.ringBounds.most + CallPlan.maxPauseMs + CallPlan.maxRepeat * CallPlan.maxMessageMs

export const deliver = Effect.fn("Call.deliver")(function*(request: CallDelivery, context: CallContext) {
  const { settings, voice } = context
  const { options } = request
  const gateway = gatewayOf(settings, options.gateway)
  if ("problem" in gateway) return { _tag: "Permanent", reason: gateway.problem } satisfies Outcome as Outcome
  const away = yield* awayAfter(connectPatience)
  if (away !== undefined) return notDialled(away)
  const heard = yield* audioOf(voice, {
    text: callWords({ ...request, language: settings.language, acknowledgement: settings.acknowledgement }),
    provider: options.tts_provider ?? defaults.provider,
    voice: options.tts_voice
  })
  const made = CallPlan.make({
    number: request.target,
    gateway: gateway.name,
    pauseMs: options.pause_ms ?? defaults.pauseMs,
    repeat: options.repeat ?? defaults.repeat,
    audio: heard.audio,
    uuid: request.attemptId,
    ringTimeout: settings.ringTimeout,
    callerId: settings.callerId,
    acknowledgement: settings.acknowledgement
  })
  if (Result.isFailure(made)) return { _tag: "Permanent", reason: made.failure } satisfies Outcome as Outcome
  const plan = made.success
  return yield* Effect.scoped(Effect.gen(function*() {
    const lock = yield* CallLock
    const lease = yield* lock.take({ gateway: gateway.name, severity: request.severity, dueAt: request.dueAt })
    const overlapping = lease.kind === "locked" ? yield* othersGone(plan.uuid, request.dueAt + Duration.toMillis(context.wait)) : undefined
    const outcome = yield* dial(plan, context)
    return annotated(outcome, [heard.note, overlapping, yield* lease.note])
  }))
})

/** A call may be left over from a process that was killed, or that lost the lock: dialling beside it would be two at once. */
const othersGone = Effect.fnUntraced(function*(own: string, until: number) {
  // The ledger not being readable must not keep an alarm from being told.
  const left = yield* liveAttempts(own).pipe(Effect.flatMap((uuids) => waitUntilGone(uuids, until)), Effect.catch(() => Effect.succeed([])))
  return left.length === 0 ? undefined : "while an earlier call was still going on"
})

const dial = Effect.fnUntraced(function*(plan: CallPlan.CallPlan, { quiet, settings }: CallContext) {
  const socket = yield* EventSocket
  // Heard from before it is dialled, or the first events are missed.
  const items = yield* itemsOf(plan.uuid)
  const timeout = Duration.seconds(plan.ringTimeout + 15)
  const refusal = yield* Deferred.make<Outcome>()
  yield* Effect.forkScoped(socket.bgapi(plan.command, { timeout }).pipe(
    Effect.matchEffect({
      onSuccess: () => Queue.offer(items, { _tag: "Job", cause: undefined }),
      onFailure: (error) => {
        const cause = error.reason._tag === "Rejected" ? causeFromAnswer(error.reason.answer) : undefined
        if (cause !== undefined) return Queue.offer(items, { _tag: "Job", cause })
        // Where the job's result is lost, the call is not: its channel tells.
        return error.sent && error.reason._tag !== "Rejected" ? Effect.void : Deferred.succeed(refusal, notDialled(error))
      }
    })
  ))
  const until = (yield* Clock.currentTimeMillis) + (plan.ringTimeout + plan.hangupAfter) * 1_000 + overtime
  const { acknowledgement } = settings
  const following = follow(items, { uuid: plan.uuid, from: initial, acknowledgement, until, quiet })
  return yield* Effect.raceFirst(Effect.map(following, (progress) => verdict(progress, { ...plan, acknowledgement })), Deferred.await(refusal))
})

/** What a command that failed says when no call can have come of it. */
const notDialled = (error: EventSocketError): Outcome =>
  error.reason._tag === "Rejected"
    ? { _tag: "Permanent", reason: `the switch refused the command (${error.reason.answer})`, fault: "channel" }
    : { _tag: "Retryable", reason: error.message, reached: "no", fault: "channel" }

/** What became of a call whose process died: its outcome, or undefined when nobody knows. */
export const recover = Effect.fn("Call.recover")(function*(request: CallDelivery, { quiet, settings }: CallContext, patience = recoverPatience) {
  const { attemptId: uuid, options, target } = request
  return yield* Effect.scoped(Effect.gen(function*() {
    const items = yield* itemsOf(uuid)
    if ((yield* existsWithin(uuid, patience)) !== true) return undefined
    const until = (yield* Clock.currentTimeMillis) + longestCall
    const progress = yield* follow(items, { uuid, from: found, acknowledgement: settings.acknowledgement, until, quiet })
    const measure = progress.carried
    const plan = { pauseMs: options.pause_ms ?? defaults.pauseMs, messageMs: 0, repeat: 1, graceMs: 0, ...measure, number: target, acknowledgement: settings.acknowledgement }
    const outcome = verdict(progress, plan)
    const known = outcome._tag !== "Retryable" || outcome.reached !== "perhaps"
    // Without its measure nobody can say whether an answered call was heard.
    return known && (measure !== undefined || !progress.answered || (outcome._tag === "Delivered" && outcome.acknowledged !== undefined)) ? outcome : undefined
  }))
})

/** Why there is no connection to the switch, after so long a wait for one; undefined when there is. */
const awayAfter = Effect.fnUntraced(function*(patience: Duration.Duration) {
  const socket = yield* EventSocket
  const wait = Effect.gen(function*() {
    while (!(yield* socket.connected)) yield* Effect.sleep(Duration.millis(100))
  })
  if ((yield* Effect.timeoutOption(wait, patience))._tag === "Some") return undefined
  const asked = yield* Effect.result(socket.api("uptime s"))
  return Result.isFailure(asked) ? asked.failure : undefined
})

const annotated = (outcome: Outcome, notes: ReadonlyArray<string | undefined>): Outcome => {
  const said = notes.filter((note) => note !== undefined)
  if (said.length === 0) return outcome
  const more = `; ${said.join("; ")}`
  return outcome._tag === "Delivered" ? { ...outcome, detail: outcome.detail + more } : { ...outcome, reason: outcome.reason + more }
}

/** What deliveries need of their surroundings. */
export type Needs = EventSocket | CallLock | SqlClient.SqlClient
