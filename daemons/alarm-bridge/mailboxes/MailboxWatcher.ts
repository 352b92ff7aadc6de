/**
 * Actor that watches one alarm mailbox. Placed: runs once in the fleet. It repeatedly processes all mails after the
 * cursor in UID order and then waits for new mail. Each page of mails becomes triggers and moves the cursor in one
 * transaction.
 */
import { Duration, Effect, Random } from "effect"
import { createHash } from "node:crypto"
import type { SqlError } from "effect/sql"
import * as Backoff from "#core/supervision/Backoff.ts"
import { StorageUnavailable } from "#core/sql/Sql.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { BridgeState, type MailboxState } from "../intake/BridgeState.ts"
import { MailboxFailure } from "../intake/Errors.ts"
import * as ImapSession from "./ImapSession.ts"
import * as MailboxCursor from "./MailboxCursor.ts"
import { type Cursor, decideOpening, isNew, triggerKey } from "./MailboxOpening.ts"
import { readPassword } from "./MailboxPassword.ts"
import type { MailboxSettings } from "./MailboxSettings.ts"
import { MailReader } from "../intake/MailReader.ts"
import * as Triggers from "../intake/Triggers.ts"

/** Maximum number of mails in one transaction. Reason: limits memory to 5 MB; 20 mails commit as fast as one. */
const pageSize = 20

/**
 * Interval of checks during IDLE. Unit: seconds. Reason: IDLE must be renewed within 29 minutes (RFC 2177), and a
 * connection lost silently must not delay alarms for longer.
 */
const safetyLook = Duration.seconds(60)

/** Interval of progress reports while waiting. Unit: seconds. */
const tick = Duration.seconds(20)

/** Interval of deleting old digests. Unit: milliseconds. */
const sweepEvery = 10 * 60_000

/**
 * Maximum number of attempts to fetch a message that the server lists but does not return. After that only its header
 * is fetched, and if that fails too, the message becomes an alarm without text. Reason: it must not block later mails
 * forever.
 */
const maxRefusals = 3

/** Spreads the first connections over time. Unit: milliseconds for each mailbox, at most 5 s in total. */
const spreadEach = 20
const spreadMost = 5_000

/** How long a watcher keeps its session while the database is away; then the actor fails. */
const storagePatience = Duration.seconds(30)

const stored = <A, R>(effect: Effect.Effect<A, SqlError.SqlError, R>): Effect.Effect<A, StorageUnavailable, R> =>
  Effect.suspend(() => {
    let detail = `no answer within ${Duration.toSeconds(storagePatience)} s`
    return effect.pipe(
      Effect.tapError((error) => Effect.sync(() => (detail = error.message))),
      Effect.retry({ schedule: Backoff.schedule(Backoff.eager) }),
      Effect.timeoutOrElse({
        duration: storagePatience,
        orElse: () => Effect.fail(new StorageUnavailable({ detail }))
      }),
      Effect.mapError((error) =>
        error._tag === "StorageUnavailable" ? error : new StorageUnavailable({ detail: error.message })
      )
    )
  })

export interface WatcherOptions {
  readonly pollSeconds: number
  readonly firstStart: "skip" | "take"
  /** Number of mailboxes, used to spread their start. */
  readonly of: number
}

export const watcher = (mailbox: MailboxSettings, options: WatcherOptions) => {
  let started = false
  let knocks = 0
  /** Number of failed fetches of a message, by trigger key. */
  const refusals = new Map<string, number>()
  const run = Effect.gen(function* () {
    const { mailboxes } = yield* BridgeState
    if (!started) yield* Effect.sleep((yield* Random.next) * Math.min(spreadMost, spreadEach * options.of))
    started = true
    if (!mailboxes.has(mailbox.name))
      mailboxes.set(mailbox.name, { detection: undefined, error: undefined, readAt: Date.now() })
    yield* Effect.scoped(watch(mailbox, options, refusals, () => (knocks = 0))).pipe(
      Effect.tapError((error) =>
        Effect.gen(function* () {
          mailboxes.set(mailbox.name, {
            detection: undefined,
            error: error instanceof MailboxFailure ? error.ownWords : error.message,
            readAt: readAt(mailboxes, mailbox.name)
          })
          if (error._tag !== "MailboxFailure" || error.reason !== "SignInRefused") return
          knocks += 1
          yield* pause(Backoff.delay(Backoff.polite, knocks, yield* Random.next))
        })
      ),
      // The mailbox moved to another process, so the state here is outdated.
      Effect.onInterrupt(() => Effect.sync(() => mailboxes.delete(mailbox.name)))
    )
  })
  return {
    name: actorName(mailbox.name),
    placed: true,
    // Restarts quickly after a lost connection. A refused sign-in has already waited in `pause`.
    backoff: Backoff.standard,
    run
  } satisfies ActorSpec<unknown>
}

