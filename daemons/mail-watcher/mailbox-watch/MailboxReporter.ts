/**
 * What one connection hears of a mailbox becomes events: new messages, counters, and folders that come, go and get other names. It compares
 * with what is recorded, so that what happened while nobody watched is told as well.
 */
import { Effect } from "effect"
import type { PgClient } from "@effect/sql-pg"
import type { SqlClient, SqlError } from "effect/sql"
import type { Events } from "#core/events/Events.ts"
import { type Arrivals, pageUids } from "#protocols/imap-watch/Arrivals.ts"
import type { Change } from "#protocols/imap-watch/Folders.ts"
import type { ImapWatchError } from "#protocols/imap-watch/ImapWatchError.ts"
import type { FolderStatus } from "#protocols/imap-watch/Untagged.ts"
import type { WatchConnection } from "#protocols/imap-watch/WatchConnection.ts"
import {
  compare,
  countersOf,
  isRecent,
  isWatchable,
  type Line,
  type Look,
  reconcile,
  recreated
} from "./FolderCursor.ts"
import * as FolderStore from "./FolderStore.ts"
import type { Pace } from "./EventRateLimiter.ts"
import * as WatchStore from "./WatchStore.ts"

type Told<A> = Effect.Effect<A, ImapWatchError | SqlError.SqlError, PgClient.PgClient | SqlClient.SqlClient | Events>

/** Between two notes of the time of the latest look. Unit: milliseconds. Reason: it only bounds how far back a folder that is new is read. */
const lookNoted = 30 * 60_000

/** Folders whose latest messages are remembered at the first look. Reason: people move mails out of few; more would take long. */
const remembered = 50

/** What `handle` needs of a connection. */
export type Heard = Pick<WatchConnection, "arrivals" | "folders" | "look" | "refresh">

export class MailboxTeller {
  readonly #account: FolderStore.Watched
  readonly #connection: Heard
  readonly #pace: Pace | undefined
  #lines: Map<string, Line>
  #turn: number
  #look: Look
  #notedAt = 0
  /** Folders that have no line and get none. */
  #unwatched = new Set<string>()
  /** Everything was compared once. */
  #compared = false

  /** `pace`: of a stranger's server; none: no bound. */
  constructor(account: FolderStore.Watched, connection: Heard, recorded: WatchStore.Recorded, pace?: Pace) {
    this.#account = account
    this.#pace = pace
    this.#connection = connection
    this.#lines = new Map(recorded.lines)
    this.#turn = recorded.turn
    this.#look = recorded.look
  }

  /** How many folders are watched; undefined before they were looked at. */
  get folders(): number | undefined {
    return this.#compared ? this.#lines.size : undefined
  }

