/**
 * One attempt to reach a person by telephone: the audio, the turn among all calls, the call and its outcome. After a
 * crash the switch is asked for the outcome.
 */
import { Clock, Deferred, Duration, Effect, Option, Queue, Result } from "effect"
import type { SqlClient } from "effect/sql"
import * as Backoff from "#core/supervision/Backoff.ts"
import { isAway } from "#core/sql/Sql.ts"
import * as GatewayCallerIds from "#core/telephony/GatewayCallerIds.ts"
import { detectLanguage } from "#core/words/DetectLanguage.ts"
import { EventSocket } from "#protocols/event-socket/EventSocket.ts"
import type { EventSocketError } from "#protocols/event-socket/EventSocketError.ts"
import { causeFromAnswer } from "#protocols/event-socket/HangupCause.ts"
import type { DeliveryKind, Severity, TargetOptions } from "../../vocabulary/Exports.ts"
import type { Outcome } from "../Outcome.ts"
import { audioOf, type Voice } from "./CallAudio.ts"
import { refusedNumber } from "./CallNumbers.ts"
import { CallLock, type Lease } from "./CallLock.ts"
import { type CallSettings, defaults, gatewayOf, repeatsWithin } from "./CallOptions.ts"
import * as CallPlan from "./CallPlan.ts"
import { found, initial } from "./CallProgress.ts"
import { isUnreadable, verdict } from "./CallVerdict.ts"
import { callWords } from "./CallWords.ts"
import { existsWithin, follow, itemsOf } from "./FollowCall.ts"
import { liveAttempts, waitUntilGone } from "./LiveCalls.ts"

/** The part of a delivery request that a call needs. */
export interface CallDelivery {
  /** In E.164 format. */
  readonly target: string
  readonly severity: Severity | null
  readonly text: string
  readonly possibleSecond: boolean
  /** Reason of the last outcome of this target. */
  readonly lastReason?: string | null
  readonly options: TargetOptions
  /** The channel's uuid; the same after a crash. */
  readonly attemptId: string
  /** `comm.call` for a request of one call, which nothing follows, so no key acknowledges it. */
  readonly eventType?: string
  readonly tenantId: number
  readonly kind: DeliveryKind
  /** When the attempt was due, epoch milliseconds. The wait for the turn is measured from here. */
  readonly dueAt: number
}

export interface CallContext {
  readonly settings: CallSettings
  readonly voice: Voice
  /** How long a call waits for other calls, from when it was due. The call lock uses the same limit. */
  readonly wait: Duration.Duration
  /** Interval of checks whether a silent call still exists (FollowCall). */
  readonly quiet?: Duration.Duration | undefined
}

/** Time for a new process, or a restarted switch, to connect. After it the call counts as not made. */
const connectPatience = Duration.seconds(3)
/** Pause before a call is tried again that was put off because the switch is away. Unit: milliseconds. */
const pauseWhileAway = 3_000
/** How long an inherited call is looked up while the switch does not answer. */
export const recoverPatience = Duration.seconds(30)
/** Time limit of the query for other calls, also after the wait. Unit: milliseconds. */
const ledgerPatience = 5_000
/** Time beyond ringing and the longest call, after which this process ends the call. Unit: milliseconds. */
const overtime = 30_000
/**
 * Upper bound of a call: ringing, the longest pause, and the longest message repeated as often as allowed. Unit:
 * milliseconds.
 */
const longestCall = 1_000 * CallPlan.ringBounds.most + CallPlan.maxPauseMs + CallPlan.maxRepeat * CallPlan.maxMessageMs

export type CallTurn =
  | { readonly _tag: "Go"; readonly deliver: (request: CallDelivery) => Effect.Effect<Outcome, never, Needs> }
  /** `until`: epoch milliseconds. The switch is away; nothing was begun. */
  | { readonly _tag: "PutOff"; readonly until: number; readonly reason: string; readonly away: true }

/**
 * Everything before dialling: the audio, and the turn among all calls, held until the scope ends. A crash until here
 * has called nobody.
 */