const readAt = (states: ReadonlyMap<string, MailboxState>, name: string): number =>
  states.get(name)?.readAt ?? Date.now()

export const actorName = (mailbox: string): string => `mailbox ${mailbox}`

/** Waits while reporting progress to the supervisor. */
const pause = Effect.fnUntraced(function* (duration: Duration.Duration) {
  const actor = yield* Actor
  yield* actor.note(`sign-in refused, next attempt in ${Math.round(Duration.toSeconds(duration))} s`)
  let left = Duration.toMillis(duration)
  while (left > 0) {
    yield* actor.progress
    yield* Effect.sleep(Math.min(left, Duration.toMillis(tick)))
    left -= Duration.toMillis(tick)
  }
})

const watch = Effect.fnUntraced(function* (
  mailbox: MailboxSettings,
  options: WatcherOptions,
  refusals: Map<string, number>,
  signedIn: () => void
) {
  const actor = yield* Actor
  const { mailboxes } = yield* BridgeState
  yield* actor.note(`connecting to ${mailbox.host}`)
  const session = yield* ImapSession.open(mailbox, yield* readPassword(mailbox))
  signedIn()
  let cursor = yield* openCursor(mailbox.name, session, options.firstStart)
  const note = (at: number) =>
    mailboxes.set(mailbox.name, { detection: session.idles ? "idle" : "polling", error: undefined, readAt: at })
  note(readAt(mailboxes, mailbox.name))
  const watching = `${session.idles ? "idle" : "polling"} on ${mailbox.folder}`
  const lookEvery = session.idles ? Duration.toMillis(safetyLook) : options.pollSeconds * 1000
  let sweptAt = 0
  while (true) {
    const found = yield* session.uidsFrom(cursor.lastUid + 1)
    while (found.length > 0 && found.at(-1)! > cursor.lastUid) {
      const left = found.filter((uid) => uid > cursor.lastUid)
      yield* actor.progress
      yield* actor.note(`processing ${left.length} mails`)
      cursor = yield* takePage(mailbox.name, session, cursor, pageOf(left, mailbox.name, cursor, refusals), refusals)
    }
    if (Date.now() - sweptAt > sweepEvery) {
      yield* stored(MailboxCursor.sweep(mailbox.name))
      sweptAt = Date.now()
    }
    yield* actor.note(watching)
    let news = false
    for (let left = lookEvery; !news && left > 0; left -= Duration.toMillis(tick)) {
      yield* actor.progress
      note(Date.now())
      news = yield* session.wait(Duration.millis(Math.min(left, Duration.toMillis(tick))))
    }
    if (!news) yield* session.noop
  }
})

/** Cursor for the mailbox as opened: read, created, or restarted after a reset. */
const openCursor = Effect.fnUntraced(function* (
  name: string,
  session: ImapSession.ImapSession,
  firstStart: "skip" | "take"
) {
  const load = stored(MailboxCursor.read(name))
  const known = yield* load
  const opening = decideOpening(known, session, firstStart)
  if (opening._tag === "First") {
    yield* stored(MailboxCursor.begin(name, session.uidValidity, opening.lastUid))
    yield* Effect.logInfo(`mailbox ${name} is watched for the first time, from UID ${opening.lastUid + 1} on`)
  } else if (opening._tag === "Reset") {
    yield* stored(
      MailboxCursor.reset(name, known!, {
        uidValidity: session.uidValidity,
        generation: opening.generation,
        until: opening.until
      })
    )
    yield* Effect.logWarning(
      `mailbox ${name} was reset (UIDVALIDITY ${known!.uidValidity} to ${session.uidValidity}): ` +
        "comparing its mails with processed ones"
    )
  } else return known!
  const cursor = yield* load
  if (cursor === undefined || cursor.uidValidity !== session.uidValidity) return yield* overtaken(name)
  return cursor
})

