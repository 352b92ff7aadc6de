/**
 * Implementation of the `EventSocket` service: the open connection, the pending jobs and the listeners. See
 * EventSocket.ts.
 */
import { Deferred, Duration, Effect, Layer, Redacted, Result } from "effect"
import { randomUUID } from "node:crypto"
import { Channels } from "./Channels.ts"
import * as Commands from "./Commands.ts"
import { answerText, Connection } from "./Connection.ts"
import { defaultPort, EventSocket, type EventSocketOptions } from "./EventSocket.ts"
import { EventSocketError, type EventSocketReason, maxAnswerKept } from "./EventSocketError.ts"
import type { Message } from "./Framing.ts"
import type { SwitchEvent } from "./SwitchEvent.ts"

/**
 * Limit for each step of the handshake: TCP with the switch's request to authenticate, `auth`, `event`. Reason: in the
 * same network each takes milliseconds; the switch drops an unauthenticated client after 25 s.
 */
export const handshakeTimeout = Duration.seconds(5)

/** Limit for `api`. Reason: it blocks the connection, so only short commands use it. */
export const apiTimeout = Duration.seconds(3)

/**
 * Limit for `bgapi`. Reason: an originate waits 60 s for an answer by default, and call setup in the callee's network
 * takes extra time.
 */
export const jobTimeout = Duration.seconds(90)

/**
 * Interval between probes of the switch. Reason: with `probeTimeout`, a dead switch is detected within 15 s, early in a
 * call.
 */
export const probeInterval = Duration.seconds(10)

/**
 * Limit for the answer to a probe. Reason: longer than `apiTimeout`, because the probe may wait behind an `api`
 * command.
 */
export const probeTimeout = Duration.seconds(5)

/** Events that calls need. Every client receives all BACKGROUND_JOB events; ours are recognised by their uuid. */
export const subscribed = [
  "CHANNEL_CREATE",
  "CHANNEL_PROGRESS",
  "CHANNEL_PROGRESS_MEDIA",
  "CHANNEL_ANSWER",
  "CHANNEL_EXECUTE_COMPLETE",
  "CHANNEL_HANGUP",
  "CHANNEL_HANGUP_COMPLETE",
  "CHANNEL_DESTROY",
  "PLAYBACK_START",
  "PLAYBACK_STOP",
  "DTMF",
  "BACKGROUND_JOB"
] as const

type Job = Deferred.Deferred<string, EventSocketReason>

/** Builds the service without connecting; only `keep` connects. */
export const layer = (options: EventSocketOptions): Layer.Layer<EventSocket> =>
  Layer.sync(EventSocket, () => make(options))