export const turn = Effect.fn("Call.turn")(function* (request: CallDelivery, given: CallContext) {
  const context = contextOf(request, given)
  const { settings, voice, wait } = context
  const { options } = request
  const gateway = gatewayOf(settings, options.gateway)
  if ("problem" in gateway) return failing(gateway.problem)
  const refused = refusedNumber(request.target, settings.costlyPrefixes)
  if (refused !== undefined) return failing(`the number ${refused}`)
  const away = yield* awayAfter(connectPatience)
  if (away !== undefined)
    return {
      _tag: "PutOff",
      until: (yield* Clock.currentTimeMillis) + pauseWhileAway,
      reason: away.message,
      away: true
    } satisfies CallTurn as CallTurn
  const heard = isUnreadable(request.lastReason)
    ? { audio: CallPlan.alarmTone, note: "a tone, because the switch could not read the audio before" }
    : yield* audioOf(voice, {
        text: callWords({
          ...request,
          language: options.language ?? detectLanguage(request.text) ?? settings.language,
          acknowledgement: settings.acknowledgement
        }),
        provider: options.tts_provider ?? defaults.provider,
        voice: options.tts_voice
      })
  const pauseMs = options.pause_ms ?? defaults.pauseMs
  const wanted = options.repeat ?? defaults.repeat
  const repeat = repeatsWithin(settings.longest, { pauseMs, messageMs: heard.audio.durationMs, repeat: wanted })
  const shortened =
    repeat < wanted ? `spoken ${repeat} of ${wanted} times, as a call lasts at most ${settings.longest} s` : undefined
  const callerId = settings.callerId ?? (yield* callerIdOf(gateway.name))
  const plan = (uuid: string) =>
    CallPlan.make({
      number: request.target,
      gateway: gateway.name,
      pauseMs,
      repeat,
      audio: heard.audio,
      uuid,
      ringTimeout: settings.ringTimeout,
      callerId,
      acknowledgement: settings.acknowledgement
    })
  // A call that cannot be dialled needs no turn.
  const tried = plan(request.attemptId)
  if (Result.isFailure(tried)) return failing(tried.failure)
  const lock = yield* CallLock
  const { dueAt, kind, severity, tenantId } = request
  const lease = yield* lock.take({ gateway: gateway.name, severity, dueAt, kind, tenantId })
  const until = request.dueAt + Duration.toMillis(wait)
  const before = lease.kind === "locked" ? yield* othersGone(until, request.attemptId) : undefined
  const deliver = Effect.fn("Call.deliver")(function* ({ attemptId }: CallDelivery) {
    const made = plan(attemptId)
    if (Result.isFailure(made)) return permanent(made.failure)
    // The ledger contains the attempt from here on. A process that takes over a lost lock waits for it.
    const since = yield* confirmed(lease, attemptId, until)
    const outcome = yield* Effect.scoped(dial(made.success, context))
    return annotated(outcome, [heard.note, shortened, since ?? before, yield* lease.note])
  })
  return { _tag: "Go", deliver } satisfies CallTurn as CallTurn
})

/** Takes the turn and makes the call. */
export const deliver = (request: CallDelivery, context: CallContext): Effect.Effect<Outcome, never, Needs> =>
  Effect.scoped(
    Effect.flatMap(turn(request, context), (turn) =>
      turn._tag === "Go"
        ? turn.deliver(request)
        : Effect.succeed<Outcome>({ _tag: "Retryable", reason: turn.reason, reached: "no", fault: "channel" })
    )
  )

/** The trunk's own number. A number that cannot be read, or not be dialled with, must not stop an alarm. */
const callerIdOf = (gateway: string) =>
  GatewayCallerIds.of(gateway).pipe(
    Effect.timeoutOption(Duration.millis(ledgerPatience)),
    Effect.map(Option.filter((number) => number !== undefined && CallPlan.isCallerId(number))),
    Effect.map(Option.getOrUndefined),
    Effect.catch(() => Effect.succeed(undefined))
  )

/** Offers no acknowledgement where none would stop anything. */
const contextOf = ({ eventType }: CallDelivery, context: CallContext): CallContext =>
  eventType === "comm.call" ? { ...context, settings: { ...context.settings, acknowledgement: false } } : context

const permanent = (reason: string): Outcome => ({ _tag: "Permanent", reason })
const failing = (reason: string): CallTurn => ({ _tag: "Go", deliver: () => Effect.succeed(permanent(reason)) })

/**
 * Waits for calls left over from a process that was killed, or that lost the lock, so that no two calls run at once.
 * `own`: the attempt that waits.
 */
const othersGone = Effect.fnUntraced(function* (until: number, own: string) {
  const patience = Math.max(ledgerPatience, until - (yield* Clock.currentTimeMillis))
  const left = yield* liveAttempts.pipe(
    // An attempt needs the same database, so skipping the wait during an outage gains nothing.
    Effect.retry({ while: isAway, schedule: Backoff.schedule(Backoff.eager) }),
    Effect.timeoutOrElse({ duration: Duration.millis(patience), orElse: () => Effect.succeed([]) }),
    // An unreadable ledger must not stop an alarm.
    Effect.catch(() => Effect.succeed([])),
    Effect.flatMap((attempts) =>
      waitUntilGone(
        attempts.filter(({ uuid }) => uuid !== own),
        until
      )
    )
  )
  return left.length === 0 ? undefined : "while an earlier call was still going on"
})

