/**
 * Reports mailboxes that were unreadable for 3 minutes over the second path. The process that watches a mailbox reports
 * it. Other processes report it only while the database is away, because no process can store mail then.
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
 * How long a mailbox must be in another process to count as moved. Unit: minutes. Reason: during a new assignment it is
 * in no process for seconds.
 */
const movedLimit = 1

/**
 * Longest silence of a watcher. Unit: milliseconds of real time. Reason: a watcher reports every 20 s; a huge mail
 * takes a minute.
 */
const silenceLimit = 3 * 60_000

/** Longest wait for the database. Unit: seconds. */
const patience = Duration.seconds(5)

/** Name of this watch in reports. */
const watchName = "mailboxes"

export interface View {
  readonly now: number
  /** Time since which the database has not answered; undefined while it answers. */
  readonly awaySince: number | undefined
  /** Length of a minute. Unit: milliseconds. */
  readonly minute: number
}

/**
 * Problem of a mailbox, or undefined. `state` undefined: no watcher in this process. Pure; times are epoch
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
    advice: "signalbox health, component mailboxes; alarms stay in the mailbox until it can be read again"
  })
  const limit = unreadableLimit * minute
  if (state?.error !== undefined) return trouble(state.readAt, limit, state.error)
  if (awaySince !== undefined) return trouble(awaySince, limit, "the database does not answer, so no mail is processed")
  if (state === undefined) return undefined
  if (state.detection === undefined) return trouble(state.readAt, limit, "no session yet")
  return now - state.readAt < silenceLimit ? undefined : trouble(state.readAt, 0, "its watcher has stalled")
}

/** Report that a failed mailbox moved to another process, which reports it from now on. */
const moved = (name: string, since: number): Trouble => ({
  key: `mailbox ${name} moved`,
  watch: watchName,
  since,
  after: 0,
  once: true,
  replaces: keyOf(name),
  sequel: true,
  what: `the alarm mailbox ${name} moved to another process, which sends a notice if it cannot read the mailbox either`,
  advice: "signalbox health of that process, component mailboxes"
})

const keyOf = (name: string): string => `mailbox ${name}`

/** `minute`: length of a minute in milliseconds; shorter in tests. */
export interface WatchOptions {
  readonly mailboxes: ReadonlyArray<MailboxSettings>
  readonly minute: number
}

/** `options` has present values. */
export const mailboxWatch = (options: WatchOptions): ActorSpec<SecondPath | BridgeState | SqlClient.SqlClient> => {
  const { minute } = options
  let answeredAt = Date.now()
  /**
   * Mailboxes that had trouble when this process read them last. Value: time since which another process reads the
   * mailbox; undefined: this process still does.
   */
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
        const troubles = options.mailboxes.flatMap(({ name }) => {
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
