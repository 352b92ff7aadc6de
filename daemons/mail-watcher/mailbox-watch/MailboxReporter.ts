/**
 * Reports the changes of one mailbox as events: new messages and changed counters. It compares with the recorded state,
 * so changes that happened while nobody watched are reported too.
 */
import { awaitTokens, type TokenBucket } from "#core/limits/TokenBucket.ts"
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
  type FolderCursor,
  type ScanTimes,
  compare,
  countersOf,
  isRecent,
  isWatchable,
  reconcile,
  recreatedCursor
} from "./FolderCursor.ts"
import * as FolderStore from "./FolderStore.ts"
import * as WatchStore from "./WatchStore.ts"

type Reported<A> = Effect.Effect<
  A,
  ImapWatchError | SqlError.SqlError,
  PgClient.PgClient | SqlClient.SqlClient | Events
>

/**
 * Interval between two stored scan times. Unit: milliseconds. Reason: the time only limits how far back a new folder is
 * read.
 */
const scanTimeInterval = 30 * 60_000

/**
 * Maximum number of folders whose latest messages are remembered at the first scan. Reason: people move mails out of
 * few folders; more would take long.
 */
const foldersRemembered = 50

/** Parts of a connection that `handle` uses. */
export type ReportedConnection = Pick<WatchConnection, "arrivals" | "folders" | "look" | "refresh" | "useOf">

export class MailboxReporter {
  readonly #account: FolderStore.Watched
  readonly #connection: ReportedConnection
  readonly #rateLimiter: TokenBucket | undefined
  #cursors: Map<string, FolderCursor>
  #version: number
  #scanTimes: ScanTimes
  #scanStoredAt = 0
  /** Folders that cannot be watched and have no cursor. */
  #unwatched = new Set<string>()
  /** Whether the first scan has been compared with the recorded state. */
  #compared = false

  /** `rateLimiter` limits the events of a foreign mailbox. Undefined: no limit. */
  constructor(
    account: FolderStore.Watched,
    connection: ReportedConnection,
    recorded: WatchStore.RecordedMailbox,
    rateLimiter?: TokenBucket
  ) {
    this.#account = account
    this.#rateLimiter = rateLimiter
    this.#connection = connection
    this.#cursors = new Map(recorded.cursors)
    this.#version = recorded.version
    this.#scanTimes = recorded.look
  }

  /** Number of watched folders. Undefined before the first scan. */
  get folders(): number | undefined {
    return this.#compared ? this.#cursors.size : undefined
  }

