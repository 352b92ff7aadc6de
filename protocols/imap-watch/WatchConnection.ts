/**
 * One connection that watches one mailbox: NOTIFY where the server offers it (all folders at once), else IDLE on one folder, else
 * looking. Ends with its scope, connects once and repeats nothing: the owner decides when to try again. It reads no message.
 * Sources: RFC 8314 (TLS from the first byte), RFC 2177, RFC 5465, RFC 5819.
 */
import { Cause, Deferred, Duration, Effect, Queue, Redacted, type Scope } from "effect"
import * as Commands from "./Commands.ts"
import { type Change, Folders } from "./Folders.ts"
import { ImapWatchError, type ImapWatchReason, maxTextKept } from "./ImapWatchError.ts"
import { capabilitiesOf, type Response } from "./Untagged.ts"
import { type State, Wire, type WireOptions } from "./Wire.ts"

/** `response`, `errorAnswer`: what a SASL mechanism says in base64, first and to the server's error challenge. */
export type Login =
  | { readonly _tag: "Password"; readonly user: string; readonly password: Redacted.Redacted }
  | { readonly _tag: "Sasl"; readonly mechanism: string; readonly response: Redacted.Redacted; readonly errorAnswer: string }

export interface WatchOptions extends Omit<WireOptions, "port"> {
  /** Default `defaultPort`. */
  readonly port?: number
  readonly login: Login
  /** The folder that IDLE stands on. Default INBOX. */
  readonly folder?: string
  /** For dialling, TLS and greeting together. Default `connectTimeout`. */
  readonly connectTimeout?: Duration.Duration
  /** For the answer to each command. Default `stepTimeout`. */
  readonly stepTimeout?: Duration.Duration
  /** Between two looks at all folders. Default `lookEvery` of the way of watching. */
  readonly lookEvery?: Duration.Duration
  /** Ways the owner rules out. Default none. */
  readonly without?: ReadonlyArray<"notify" | "idle">
}

export type Mode = "notify" | "idle" | "poll"

export interface WatchConnection {
  readonly mode: Mode
  /** Begins with one `status` for each folder. Fails, after what was heard before, when the connection is over. */
  readonly changes: Queue.Dequeue<Change, ImapWatchError>
}

/** IMAP with TLS from the first byte. Source: RFC 8314 §3.2. */
export const defaultPort = 993

/** Reason: a loaded server greets in a second; three lost TCP handshakes take 7 s. */
export const connectTimeout = Duration.seconds(15)

/** Reason: a login may wait 5 s for a token's check, or up to 15 s for the penalty of those that failed before. */
export const stepTimeout = Duration.seconds(30)

/** How long one IDLE may stand. Source: RFC 2177 §3, re-issue at least every 29 minutes. */
export const idleRenewal = Duration.minutes(28)

/**
 * Between two looks at all folders. Reason: `idle` and `poll` hear of other folders by it only, and 60 s are promised; Dovecot's NOTIFY
 * says nothing of a folder that was renamed. Each look also shows that the server still answers.
 */
export const lookEvery: Readonly<Record<Mode, Duration.Duration>> = { notify: Duration.minutes(5), idle: Duration.seconds(50), poll: Duration.seconds(50) }

/** Changes kept for an owner who takes none; beyond that the connection ends. Reason: one for each folder at the start, and a busy hour. */
export const maxChanges = 20_000

export const connect = (options: WatchOptions): Effect.Effect<WatchConnection, ImapWatchError, Scope.Scope> =>
  Effect.gen(function*() {
    const queue = yield* Queue.dropping<Change, ImapWatchError>(maxChanges)
    const watch = yield* Effect.acquireRelease(Effect.sync(() => new Watch(options, queue)), (opened) => Effect.sync(() => opened.wire.close()))
    const mode = yield* Effect.onError(watch.begin, () => Effect.sync(() => watch.wire.close()))
    yield* Effect.forkScoped(Effect.catch(watch.run(mode), (error) => Effect.sync(() => watch.end(error))))
    return { mode, changes: Queue.asDequeue(queue) }
  })

type Step<A> = Effect.Effect<A, ImapWatchError>

class Watch {
  readonly wire: Wire
  readonly #options: WatchOptions
  readonly #folders = new Folders()
  readonly #queue: Queue.Queue<Change, ImapWatchError>
  /** Of the latest CAPABILITY. */
  #capabilities: ReadonlySet<string> = new Set()
  /** What the IDLE that stands will be answered with. */
  #idling: Deferred.Deferred<State, ImapWatchReason> | undefined

  constructor(options: WatchOptions, queue: Queue.Queue<Change, ImapWatchError>) {
    this.#options = options
    this.#queue = queue
    this.wire = new Wire({ host: options.host, port: options.port ?? defaultPort, secureContext: options.secureContext }, {
      hear: (response) => this.#hear(response),
      ended: (reason) => this.#fail(new ImapWatchError({ step: "watch", reason }))
    })
  }

  /** From dialling to being told of changes. */
  get begin(): Step<Mode> {
    return Effect.gen({ self: this }, function*() {
      const greeting = yield* this.#await("connect", this.wire.greeted, this.#options.connectTimeout ?? connectTimeout)
      if (greeting.word !== "PREAUTH") yield* this.#login
      return yield* this.#watch
    })
  }

