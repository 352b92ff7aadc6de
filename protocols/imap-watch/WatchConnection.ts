/**
 * One connection that watches one mailbox. It uses NOTIFY where the server offers it (all folders at once), else IDLE
 * on one folder, else only regular scans. It ends with its scope and never reconnects; the owner decides when to try
 * again. It reads only message heads. Sources: RFC 8314 (TLS from the first byte), RFC 2177, RFC 5465, RFC 5819.
 */
import { Cause, Deferred, Duration, Effect, Fiber, Queue, type Scope, Semaphore } from "effect"
import { type Arrivals, Collected, maxUid, pageUids } from "./Arrivals.ts"
import * as Commands from "./Commands.ts"
import { credentials, type Login } from "./Credentials.ts"
import { type Change, Folders } from "./Folders.ts"
import { ImapWatchError, type ImapWatchReason, kept } from "./ImapWatchError.ts"
import { capabilitiesOf, type FolderStatus, type Response } from "./Untagged.ts"
import { type Answered, type Idle, type State, Wire, type WireOptions } from "./Wire.ts"

export interface WatchOptions extends Omit<WireOptions, "port"> {
  /** Default `defaultPort`. */
  readonly port?: number
  readonly login: Login
  /** Folder for IDLE. Default INBOX. */
  readonly folder?: string
  /** Limit for connect, TLS and greeting together. Default `connectTimeout`. */
  readonly connectTimeout?: Duration.Duration
  /** Limit for the answer to each command. Default `stepTimeout`. */
  readonly stepTimeout?: Duration.Duration
  /** Limit for a scan of all folders. Default `lookTimeout`. */
  readonly lookTimeout?: Duration.Duration
  /** Interval between scans of all folders. Default: the `lookEvery` of the mode. */
  readonly lookEvery?: Duration.Duration
  /** Modes that the owner excludes. Default none. */
  readonly without?: ReadonlyArray<"notify" | "idle">
}

export type Mode = "notify" | "idle" | "poll"

export interface WatchConnection {
  readonly mode: Mode
  /**
   * Changes of the mailbox, beginning with one `status` per folder. Fails when the connection has ended, after the
   * changes received before.
   */
  readonly changes: Queue.Dequeue<Change, ImapWatchError>
  /** All folders with their last known counters. */
  readonly folders: ReadonlyMap<string, FolderStatus>
  /** Scans all folders now. The results go to `changes`; the last one is `looked`. */
  readonly look: Effect.Effect<void, ImapWatchError>
  /** Requests the counters of this folder. The results go to `changes`. */
  readonly refresh: (folder: string) => Effect.Effect<void, ImapWatchError>
  /**
   * One page of messages of the folder, beginning at this UID. Fails with `Rejected` when the folder cannot be read,
   * and the connection continues. Every other failure ends the connection.
   */
  readonly arrivals: (folder: string, from: number) => Effect.Effect<Arrivals, ImapWatchError>
}

/** Port for IMAP with TLS from the first byte. Source: RFC 8314 §3.2. */
export const defaultPort = 993

/** Limit for connect, TLS and greeting. Reason: the greeting takes a second; three lost TCP handshakes take 7 s. */
export const connectTimeout = Duration.seconds(15)

/** Limit for the answer to a command. Reason: a login may take 5 s, or 15 s with a penalty for failed logins. */
export const stepTimeout = Duration.seconds(30)

/** Longest duration of one IDLE. Source: RFC 2177 §3, re-issue at least every 29 minutes. */
export const idleRenewal = Duration.minutes(28)

/**
 * Interval between scans of all folders. Reason: in `idle` and `poll` mode only scans find changes in other folders,
 * and 60 s are promised. In `notify` mode Dovecot does not report a renamed folder. Each scan also shows that the
 * server still answers.
 */
export const lookEvery: Readonly<Record<Mode, Duration.Duration>> = {
  notify: Duration.minutes(5),
  idle: Duration.seconds(50),
  poll: Duration.seconds(50)
}

/**
 * Limit for one scan of all folders. Reason: without LIST-STATUS each folder needs a command. A slow server with 1,000
 * folders needs a minute; answers that each arrive just before their timeout would take days.
 */
export const lookTimeout = Duration.minutes(10)

/**
 * Longest queue of changes; beyond that the connection ends. Reason: one change per folder at the start, plus a busy
 * hour.
 */
export const maxChanges = 20_000