  /** Waits until so many events and their transaction may be written. */
  #paced(events: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      const wait = this.#pace?.take(1 + events, Date.now()) ?? 0
      return wait > 0 ? Effect.sleep(wait) : Effect.void
    })
  }

  /** What was heard together; of several changes of a folder only its last state matters. */
  handle(changes: ReadonlyArray<Change>): Told<void> {
    return Effect.gen({ self: this }, function* () {
      if (changes.some(({ kind }) => kind === "looked")) yield* this.#reconcile
      // Nothing can be told of a folder before all are known: it may be one that had another name.
      if (!this.#compared) return
      const kinds = new Map<string, Set<Change["kind"]>>()
      for (const { folder, kind } of changes)
        if (kind !== "looked") kinds.set(folder, (kinds.get(folder) ?? new Set()).add(kind))
      let unknown = false
      for (const [folder, heard] of kinds) {
        const status = this.#connection.folders.get(folder)
        const line = this.#lines.get(folder)
        if ((line === undefined) !== (status === undefined) && !this.#unwatched.has(folder)) unknown = true
        else if (line !== undefined && status !== undefined) yield* this.#hear(folder, line, status, heard)
      }
      if (unknown) yield* this.#connection.look
    })
  }

  #hear(folder: string, line: Line, status: FolderStatus, heard: ReadonlySet<Change["kind"]>): Told<void> {
    // Said of the folder that is selected: its counters are not all told then.
    if (heard.has("exists") && (status.messages ?? 0) > line.messages) return this.#read(folder, line, undefined)
    if (heard.has("exists") || heard.has("expunge") || heard.has("flags"))
      return heard.has("status") ? this.#compare(folder, line, status) : this.#connection.refresh(folder)
    return this.#compare(folder, line, status)
  }

  #compare(folder: string, line: Line, status: FolderStatus): Told<void> {
    return Effect.gen({ self: this }, function* () {
      const verdict = compare(line, status)
      if (verdict === "Same") return
      if (verdict === "Read") return yield* this.#read(folder, line, status)
      if (verdict === "Recreated") return yield* this.#begin(folder, line, status.uidValidity!)
      const counters = countersOf(line, status)
      yield* this.#paced(1)
      yield* FolderStore.count(this.#account, folder, line, counters)
      this.#lines.set(folder, { ...line, ...counters })
    })
  }

  /** The folder was made anew. */
  #begin(folder: string, line: Line, uidValidity: number): Told<void> {
    return Effect.gen({ self: this }, function* () {
      const anew = recreated(uidValidity, this.#look)
      yield* this.#paced(0)
      if (!(yield* FolderStore.begin(this.#account, folder, line, anew))) return yield* this.#reload
      this.#lines.set(folder, anew)
      yield* this.#read(folder, anew, this.#connection.folders.get(folder), true)
    })
  }

  /** Everything that came, page by page. `begun`: the folder was made anew just now; a server that says so again and again is left until the next look. */
  #read(folder: string, from: Line, status: FolderStatus | undefined, begun = false): Told<void> {
    return Effect.gen({ self: this }, function* () {
      let line = from
      while (true) {
        const page = yield* this.#page(folder, line.uidNext)
        // It is gone, or not ours to read: the next look tells.
        if (page === undefined) return
        if (page.uidValidity !== undefined && page.uidValidity !== line.uidValidity)
          return begun ? undefined : yield* this.#begin(folder, line, page.uidValidity)
        const next = Math.max(line.uidNext, page.next)
        const recent = page.messages.filter(
          (message) => message.uid >= line.uidNext && isRecent(message.internalDate, line, this.#look)
        )
        // Counters last: then they come with the last of the messages they count.
        const counters = countersOf(line, page.more || status === undefined ? {} : status)
        if (next === line.uidNext && counters.messages === line.messages && counters.unseen === line.unseen) return
        yield* this.#paced(recent.length)
        const turn = this.#turn
        const moved = yield* FolderStore.tell(this.#account, { folder, line, next, recent, counters, turn })
        if (moved === undefined) {
          yield* this.#reload
          const known = this.#lines.get(folder)
          if (
            turn === this.#turn ||
            known === undefined ||
            known.uidValidity !== line.uidValidity ||
            known.uidNext !== line.uidNext
          )
            return
          // It was another folder that somebody told of: these messages are still to be told of.
          line = known
          continue
        }
        this.#turn += 1
        this.#lines.set(folder, moved)
        line = moved
        if (!page.more) return
      }
    })
  }

  /** What came in the last hour before the first look is not told of, and not where it is moved to either. */
  #remember(folders: ReadonlyArray<string>, look: Look): Told<void> {
    return Effect.forEach(
      folders.slice(0, remembered),
      (folder) =>
        Effect.gen({ self: this }, function* () {
          const line = this.#lines.get(folder)
          if (line === undefined || line.uidNext === 1) return
          const page = yield* this.#page(folder, Math.max(1, line.uidNext - pageUids))
          const recent =
            page?.messages.filter(
              ({ internalDate, uid }) => uid < line.uidNext && isRecent(internalDate, line, look)
            ) ?? []
          if (recent.length > 0) yield* FolderStore.remember(this.#account, folder, line, recent)
        }),
      { discard: true }
    )
  }

  #page(folder: string, from: number): Effect.Effect<Arrivals | undefined, ImapWatchError> {
    return Effect.catchIf(
      this.#connection.arrivals(folder, from),
      ({ reason }) => reason._tag === "Rejected",
      () => Effect.succeed(undefined)
    )
  }

  /** Somebody else tells of this mailbox, too: what he did is known from the database. */
  get #reload(): Told<void> {
    return Effect.map(FolderStore.load(this.#account), ({ lines, turn }) => {
      this.#lines = lines
      this.#turn = turn
    })
  }

  get #reconcile(): Told<void> {
    return Effect.gen({ self: this }, function* () {
      const { folders } = this.#connection
      const look = { ...this.#look, now: Date.now() }
      const steps = reconcile(this.#lines, folders, look)
      if (steps.length > 0) {
        yield* FolderStore.apply(this.#account, steps)
        yield* this.#reload
        if (look.first === undefined && !look.fresh)
          yield* this.#remember(
            steps.map(({ folder }) => folder),
            look
          )
      }
      this.#unwatched = new Set(
        Array.from(folders)
          .filter(([folder, status]) => !this.#lines.has(folder) && !isWatchable(folder, status))
          .map(([folder]) => folder)
      )
      for (const [folder, status] of folders) {
        const line = this.#lines.get(folder)
        if (line !== undefined) yield* this.#compare(folder, line, status)
      }
      this.#compared = true
      // After all was told: whoever dies before looks back as far as this one did.
      this.#look = { ...look, first: look.first ?? look.now, last: look.now }
      if (look.now - this.#notedAt < lookNoted) return
      yield* WatchStore.noteLook(this.#account, look.now)
      this.#notedAt = look.now
    })
  }
}