  /** Keeps watching; ends only by failing. */
  run(mode: Mode): Step<never> {
    const interval = this.#options.lookEvery ?? lookEvery[mode]
    if (mode !== "idle") return Effect.forever(Effect.andThen(Effect.sleep(interval), Effect.suspend(() => this.#look)))
    return Effect.forever(Effect.gen({ self: this }, function*() {
      yield* Effect.sleep(Duration.min(interval, idleRenewal))
      const answered = this.#idling!
      this.wire.stopIdle()
      yield* this.#await("DONE", answered)
      yield* this.#look
      yield* this.#idle
    }))
  }

  end(error: ImapWatchError): void {
    this.#fail(error)
    this.wire.end(error.reason)
  }

  get #login(): Step<void> {
    return Effect.gen({ self: this }, function*() {
      // Not every greeting tells whether SASL-IR and literals are known.
      if (this.#capabilities.size === 0) yield* this.#ask(Commands.capability)
      const command = credentials(this.#options.login, this.#capabilities.has("SASL-IR"))
      // What was offered before login is not what is offered after it.
      this.#capabilities = new Set()
      const { code, word } = yield* Effect.flatMap(
        Effect.mapError(Effect.fromResult(command), (why) => new ImapWatchError({ step: "LOGIN", reason: { _tag: "Protocol", why } })),
        (sayable) => this.#send(sayable)
      )
      if (word !== "OK") return yield* new ImapWatchError({ step: "LOGIN", reason: { _tag: "Refused", code: code?.name ?? "" } })
      if (this.#capabilities.size === 0) yield* this.#ask(Commands.capability)
    })
  }

  /** The best way the server has, and the first look at everything. */
  get #watch(): Step<Mode> {
    return Effect.gen({ self: this }, function*() {
      const offers = (way: "notify" | "idle") => this.#capabilities.has(way.toUpperCase()) && this.#options.without?.includes(way) !== true
      if (offers("notify") && (yield* this.#send(Commands.notify)).word === "OK") return "notify"
      if (offers("idle")) {
        const folder = this.#options.folder ?? "INBOX"
        yield* this.#ask(Commands.examine(folder))
        this.#folders.select(folder)
      }
      yield* this.#look
      if (!offers("idle")) return "poll"
      return yield* this.#idle.pipe(
        Effect.as("idle" as const),
        Effect.catchIf(({ reason }) => reason._tag === "Rejected", () => Effect.succeed("poll" as const))
      )
    })
  }

  get #idle(): Step<void> {
    return Effect.suspend(() => {
      const { answered, idling } = this.wire.idle()
      this.#idling = answered
      return this.#await("IDLE", idling)
    })
  }

  /** All folders and their counters. */
  get #look(): Step<void> {
    return Effect.gen({ self: this }, function*() {
      const modSeq = this.#capabilities.has("CONDSTORE")
      this.#folders.beginRound()
      if (this.#capabilities.has("LIST-STATUS")) yield* this.#ask(Commands.listStatus(modSeq))
      else {
        yield* this.#ask(Commands.list)
        // A NO: it went between the list and the question.
        for (const folder of this.#folders.seen) yield* this.#send(Commands.status(folder, modSeq))
      }
      const reason = this.#tell(this.#folders.endRound())
      if (reason !== undefined) return yield* new ImapWatchError({ step: "LIST", reason })
    })
  }

  /** A command that must succeed. */
  #ask(command: Commands.Command): Step<State> {
    return Effect.flatMap(this.#send(command), (state) =>
      state.word === "OK"
        ? Effect.succeed(state)
        : Effect.fail(new ImapWatchError({ step: command.name, reason: { _tag: "Rejected", answer: state.text.slice(0, maxTextKept) } })))
  }

  #send(command: Commands.Command): Step<State> {
    return Effect.suspend(() => this.#await(command.name, this.wire.send(command))).pipe(
      Effect.tap(({ code }) => Effect.sync(() => this.#learn(code?.name === "CAPABILITY" ? capabilitiesOf(code.value) : [])))
    )
  }

  #await<A>(step: string, awaited: Deferred.Deferred<A, ImapWatchReason>, timeout = this.#options.stepTimeout ?? stepTimeout): Step<A> {
    return Effect.timeoutOrElse(Deferred.await(awaited), {
      duration: timeout,
      orElse: () => Effect.fail<ImapWatchReason>({ _tag: "Timeout", milliseconds: Duration.toMillis(timeout) })
    }).pipe(Effect.mapError((reason) => new ImapWatchError({ step, reason })))
  }

  #hear(response: Response): ImapWatchReason | undefined {
    if (response._tag === "Capability") return this.#learn(response.names)
    if (response._tag === "State") {
      if (response.code?.name === "CAPABILITY") this.#learn(capabilitiesOf(response.code.value))
      return response.code?.name === "NOTIFICATIONOVERFLOW" ? { _tag: "Lost", why: "the server stopped notifying" } : undefined
    }
    const changes = this.#folders.hear(response)
    return typeof changes === "string" ? { _tag: "Protocol", why: changes } : this.#tell(changes)
  }

  /** Only what is asked for here is kept: a server has forty of them. */
  #learn(names: ReadonlyArray<string>): undefined {
    if (names.length > 0) this.#capabilities = new Set(names.filter((name) => wanted.has(name)).concat("IMAP"))
    return undefined
  }

  #tell(changes: ReadonlyArray<Change>): ImapWatchReason | undefined {
    const kept = changes.every((change) => Queue.offerUnsafe(this.#queue, change))
    return kept ? undefined : { _tag: "Lost", why: `more than ${maxChanges} changes that nobody took` }
  }

  /** The first failure stands. */
  #fail(error: ImapWatchError): void {
    Queue.failCauseUnsafe(this.#queue, Cause.fail(error))
  }
}

const wanted = new Set(["NOTIFY", "IDLE", "LIST-STATUS", "CONDSTORE", "SASL-IR"])

const credentials = (login: Login, inline: boolean) =>
  login._tag === "Password"
    ? Commands.login(login.user, Redacted.value(login.password))
    : Commands.authenticate(login.mechanism, Redacted.value(login.response), login.errorAnswer, inline)