/**
 * Another process that got the lock may be calling. When the lock is regained, the calls of others are waited for
 * again.
 */
const confirmed = Effect.fnUntraced(function* (lease: Lease, own: string, until: number) {
  let overlapping: string | undefined
  while ((yield* lease.confirm) === "regained") overlapping = yield* othersGone(until, own)
  return overlapping
})

const dial = Effect.fnUntraced(function* (plan: CallPlan.CallPlan, { quiet, settings }: CallContext) {
  const socket = yield* EventSocket
  // Subscribes before dialling, or the first events are missed.
  const items = yield* itemsOf(plan.uuid)
  const timeout = Duration.seconds(plan.ringTimeout + 15)
  const refusal = yield* Deferred.make<Outcome>()
  yield* Effect.forkScoped(
    socket.bgapi(plan.command, { timeout }).pipe(
      Effect.matchEffect({
        onSuccess: () => Queue.offer(items, { _tag: "Job", cause: undefined }),
        onFailure: (error) => {
          const cause = error.reason._tag === "Rejected" ? causeFromAnswer(error.reason.answer) : undefined
          if (cause !== undefined) return Queue.offer(items, { _tag: "Job", cause })
          // A lost job result does not lose the call: the channel's events tell.
          return error.sent && error.reason._tag !== "Rejected"
            ? Effect.void
            : Deferred.succeed(refusal, notDialled(error))
        }
      })
    )
  )
  const until = (yield* Clock.currentTimeMillis) + (plan.ringTimeout + plan.hangupAfter) * 1_000 + overtime
  const { acknowledgement } = settings
  const following = follow(items, { uuid: plan.uuid, from: initial, acknowledgement, until, quiet })
  return yield* Effect.raceFirst(
    Effect.map(following, (progress) => verdict(progress, { ...plan, acknowledgement })),
    Deferred.await(refusal)
  )
})

/** Outcome of a failed command when no call can have resulted from it. */
const notDialled = (error: EventSocketError): Outcome =>
  error.reason._tag === "Rejected"
    ? { _tag: "Permanent", reason: `the switch refused the command (${error.reason.answer})`, fault: "channel" }
    : { _tag: "Retryable", reason: error.message, reached: "no", fault: "channel" }

/** Outcome of a call whose process died; none when it is unknown. */
export const recover = Effect.fn("Call.recover")(function* (
  request: CallDelivery,
  context: CallContext,
  patience = recoverPatience
) {
  const { quiet, settings } = contextOf(request, context)
  const { attemptId: uuid, options, target } = request
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const items = yield* itemsOf(uuid)
      if ((yield* existsWithin(uuid, patience)) !== true) return Option.none<Outcome>()
      const until = (yield* Clock.currentTimeMillis) + longestCall
      const progress = yield* follow(items, {
        uuid,
        from: found,
        acknowledgement: settings.acknowledgement,
        until,
        quiet
      })
      const measure = progress.carried
      const plan = {
        pauseMs: options.pause_ms ?? defaults.pauseMs,
        messageMs: 0,
        repeat: 1,
        graceMs: 0,
        ...measure,
        number: target,
        acknowledgement: settings.acknowledgement
      }
      const outcome = verdict(progress, plan)
      const known = outcome._tag !== "Retryable" || outcome.reached !== "perhaps"
      // Without the plan nobody can tell whether an answered call was heard.
      const judged =
        measure !== undefined ||
        !progress.answered ||
        (outcome._tag === "Delivered" && outcome.acknowledged !== undefined)
      return known && judged ? Option.some(outcome) : Option.none<Outcome>()
    })
  )
})

/** Waits for the connection to the switch. Returns why there is none; undefined when there is one. */
const awayAfter = Effect.fnUntraced(function* (patience: Duration.Duration) {
  const socket = yield* EventSocket
  const wait = Effect.gen(function* () {
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
  return outcome._tag === "Delivered"
    ? { ...outcome, detail: outcome.detail + more }
    : { ...outcome, reason: outcome.reason + more }
}

/** Services that a delivery needs. */
export type Needs = EventSocket | CallLock | SqlClient.SqlClient
