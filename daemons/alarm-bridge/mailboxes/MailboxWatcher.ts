/**
 * The actor of one alarm mailbox: open, look, wait, look again. Placed: one in the fleet. Every look takes what lies
 * behind the cursor in the order of the UIDs; a page of mails becomes triggers and moves the cursor in one transaction.
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

/**
 * Mails in one transaction at most. Unit: mails. Reason: bounds what a look holds to 5 MB, and 20 commit as fast as
 * one.
 */
const pageSize = 20

/**
 * Under IDLE, how often to look all the same. Unit: seconds. Reason: IDLE has to be renewed within 29 minutes (RFC
 * 2177), and a connection that died unnoticed must not swallow alarms for longer.
 */
const safetyLook = Duration.seconds(60)

/** How often a waiting watcher gives a sign of life. Unit: seconds. */
const tick = Duration.seconds(20)

/** How often what was taken is swept. Unit: milliseconds. */
const sweepEvery = 10 * 60_000

/**
 * How often a message is asked for that the server lists and does not hand out, before its header alone is asked for,
 * and then it counts as an alarm without words. Unit: times. Reason: it must not hold up what comes after it for ever.
 */
const maxRefusals = 3

/** Mailboxes do not all knock in the same moment. Unit: milliseconds, times the number of mailboxes, at most 5 s. */
const spreadEach = 20
const spreadMost = 5_000

/**
 * How long a database that is away is waited for in place, so that the session stays; then the actor fails and shows
 * it.
 */
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
  /** How many mailboxes there are, to spread their start. */
  readonly of: number
}

export const watcher = (mailbox: MailboxSettings, options: WatcherOptions) => {
  let started = false
  let knocks = 0
  /** How often the server listed a message and would not hand it out, by trigger key. */
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
            error: error.message,
            readAt: readAt(mailboxes, mailbox.name)
          })
          if (error._tag !== "MailboxFailure" || error.reason !== "SignInRefused") return
          knocks += 1
          yield* pause(Backoff.delay(Backoff.polite, knocks, yield* Random.next))
        })
      ),
      // Moved to another process: what is known here no longer holds.
      Effect.onInterrupt(() => Effect.sync(() => mailboxes.delete(mailbox.name)))
    )
  })
  return {
    name: actorName(mailbox.name),
    placed: true,
    // Lost connections come back quickly; a refused sign-in has waited politely before.
    backoff: Backoff.standard,
    run
  } satisfies ActorSpec<unknown>
}

const readAt = (states: ReadonlyMap<string, MailboxState>, name: string): number =>
  states.get(name)?.readAt ?? Date.now()

export const actorName = (mailbox: string): string => `mailbox ${mailbox}`

/** Waits and says so. */
const pause = Effect.fnUntraced(function* (duration: Duration.Duration) {
  const actor = yield* Actor
  yield* actor.note(`sign-in refused, again in ${Math.round(Duration.toSeconds(duration))} s`)
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
      yield* actor.note(`taking ${left.length} mails`)
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

/** The cursor for the mailbox as it is now. */
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
      `mailbox ${name} was reset (UIDVALIDITY ${known!.uidValidity} to ${session.uidValidity}): looking for what is new in it`
    )
  } else return known!
  const cursor = yield* load
  if (cursor === undefined || cursor.uidValidity !== session.uidValidity) return yield* overtaken(name)
  return cursor
})

/** The next mails to take together; one that was refused before goes alone. */
const pageOf = (left: ReadonlyArray<number>, name: string, cursor: Cursor, refusals: ReadonlyMap<string, number>) => {
  const suspect = left.findIndex((uid) => refusals.has(triggerKey(name, cursor, uid)))
  return left.slice(0, suspect === -1 ? pageSize : Math.min(pageSize, Math.max(1, suspect)))
}

/** One page of mails: triggers and cursor in one transaction. */
const takePage = Effect.fnUntraced(function* (
  name: string,
  session: ImapSession.ImapSession,
  cursor: Cursor,
  uids: ReadonlyArray<number>,
  refusals: Map<string, number>
) {
  const key = triggerKey(name, cursor, uids[0]!)
  const refused = refusals.get(key) ?? 0
  // Noted before the answer: a server that cuts the connection over a message leaves no other trace of it.
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
        `mail ${mail.uid} of mailbox ${name} could not be taken apart: its header and text are used as they stand`
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
  if (takes.length > 0) yield* Effect.logInfo(`took ${takes.length} mails from mailbox ${name}, up to UID ${upTo}`)
  return { ...cursor, lastUid: upTo }
})

/** The mails of a page. Those that are gone by now, because somebody deleted them, are left out. */
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
    // What came before it can be taken; alone, it is asked for again.
    const before = mails.filter((mail) => mail.uid < unreadable)
    if (before.length === 0)
      return yield* new MailboxFailure({ reason: "MessageUnreadable", mailbox: name, detail: `UID ${unreadable}` })
    return { mails: before, upTo: unreadable - 1 }
  }
  for (const uid of missing)
    yield* Effect.logWarning(`mail ${uid} of mailbox ${name} was deleted before it could be read`)
  return { mails, upTo: uids.at(-1)! }
})

/** A message that the server cannot give: its header, or nothing, so that the ledger shows that there was one. */
const lastResort = Effect.fnUntraced(function* (
  name: string,
  session: ImapSession.ImapSession,
  uid: number,
  askHeader: boolean
) {
  yield* Effect.logError(
    `mail ${uid} of mailbox ${name} cannot be read: it is taken with ${askHeader ? "its header alone" : "no words"}`
  )
  const header = askHeader ? yield* session.fetchHeader(uid) : undefined
  return header ?? { uid, internalDate: new Date(), source: Buffer.from(`X-Unreadable: ${name} ${uid}\n\n`) }
})

const overtaken = (name: string) =>
  new MailboxFailure({ reason: "Overtaken", mailbox: name, detail: "the cursor was moved elsewhere" })