export const connect = (options: WatchOptions): Effect.Effect<WatchConnection, ImapWatchError, Scope.Scope> =>
  Effect.gen(function* () {
    const queue = yield* Queue.dropping<Change, ImapWatchError>(maxChanges)
    const watch = yield* Effect.acquireRelease(
      Effect.sync(() => new Watch(options, queue)),
      (opened) => Effect.sync(() => opened.wire.close())
    )
    yield* Effect.onError(watch.begin, () => Effect.sync(() => watch.wire.close()))
    yield* watch.keep
    return watch
  })

type Step<A> = Effect.Effect<A, ImapWatchError>

class Watch implements WatchConnection {
  mode: Mode = "poll"
  readonly changes: Queue.Dequeue<Change, ImapWatchError>
  readonly wire: Wire
  readonly #options: WatchOptions
  readonly #folders = new Folders()
  readonly #queue: Queue.Queue<Change, ImapWatchError>
  /** Capabilities of the latest CAPABILITY response. */
  #capabilities: ReadonlySet<string> = new Set()
  /** The active IDLE. */
  #idling: Idle | undefined
  /** Ensures one exchange with the server at a time. */
  readonly #turn = Semaphore.makeUnsafe(1)
  /** Collects new messages while a folder is read. */
  #collected: Collected | undefined

  constructor(options: WatchOptions, queue: Queue.Queue<Change, ImapWatchError>) {
    this.#options = options
    this.#queue = queue
    this.changes = Queue.asDequeue(queue)
    this.wire = new Wire(
      {
        host: options.host,
        port: options.port ?? defaultPort,
        servername: options.servername,
        secureContext: options.secureContext
      },
      {
        hear: (response) => this.#hear(response),
        ended: (reason) => this.#fail(new ImapWatchError({ step: "watch", reason }))
      }
    )
  }

  get folders(): ReadonlyMap<string, FolderStatus> {
    return this.#folders.known
  }

  /** Connects, logs in and starts to watch. */
  get begin(): Step<void> {
    return Effect.gen({ self: this }, function* () {
      const greeting = yield* this.#await("connect", this.wire.greeted, this.#options.connectTimeout ?? connectTimeout)
      if (greeting.word !== "PREAUTH") yield* this.#login
      this.mode = yield* this.#watch
      this.#tell([looked])
    })
  }

  /**
   * Scans regularly until the scope ends; a failed scan ends the connection. A timer waits between scans, and a fiber
   * exists only during a scan, because a waiting fiber takes 5 KB per connection.
   */
  get keep(): Effect.Effect<void, never, Scope.Scope> {
    const interval = Duration.toMillis(Duration.min(this.#options.lookEvery ?? lookEvery[this.mode], idleRenewal))
    return Effect.gen({ self: this }, function* () {
      const fork = Effect.runForkWith(yield* Effect.context<never>())
      let timer: NodeJS.Timeout
      let looking: Fiber.Fiber<void, ImapWatchError> | undefined
      const rest = () => {
        looking = undefined
        timer = setTimeout(() => {
          looking = fork(this.look)
          looking.addObserver((exit) =>
            exit._tag === "Success"
              ? rest()
              : this.end(new ImapWatchError({ step: "watch", reason: { _tag: "Lost", why: "given up here" } }))
          )
        }, interval)
      }
      rest()
      yield* Effect.addFinalizer(() => {
        clearTimeout(timer)
        return looking === undefined ? Effect.void : Fiber.interrupt(looking)
      })
    })
  }

  get look(): Step<void> {
    return this.#speak(
      Effect.andThen(
        this.#look,
        Effect.sync(() => void this.#tell([looked]))
      )
    )
  }

  refresh(folder: string): Step<void> {
    return this.#speak(Effect.asVoid(Effect.suspend(() => this.#send(this.#status(folder)))))
  }

  arrivals(folder: string, from: number): Step<Arrivals> {
    return this.#speak(
      Effect.suspend(() => {
        const collected = new Collected()
        this.#collected = collected
        return Effect.ensuring(
          this.#read(folder, from, collected),
          Effect.sync(() => {
            this.#collected = undefined
            this.#leave(folder)
          })
        )
      })
    )
  }

  #read(folder: string, from: number, collected: Collected): Step<Arrivals> {
    return Effect.gen({ self: this }, function* () {
      this.#folders.select(this.#stands(folder) ? folder : undefined)
      // EXAMINE and FETCH are sent together, so a new message is announced after one round trip. EXAMINE is also sent
      // when the folder is already selected: FETCH is only sure to see the messages that EXAMINE counts.
      const opened = this.wire.send(Commands.examine(folder))
      const fetched = this.#fetch(collected, from)
      yield* this.#accepted("EXAMINE", opened)
      yield* this.#accepted("UID FETCH", fetched)
      const end = collected.uidNext ?? 0
      // The first page was empty, so the next message has a much higher UID. Larger and larger ranges are searched for
      // UIDs only.
      for (
        let width = pageUids * gapGrowth;
        collected.lowest === undefined && from + width / gapGrowth < end;
        width *= gapGrowth
      ) {
        const to = Math.min(maxUid, from + width - 1)
        collected.expect(from, to)
        yield* this.#accepted("UID FETCH", this.wire.send(Commands.fetchUids(from, to)))
        if (collected.lowest !== undefined) yield* this.#accepted("UID FETCH", this.#fetch(collected, collected.lowest))
      }
      return collected.arrivals(this.#folders.known.get(folder) ?? {})
    })
  }

  #fetch(collected: Collected, from: number): Answered {
    const to = Math.min(maxUid, from + pageUids - 1)
    collected.expect(from, to)
    return this.wire.send(Commands.fetchHeads(from, to))
  }