const make = (options: EventSocketOptions): EventSocket["Service"] => {
  const patience = options.handshakeTimeout ?? handshakeTimeout
  const channels = new Channels()
  const jobs = new Map<string, Job>()
  let up: Connection | undefined
  let keeping = false
  let why = "not dialled yet"

  const onEvent = (event: SwitchEvent): void => {
    if (event.name !== "BACKGROUND_JOB") return channels.hear(event)
    const job = jobs.get((event.headers["Job-UUID"] ?? "").toLowerCase())
    if (job !== undefined) Deferred.doneUnsafe(job, Effect.succeed(event.body.trimEnd()))
  }
  const onEnd = (reason: EventSocketReason): void => {
    up = undefined
    why = "why" in reason ? reason.why : reason._tag
    channels.lost()
    // The switch may have accepted these jobs, and then continues them.
    for (const job of jobs.values()) Deferred.doneUnsafe(job, Effect.fail({ _tag: "Lost", why, sent: true }))
  }

  const open = Effect.acquireRelease(
    Effect.sync(() => new Connection(options.host, options.port ?? defaultPort, { onEvent, onEnd })),
    (connection) => Effect.sync(() => connection.end({ _tag: "Lost", why: "closed here", sent: true }))
  )
  /** Sends one command of the handshake; fails unless the answer is `+OK`. */
  const shake = Effect.fnUntraced(function* (
    connection: Connection,
    command: Commands.Command,
    otherwise: (answer: string) => EventSocketReason
  ) {
    const text = yield* Effect.mapError(Effect.fromResult(command), (why): EventSocketReason => ({
      _tag: "Protocol",
      why,
      sent: false
    }))
    const answer = answerText(yield* within(patience, Deferred.await(connection.send(text))))
    if (!answer.startsWith("+OK")) return yield* Effect.fail(otherwise(answer))
  })
  const probe = (connection: Connection) =>
    Effect.suspend(() =>
      within(options.probeTimeout ?? probeTimeout, Deferred.await(connection.send("api uptime s\n\n")))
    ).pipe(Effect.delay(options.probeInterval ?? probeInterval), Effect.forever)

  const keep = Effect.gen(function* () {
    yield* Effect.acquireRelease(
      Effect.suspend(() => {
        if (keeping) return Effect.die(new Error("the event socket is kept already"))
        keeping = true
        return Effect.void
      }),
      () => Effect.sync(() => (keeping = false))
    )
    const connection = yield* open
    yield* within(patience, Deferred.await(connection.greeted))
    yield* shake(connection, Commands.auth(Redacted.value(options.password)), () => ({
      _tag: "Refused",
      by: "password"
    }))
    yield* shake(connection, Commands.eventJson(options.names ?? subscribed, options.subclasses), (answer) => ({
      _tag: "Rejected",
      answer: bounded(answer)
    }))
    // The connection may have ended since the last answer. It must not be stored in `up` then, because nothing would
    // remove it.
    if (Deferred.isDoneUnsafe(connection.ended)) return yield* Deferred.await(connection.ended)
    up = connection
    channels.back()
    return yield* Effect.raceFirst(Deferred.await(connection.ended), probe(connection))
  }).pipe(
    Effect.scoped,
    Effect.mapError((reason) => new EventSocketError({ command: "connect", reason })),
    // Commands that fail with `NotConnected` report this reason.
    Effect.tapError(({ message }) => Effect.sync(() => (why = message)))
  )

  /** Sends a command on the open connection. The send is synchronous; only the returned effect waits for the answer. */
  const send = (
    command: Commands.Command
  ): Effect.Effect<Effect.Effect<Message, EventSocketReason>, EventSocketReason> =>
    Effect.suspend(() => {
      if (Result.isFailure(command))
        return Effect.fail<EventSocketReason>({ _tag: "Protocol", why: command.failure, sent: false })
      if (up === undefined) return Effect.fail<EventSocketReason>({ _tag: "NotConnected", why })
      return Effect.succeed(Deferred.await(up.send(command.success)))
    })

  const runJob = (command: string, jobUuid: string): Effect.Effect<string, EventSocketReason> =>
    Effect.suspend(() => {
      if (jobs.has(jobUuid))
        return Effect.fail<EventSocketReason>({
          _tag: "Protocol",
          why: "a job of this uuid is awaited already",
          sent: false
        })
      const job: Job = Deferred.makeUnsafe()
      jobs.set(jobUuid, job)
      return send(Commands.bgapi(command, jobUuid)).pipe(
        Effect.flatMap((reply) =>
          Effect.raceFirst(Deferred.await(job), Effect.andThen(Effect.flatMap(reply, accepted(jobUuid)), Effect.never))
        ),
        Effect.ensuring(Effect.sync(() => jobs.delete(jobUuid)))
      )
    })

  return {
    keep,
    connected: Effect.sync(() => up !== undefined),
    api: (command, timeout = apiTimeout) =>
      Effect.flatMap(send(Commands.api(command)), (answer) => within(timeout, answer)).pipe(
        Effect.flatMap((message) => judged(answerText(message))),
        named("api", command)
      ),
    bgapi: (command, { jobUuid = randomUUID(), timeout = jobTimeout } = {}) =>
      within(timeout, runJob(command, jobUuid.toLowerCase())).pipe(Effect.flatMap(judged), named("bgapi", command)),
    events: (uuid) => channels.listen(uuid),
    everything: channels.everything()
  }
}

/** Adds the command's name to errors and spans, without arguments, which can be phone numbers. */
const named =
  (verb: "api" | "bgapi", command: string) =>
  <A>(effect: Effect.Effect<A, EventSocketReason>): Effect.Effect<A, EventSocketError> => {
    const title = Commands.titleOf(verb, command)
    return effect.pipe(
      Effect.mapError((reason) => new EventSocketError({ command: title, reason })),
      Effect.withSpan(`EventSocket.${verb}`, { kind: "client", attributes: { "event_socket.command": title } })
    )
  }

/** Checks the reply to `bgapi`, which only confirms the job's uuid. */
const accepted =
  (jobUuid: string) =>
  (message: Message): Effect.Effect<void, EventSocketReason> => {
    const answer = answerText(message)
    if (!answer.startsWith("+OK")) return Effect.fail({ _tag: "Rejected", answer: bounded(answer) })
    const named = message.headers["Job-UUID"]?.toLowerCase()
    return named === undefined || named === jobUuid
      ? Effect.void
      : Effect.fail({ _tag: "Protocol", why: "the switch gave the job another uuid", sent: true })
  }

const judged = (answer: string): Effect.Effect<string, EventSocketReason> =>
  /^-(?:ERR|USAGE)\b/.test(answer) ? Effect.fail({ _tag: "Rejected", answer: bounded(answer) }) : Effect.succeed(answer)

const bounded = (answer: string): string => answer.split("\n", 1)[0]!.slice(0, maxAnswerKept)

const within = <A>(
  timeout: Duration.Duration,
  effect: Effect.Effect<A, EventSocketReason>
): Effect.Effect<A, EventSocketReason> =>
  Effect.timeoutOrElse(effect, {
    duration: timeout,
    orElse: () =>
      Effect.fail<EventSocketReason>({ _tag: "Timeout", milliseconds: Duration.toMillis(timeout), sent: true })
  })