/** UIDs of the next page. A message whose fetch failed before gets a page of its own. */
const pageOf = (left: ReadonlyArray<number>, name: string, cursor: Cursor, refusals: ReadonlyMap<string, number>) => {
  const suspect = left.findIndex((uid) => refusals.has(triggerKey(name, cursor, uid)))
  return left.slice(0, suspect === -1 ? pageSize : Math.min(pageSize, Math.max(1, suspect)))
}

/** Processes one page of mails: sends the triggers and moves the cursor in one transaction. */
const takePage = Effect.fnUntraced(function* (
  name: string,
  session: ImapSession.ImapSession,
  cursor: Cursor,
  uids: ReadonlyArray<number>,
  refusals: Map<string, number>
) {
  const key = triggerKey(name, cursor, uids[0]!)
  const refused = refusals.get(key) ?? 0
  // Counted before the fetch, because a server may cut the connection over a message and leave no other trace.
  refusals.set(key, refused + 1)
  const { mails, upTo } =
    refused < maxRefusals
      ? yield* readPage(name, session, uids)
      : { mails: [yield* lastResort(name, session, uids[0]!, refused === maxRefusals)], upTo: uids[0]! }
  refusals.delete(key)
  const digested = mails.map((mail) => ({ ...mail, digest: createHash("sha256").update(mail.source).digest("hex") }))
  const sifted = digested.filter((mail) => mail.uid <= cursor.resetUntil).map((mail) => mail.digest)
  const taken = sifted.length === 0 ? new Set<string>() : yield* stored(MailboxCursor.takenBefore(name, sifted))
  const takes: Array<MailboxCursor.Take> = []
  for (const mail of digested) {
    if (!isNew(cursor, { ...mail, taken: taken.has(mail.digest) })) continue
    const parsed = yield* (yield* MailReader).read(mail.source)
    if (!parsed.whole)
      yield* Effect.logWarning(
        `mail ${mail.uid} of mailbox ${name} could not be parsed: its raw header and text are used`
      )
    const trigger = Triggers.make(
      triggerKey(name, cursor, mail.uid),
      parsed,
      { kind: "imap", mailbox: name },
      new Date()
    )
    takes.push({ trigger, digest: mail.digest, internalDate: mail.internalDate })
  }
  const moved = yield* stored(MailboxCursor.advance(name, cursor, upTo, takes))
  if (!moved) return yield* overtaken(name)
  if (takes.length > 0) yield* Effect.logInfo(`accepted ${takes.length} mails from mailbox ${name}, up to UID ${upTo}`)
  return { ...cursor, lastUid: upTo }
})

/** Fetches the mails of a page. Mails deleted in the meantime are skipped. */
const readPage = Effect.fnUntraced(function* (
  name: string,
  session: ImapSession.ImapSession,
  uids: ReadonlyArray<number>
) {
  const mails = yield* session.fetch(uids)
  const missing = uids.filter((uid) => !mails.some((mail) => mail.uid === uid))
  if (missing.length === 0) return { mails, upTo: uids.at(-1)! }
  const listed = new Set(yield* session.uidsFrom(missing[0]!))
  const unreadable = missing.find((uid) => listed.has(uid))
  if (unreadable !== undefined) {
    // The mails before the unreadable one are processed now. It is then fetched again on its own.
    const before = mails.filter((mail) => mail.uid < unreadable)
    if (before.length === 0)
      return yield* new MailboxFailure({ reason: "MessageUnreadable", mailbox: name, detail: `UID ${unreadable}` })
    return { mails: before, upTo: unreadable - 1 }
  }
  for (const uid of missing)
    yield* Effect.logWarning(`mail ${uid} of mailbox ${name} was deleted before it could be read`)
  return { mails, upTo: uids.at(-1)! }
})

/** Substitute for a message that cannot be read: its header or an empty mail, so that the ledger still shows it. */
const lastResort = Effect.fnUntraced(function* (
  name: string,
  session: ImapSession.ImapSession,
  uid: number,
  askHeader: boolean
) {
  yield* Effect.logError(
    `mail ${uid} of mailbox ${name} cannot be read: it is accepted with ${askHeader ? "its header only" : "no content"}`
  )
  const header = askHeader ? yield* session.fetchHeader(uid) : undefined
  return header ?? { uid, internalDate: new Date(), source: Buffer.from(`X-Unreadable: ${name} ${uid}\n\n`) }
})

const overtaken = (name: string) =>
  new MailboxFailure({ reason: "Overtaken", mailbox: name, detail: "another process moved the cursor" })