  /**
   * Returns to the previous folder. The final STATUS is needed because NOTIFY need not report changes of a folder that
   * was selected meanwhile.
   */
  #leave(folder: string): void {
    if (this.mode !== "idle") this.wire.send(Commands.close)
    else if (!this.#stands(folder)) {
      this.#folders.select(this.#idled)
      this.wire.send(Commands.examine(this.#idled))
    }
    this.wire.send(this.#status(folder))
  }

  #stands(folder: string): boolean {
    return this.mode === "idle" && folder === this.#idled
  }

  end(error: ImapWatchError): void {
    this.#fail(error)
    this.wire.end(error.reason)
  }

  get #login(): Step<void> {
    return Effect.gen({ self: this }, function* () {
      // Not every greeting shows whether the server supports SASL-IR and literals.
      if (this.#capabilities.size === 0) yield* this.#ask(Commands.capability)
      const command = credentials(this.#options.login, this.#capabilities)
      // The capabilities before and after the login can differ.
      this.#capabilities = new Set()
      const { code, word } = yield* Effect.flatMap(
        Effect.mapError(
          Effect.fromResult(command),
          (why) => new ImapWatchError({ step: "LOGIN", reason: { _tag: "Protocol", why } })
        ),
        (sayable) => this.#send(sayable)
      )
      if (word !== "OK")
        return yield* new ImapWatchError({ step: "LOGIN", reason: { _tag: "Refused", code: code?.name ?? "" } })
      if (this.#capabilities.size === 0) yield* this.#ask(Commands.capability)
    })
  }

  /** Starts the best mode that the server supports, including the first scan. */
  get #watch(): Step<Mode> {
    return Effect.gen({ self: this }, function* () {
      const offers = (way: "notify" | "idle") =>
        this.#capabilities.has(way.toUpperCase()) && this.#options.without?.includes(way) !== true
      if (offers("notify") && (yield* this.#send(Commands.notify)).word === "OK") {
        // Dovecot's NOTIFY does not report an INBOX that never received a message.
        yield* this.#look
        return "notify"
      }
      if (offers("idle")) {
        yield* this.#ask(Commands.examine(this.#idled))
        this.#folders.select(this.#idled)
      }
      yield* this.#look
      if (!offers("idle")) return "poll"
      return yield* this.#idle.pipe(
        Effect.as("idle" as const),
        Effect.catchIf(
          ({ reason }) => reason._tag === "Rejected",
          () => Effect.succeed("poll" as const)
        )
      )
    })
  }

  get #idle(): Step<void> {
    return Effect.suspend(() => {
      this.#idling = this.wire.idle()
      return this.#await("IDLE", this.#idling.idling)
    })
  }

  get #idled(): string {
    return this.#options.folder ?? "INBOX"
  }

  #status(folder: string): Commands.Command {
    return Commands.status(folder, this.#capabilities.has("CONDSTORE"))
  }