  /** Waits until the rate limit allows the events and their transaction. */
  #awaitRateLimit(events: number): Effect.Effect<void> {
    return this.#rateLimiter === undefined ? Effect.void : awaitTokens(this.#rateLimiter, 1 + events)
  }

  /** Handles changes that arrived together. Several changes of one folder are handled once, with its current state. */
  handle(changes: ReadonlyArray<Change>): Reported<void> {
    return Effect.gen({ self: this }, function* () {
      if (changes.some(({ kind }) => kind === "looked")) yield* this.#reconcile
      // Before the first scan a folder may be unknown because it was renamed.
      if (!this.#compared) return
      const kinds = new Map<string, Set<Change["kind"]>>()
      for (const { folder, kind } of changes)
        if (kind !== "looked") kinds.set(folder, (kinds.get(folder) ?? new Set()).add(kind))
      let unknown = false
      for (const [folder, changed] of kinds) {
        const status = this.#connection.folders.get(folder)
        const cursor = this.#cursors.get(folder)
        // A folder that is listed again without counters was deleted and created: Dovecot reports no mail in it.
        const isCreated = changed.has("listed") && status?.uidValidity === undefined
        if (((cursor === undefined) !== (status === undefined) || isCreated) && !this.#unwatched.has(folder))
          unknown = true
        else if (cursor !== undefined && status !== undefined)
          yield* this.#handleFolder(folder, cursor, status, changed)
      }
      if (unknown) yield* this.#connection.look
    })
  }

  #handleFolder(
    folder: string,
    cursor: FolderCursor,
    status: FolderStatus,
    changed: ReadonlySet<Change["kind"]>
  ): Reported<void> {
    // Changes of the selected folder do not include all counters.
    if (changed.has("exists") && (status.messages ?? 0) > cursor.messages)
      return this.#announce(folder, cursor, undefined)
    if (changed.has("exists") || changed.has("expunge") || changed.has("flags"))
      return changed.has("status") ? this.#compare(folder, cursor, status) : this.#connection.refresh(folder)
    return this.#compare(folder, cursor, status)
  }

  #compare(folder: string, cursor: FolderCursor, status: FolderStatus): Reported<void> {
    return Effect.gen({ self: this }, function* () {
      const verdict = compare(cursor, status)
      if (verdict === "Same") return
      if (verdict === "Read") return yield* this.#announce(folder, cursor, status)
      if (verdict === "Recreated") return yield* this.#recreate(folder, cursor, status.uidValidity!)
      const counters = countersOf(cursor, status)
      yield* this.#awaitRateLimit(1)
      yield* FolderStore.storeCounters(this.#account, folder, cursor, counters)
      this.#cursors.set(folder, { ...cursor, ...counters })
    })
  }

  /** Resets the cursor of a folder that was deleted and created again. */
  #recreate(folder: string, cursor: FolderCursor, uidValidity: number): Reported<void> {
    return Effect.gen({ self: this }, function* () {
      const cursorNow = recreatedCursor(uidValidity, this.#scanTimes)
      yield* this.#awaitRateLimit(0)
      if (!(yield* FolderStore.reset(this.#account, folder, cursor, cursorNow))) return yield* this.#reload
      this.#cursors.set(folder, cursorNow)
      yield* this.#announce(folder, cursorNow, this.#connection.folders.get(folder), true)
    })
  }

  /**
   * Announces new messages page by page. `isRecreated`: the folder was just recreated. A server that repeats this is
   * ignored until the next scan.
   */
  #announce(folder: string, from: FolderCursor, status: FolderStatus | undefined, isRecreated = false): Reported<void> {
    return Effect.gen({ self: this }, function* () {
      let cursor = from
      while (true) {
        const page = yield* this.#page(folder, cursor.uidNext)
        // The folder is gone or not readable; the next scan decides.
        if (page === undefined) return
        if (page.uidValidity !== undefined && page.uidValidity !== cursor.uidValidity)
          return isRecreated ? undefined : yield* this.#recreate(folder, cursor, page.uidValidity)
        const next = Math.max(cursor.uidNext, page.next)
        const recent = page.messages.filter(
          (message) => message.uid >= cursor.uidNext && isRecent(message.internalDate, cursor, this.#scanTimes)
        )
        // Counters of the last page only, so that they arrive with the last message.
        const counters = countersOf(cursor, page.more || status === undefined ? {} : status)
        if (next === cursor.uidNext && counters.messages === cursor.messages && counters.unseen === cursor.unseen)
          return
        yield* this.#awaitRateLimit(recent.length)
        const version = this.#version
        const isOwnFolder = this.#connection.useOf(folder) !== undefined
        const moved = yield* FolderStore.announce(this.#account, {
          folder,
          cursor,
          next,
          recent,
          isOwnFolder,
          counters,
          version
        })
        if (moved === undefined) {
          yield* this.#reload
          const known = this.#cursors.get(folder)
          if (
            version === this.#version ||
            known === undefined ||
            known.uidValidity !== cursor.uidValidity ||
            known.uidNext !== cursor.uidNext
          )
            return
          // Another process announced messages of another folder. The messages of this page are still unannounced.
          cursor = known
          continue
        }
        this.#version += 1
        this.#cursors.set(folder, moved)
        cursor = moved
        if (!page.more) return
      }
    })
  }

  /** Remembers messages of the hour before the first scan, so that moving them does not announce them. */
  #remember(folders: ReadonlyArray<string>, look: ScanTimes): Reported<void> {
    return Effect.forEach(
      folders.slice(0, foldersRemembered),
      (folder) =>
        Effect.gen({ self: this }, function* () {
          const cursor = this.#cursors.get(folder)
          if (cursor === undefined || cursor.uidNext === 1) return
          const page = yield* this.#page(folder, Math.max(1, cursor.uidNext - pageUids))
          const recent =
            page?.messages.filter(
              ({ internalDate, uid }) => uid < cursor.uidNext && isRecent(internalDate, cursor, look)
            ) ?? []
          if (recent.length > 0) yield* FolderStore.remember(this.#account, folder, cursor, recent)
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

  /** Loads the recorded state after another process changed it. */
  get #reload(): Reported<void> {
    return Effect.map(FolderStore.load(this.#account), ({ cursors, version }) => {
      this.#cursors = cursors
      this.#version = version
    })
  }

  get #reconcile(): Reported<void> {
    return Effect.gen({ self: this }, function* () {
      const { folders } = this.#connection
      const look = { ...this.#scanTimes, now: Date.now() }
      const steps = reconcile(this.#cursors, folders, look)
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
          .filter(([folder, status]) => !this.#cursors.has(folder) && !isWatchable(folder, status))
          .map(([folder]) => folder)
      )
      for (const [folder, status] of folders) {
        const cursor = this.#cursors.get(folder)
        if (cursor !== undefined) yield* this.#compare(folder, cursor, status)
      }
      this.#compared = true
      // Stored after the announcements: after a crash the next scan looks back equally far.
      this.#scanTimes = { ...look, first: look.first ?? look.now, last: look.now }
      if (look.now - this.#scanStoredAt < scanTimeInterval) return
      yield* WatchStore.storeScanTime(this.#account, look.now)
      this.#scanStoredAt = look.now
    })
  }
}
