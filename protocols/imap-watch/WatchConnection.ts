/**
 * One connection that watches one mailbox. It uses NOTIFY where the server offers it (all folders at once), else IDLE
 * on one folder, else only regular scans. It ends with its scope and never reconnects; the owner decides when to try
 * again. It reads only message heads. Sources: RFC 8314 (TLS from the first byte), RFC 2177, RFC 5465, RFC 5819.
 *
 * The library imapflow 2.1.2 has no NOTIFY. One of its idle connections takes 105 KB of memory; a connection of this
 * file takes 73 KB with NOTIFY and 66 KB with IDLE (`bench imap-watch`, Node 24).
 */
import { Cause, Duration, Effect, Queue, type Scope, Semaphore } from "effect"
import { type Arrivals, Collected } from "./Arrivals.ts"
import * as Commands from "./Commands.ts"
import { type Change, Folders } from "./Folders.ts"
import type { FolderUse } from "./FolderUse.ts"
import { ImapWatchError, type ImapWatchReason } from "./ImapWatchError.ts"
import { readArrivals } from "./ReadArrivals.ts"
import { scanRegularly } from "./RegularScans.ts"
import { Session, type Step } from "./Session.ts"
import type { FolderStatus, Response } from "./Untagged.ts"
import { idleRenewal, lookEvery, lookTimeout, type Mode, type WatchOptions } from "./WatchOptions.ts"
import type { Idle, Wire } from "./Wire.ts"

export interface WatchConnection {
  readonly mode: Mode
  /**
   * Changes of the mailbox, beginning with one `status` per folder. Fails when the connection has ended, after the
   * changes received before.
   */
  readonly changes: Queue.Dequeue<Change, ImapWatchError>
  /** All folders with their last known counters. */
  readonly folders: ReadonlyMap<string, FolderStatus>
  /** Use of a folder for the user's own mail; undefined: none. */
  readonly useOf: (folder: string) => FolderUse | undefined
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

class Watch implements WatchConnection {
  mode: Mode = "poll"
  readonly changes: Queue.Dequeue<Change, ImapWatchError>
  readonly #session: Session
  readonly #options: WatchOptions
  readonly #folders = new Folders()
  readonly #queue: Queue.Queue<Change, ImapWatchError>
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
    this.#session = new Session(options, {
      hear: (response) => this.#hear(response),
      ended: (reason) => this.#fail(new ImapWatchError({ step: "watch", reason }))
    })
  }

  get wire(): Wire {
    return this.#session.wire
  }

  get folders(): ReadonlyMap<string, FolderStatus> {
    return this.#folders.known
  }

  useOf(folder: string): FolderUse | undefined {
    return this.#folders.useOf(folder)
  }

  /** Connects, logs in and starts to watch. */
  get begin(): Step<void> {
    return Effect.gen({ self: this }, function* () {
      yield* this.#session.begin
      this.mode = yield* this.#watch
      this.#tell([looked])
    })
  }

  /** Scans regularly until the scope ends; a failed scan ends the connection. */
  get keep(): Effect.Effect<void, never, Scope.Scope> {
    return Effect.suspend(() =>
      scanRegularly(this.look, Duration.min(this.#options.lookEvery ?? lookEvery[this.mode], idleRenewal), () =>
        this.end(givenUp())
      )
    )
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
    return this.#speak(Effect.asVoid(Effect.suspend(() => this.#session.send(this.#status(folder)))))
  }

  arrivals(folder: string, from: number): Step<Arrivals> {
    return this.#speak(
      Effect.suspend(() => {
        const collected = new Collected()
        this.#collected = collected
        return Effect.ensuring(
          Effect.suspend(() => {
            this.#folders.select(this.#stands(folder) ? folder : undefined)
            return Effect.map(readArrivals(this.#session, folder, from, collected), () =>
              collected.arrivals(this.#folders.known.get(folder) ?? {})
            )
          }),
          Effect.sync(() => {
            this.#collected = undefined
            this.#leave(folder)
          })
        )
      })
    )
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

  /** Starts the best mode that the server supports, including the first scan. */
  get #watch(): Step<Mode> {
    return Effect.gen({ self: this }, function* () {
      const offers = (way: "notify" | "idle") =>
        this.#session.offers(way.toUpperCase()) && this.#options.without?.includes(way) !== true
      if (offers("notify") && (yield* this.#session.send(Commands.notify)).word === "OK") {
        // Dovecot's NOTIFY does not report an INBOX that never received a message.
        yield* this.#look
        return "notify"
      }
      if (offers("idle")) {
        yield* this.#session.ask(Commands.examine(this.#idled))
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
      return this.#session.await("IDLE", this.#idling.idling)
    })
  }

  get #idled(): string {
    return this.#options.folder ?? "INBOX"
  }

  #status(folder: string): Commands.Command {
    return Commands.status(folder, this.#session.offers("CONDSTORE"))
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
            yield* this.#session.await("IDLE", idling.idling)
            this.wire.stopIdle()
          }
          const exit = yield* Effect.exit(work)
          if (idling !== undefined) {
            yield* this.#session.await("DONE", idling.answered)
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
        Effect.onInterrupt(() => Effect.sync(() => this.end(givenUp())))
      )
  }

  /** Requests all folders and their counters. */
  get #look(): Step<void> {
    const timeout = this.#options.lookTimeout ?? lookTimeout
    return Effect.gen({ self: this }, function* () {
      const modSeq = this.#session.offers("CONDSTORE")
      this.#folders.beginRound()
      if (this.#session.offers("LIST-STATUS"))
        yield* this.#session.ask(Commands.listStatus(modSeq, this.#session.offers("SPECIAL-USE")))
      else {
        yield* this.#session.ask(Commands.list)
        // A NO is ignored: the folder was deleted after LIST.
        for (const folder of this.#folders.seen) yield* this.#session.send(Commands.status(folder, modSeq))
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

  #hear(response: Response): ImapWatchReason | undefined {
    this.#collected?.hear(response)
    if (response._tag === "Capability") return undefined
    if (response._tag === "State")
      return response.code?.name === "NOTIFICATIONOVERFLOW"
        ? { _tag: "Lost", why: "the server stopped notifying" }
        : undefined
    const changes = this.#folders.hear(response)
    return typeof changes === "string" ? { _tag: "Protocol", why: changes } : this.#tell(changes)
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

const givenUp = () => new ImapWatchError({ step: "watch", reason: { _tag: "Lost", why: "given up here" } })

const looked: Change = { folder: "", kind: "looked", status: {} }

/** Commands whose rejection concerns one folder only: it was deleted or may not be read. */
const ofOneFolder = new Set(["EXAMINE", "UID FETCH", "STATUS"])
