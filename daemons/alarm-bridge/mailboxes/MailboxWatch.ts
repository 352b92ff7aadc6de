/**
 * Tells by the second path of mailboxes that have been unreadable for 3 minutes. The process that has a mailbox judges
 * it by its watcher; one that has it not says nothing, unless the database is away: then a mailbox stands still
 * wherever it is.
 */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { SecondPath, tickOf, type Trouble } from "#core/second-path/SecondPath.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { BridgeState, type MailboxState } from "../intake/BridgeState.ts"
import type { MailboxSettings } from "./MailboxSettings.ts"

/** How long a mailbox may be unreadable. Unit: minutes. */
export const unreadableLimit = 3

/**
 * How long a mailbox must be elsewhere to count as moved. Unit: minutes. Reason: it is nowhere for seconds when places
 * are given out anew.
 */
const movedLimit = 1

/**
 * How long a watcher may say nothing. Unit: milliseconds of the clock. Reason: it gives a sign every 20 s, a huge mail
 * takes a minute.
 */
const silenceLimit = 3 * 60_000

/** How long the database may take to answer. Unit: seconds. */
const patience = Duration.seconds(5)

/** The watch's name in reports. */
const watchName = "mailboxes"

export interface View {
  readonly now: number
  /** Since when the database has not answered; undefined: it does. */
  readonly awaySince: number | undefined
  /** Unit: milliseconds. */
  readonly minute: number
}

/**
 * What is wrong with a mailbox, `state` undefined: another process has it, or nobody. Pure; times are epoch
 * milliseconds.
 */
export const troubleOf = (
  name: string,
  state: MailboxState | undefined,
  { awaySince, minute, now }: View
): Trouble | undefined => {
  const trouble = (since: number, after: number, why: string): Trouble => ({
    key: keyOf(name),
    watch: watchName,
    since,
    after,
    what: `the alarm mailbox ${name} cannot be read: ${why}`,
    advice: "signalbox health, component mailboxes; alarms lie in the mailbox until it can be read again"
  })
  const limit = unreadableLimit * minute
  if (state?.error !== undefined) return trouble(state.readAt, limit, state.error)
  if (awaySince !== undefined)
    return trouble(awaySince, limit, "the database does not answer, and without it no mail is taken")
  if (state === undefined) return undefined
  if (state.detection === undefined) return trouble(state.readAt, limit, "no session yet")
  return now - state.readAt < silenceLimit
    ? undefined
    : trouble(state.readAt, 0, "its watcher has come to a standstill")
}

/**
 * A mailbox that failed here and went to another process: whoever was told of it here is told who speaks of it from now
 * on.
 */
const moved = (name: string, since: number): Trouble => ({
  key: `mailbox ${name} moved`,
  watch: watchName,
  since,
  after: 0,
  once: true,
  replaces: keyOf(name),
  sequel: true,
  what: `the alarm mailbox ${name} has gone to another process, which will tell if it cannot read it either`,
  advice: "signalbox health of that process, component mailboxes"
})

const keyOf = (name: string): string => `mailbox ${name}`

/** `minute`: length of a minute in milliseconds; shorter in tests. */
export interface WatchOptions {
  readonly mailboxes: ReadonlyArray<MailboxSettings>
  readonly minute: number
}

export const mailboxWatch = ({
  mailboxes,
  minute
}: WatchOptions): ActorSpec<SecondPath | BridgeState | SqlClient.SqlClient> => {
  let answeredAt = Date.now()
  /** Mailboxes that failed while they were here, and since when they are elsewhere. */
  const lost = new Map<string, number | undefined>()
  return {
    name: "mailbox watch",
    run: Effect.gen(function* () {
      const actor = yield* Actor
      const sql = yield* SqlClient.SqlClient
      const secondPath = yield* SecondPath
      const { mailboxes: states } = yield* BridgeState
      while (true) {
        yield* actor.progress
        const answered = yield* sql`select 1`.pipe(Effect.timeout(patience), Effect.isSuccess)
        const now = Date.now()
        if (answered) answeredAt = now
        const view = { now, awaySince: answered ? undefined : answeredAt, minute }
        const troubles = mailboxes.flatMap(({ name }) => {
          const state = states.get(name)
          const trouble = troubleOf(name, state, view)
          if (state !== undefined) {
            if (trouble === undefined) lost.delete(name)
            else if (answered) lost.set(name, undefined)
          } else if (answered && lost.has(name)) {
            const since = lost.get(name) ?? now
            lost.set(name, since)
            return now - since < movedLimit * minute ? [] : moved(name, since)
          }
          return trouble ?? []
        })
        yield* secondPath.report({ watch: watchName, troubles })
        yield* actor.note(answered ? "watching" : "the database does not answer")
        yield* Effect.sleep(tickOf(minute))
      }
    })
  }
}