  /**
   * Runs one exchange with the server and pauses IDLE for it. Failures end the connection, unless they concern only one
   * folder.
   */
  #speak<A>(work: Step<A>): Step<A> {
    return this.#turn
      .withPermit(
        Effect.gen({ self: this }, function* () {
          const idling = this.#idling
          if (idling !== undefined) {
            yield* this.#await("IDLE", idling.idling)
            this.wire.stopIdle()
          }
          const exit = yield* Effect.exit(work)
          if (idling !== undefined) {
            yield* this.#await("DONE", idling.answered)
            this.#idling = this.wire.idle()
          }
          return yield* exit
        })
      )
      .pipe(
        Effect.tapError((error) =>
          Effect.sync(() => {
            if (error.reason._tag !== "Rejected" || !ofOneFolder.has(error.step)) this.end(error)
          })
        ),
        // After an interruption, answers arrive that no command expects.
        Effect.onInterrupt(() =>
          Effect.sync(() =>
            this.end(new ImapWatchError({ step: "watch", reason: { _tag: "Lost", why: "given up here" } }))
          )
        )
      )
  }

  /** Requests all folders and their counters. */
  get #look(): Step<void> {
    const timeout = this.#options.lookTimeout ?? lookTimeout
    return Effect.gen({ self: this }, function* () {
      const modSeq = this.#capabilities.has("CONDSTORE")
      this.#folders.beginRound()
      if (this.#capabilities.has("LIST-STATUS")) yield* this.#ask(Commands.listStatus(modSeq))
      else {
        yield* this.#ask(Commands.list)
        // A NO is ignored: the folder was deleted after LIST.
        for (const folder of this.#folders.seen) yield* this.#send(Commands.status(folder, modSeq))
      }
      const reason = this.#tell(this.#folders.endRound())
      if (reason !== undefined) return yield* new ImapWatchError({ step: "LIST", reason })
    }).pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () =>
          Effect.fail(
            new ImapWatchError({ step: "LIST", reason: { _tag: "Timeout", milliseconds: Duration.toMillis(timeout) } })
          )
      })
    )
  }

  /** Sends a command that must succeed. */
  #ask(command: Commands.Command): Step<State> {
    return Effect.flatMap(this.#send(command), accepted(command.name))
  }

  #accepted(name: string, answered: Answered): Step<State> {
    return Effect.flatMap(this.#await(name, answered), accepted(name))
  }

  #send(command: Commands.Command): Step<State> {
    return Effect.suspend(() => this.#await(command.name, this.wire.send(command))).pipe(
      Effect.tap(({ code }) =>
        Effect.sync(() => this.#learn(code?.name === "CAPABILITY" ? capabilitiesOf(code.value) : []))
      )
    )
  }

  #await<A>(
    step: string,
    awaited: Deferred.Deferred<A, ImapWatchReason>,
    timeout = this.#options.stepTimeout ?? stepTimeout
  ): Step<A> {
    return Effect.timeoutOrElse(Deferred.await(awaited), {
      duration: timeout,
      orElse: () => Effect.fail<ImapWatchReason>({ _tag: "Timeout", milliseconds: Duration.toMillis(timeout) })
    }).pipe(Effect.mapError((reason) => new ImapWatchError({ step, reason })))
  }

  #hear(response: Response): ImapWatchReason | undefined {
    this.#collected?.hear(response)
    if (response._tag === "Capability") return this.#learn(response.names)
    if (response._tag === "State") {
      if (response.code?.name === "CAPABILITY") this.#learn(capabilitiesOf(response.code.value))
      return response.code?.name === "NOTIFICATIONOVERFLOW"
        ? { _tag: "Lost", why: "the server stopped notifying" }
        : undefined
    }
    const changes = this.#folders.hear(response)
    return typeof changes === "string" ? { _tag: "Protocol", why: changes } : this.#tell(changes)
  }

  /** Keeps only the capabilities that matter here; a server has about forty. */
  #learn(names: ReadonlyArray<string>): undefined {
    if (names.length > 0)
      this.#capabilities = new Set(names.filter((name) => wanted.has(name) || name.startsWith("AUTH=")).concat("IMAP"))
    return undefined
  }

  #tell(changes: ReadonlyArray<Change>): ImapWatchReason | undefined {
    const kept = changes.every((change) => Queue.offerUnsafe(this.#queue, change))
    return kept ? undefined : { _tag: "Lost", why: `more than ${maxChanges} changes that nobody took` }
  }

  /** Only the first failure counts. */
  #fail(error: ImapWatchError): void {
    Queue.failCauseUnsafe(this.#queue, Cause.fail(error))
  }
}

const looked: Change = { folder: "", kind: "looked", status: {} }

/** Growth factor of the searched UID range. Reason: it reaches all 2^32 UIDs from 200 in nine steps. */
const gapGrowth = 8

/** Commands whose rejection concerns one folder only: it was deleted or may not be read. */
const ofOneFolder = new Set(["EXAMINE", "UID FETCH", "STATUS"])

const wanted = new Set(["NOTIFY", "IDLE", "LIST-STATUS", "CONDSTORE", "SASL-IR"])

const accepted =
  (step: string) =>
  (state: State): Step<State> =>
    state.word === "OK"
      ? Effect.succeed(state)
      : Effect.fail(new ImapWatchError({ step, reason: { _tag: "Rejected", answer: kept(state.text) } }))
