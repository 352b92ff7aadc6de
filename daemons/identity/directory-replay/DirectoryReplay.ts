/**
 * Directory replay: emits the state of every tenant and user again before older events are pruned, so that a daemon
 * that starts later learns of unchanged users. A generation emits each tenant and user once, in pages. Progress is
 * stored in the transaction of the page, so a crash neither skips nor repeats anyone. Readers compare versions. Placed:
 * one actor in the fleet.
 */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TenantTold, UserTold } from "#core/contracts/Identity.ts"
import { MessengerChatTold } from "#core/contracts/Messenger.ts"
import { Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { eventRetention } from "#core/daemon/Sweeps.ts"
import { MessengerStore } from "../factors/Exports.ts"
import { Accounts, Tenants } from "../users/Exports.ts"

/**
 * Time between the starts of two generations. Unit: days. Reason: half of the event retention, so that one complete
 * generation is always readable.
 */
export const replayEvery = eventRetention / 2

/**
 * Tenants or users per transaction. Reason: half the page of an event reader, and the lock is held only for
 * milliseconds.
 */
export const pageSize = 100

/**
 * Pause between two pages. Unit: seconds. Reason: readers must not wait for the whole directory before they get current
 * events. A million users take three hours.
 */
const pause = Duration.seconds(1)

/**
 * Interval of the check whether a generation is due. Unit: minutes. Reason: an hour of delay does not matter to a
 * weekly task.
 */
const checkInterval = Duration.minutes(60)

interface Progress {
  readonly generation: number
  readonly in_progress: boolean
  readonly last_tenant: number
  readonly last_account: number
}

/** Emits one page of the current generation; starts a generation when one is due. `done`: nothing is left to emit. */
export const replayPage = transaction(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const events = yield* Events
    yield* sql`update identity.telling set generation = generation + 1, begun_at = now(), finished_at = null,
      last_tenant = 0, last_account = 0
    where finished_at is not null and begun_at <= now() - make_interval(days => ${replayEvery})`
    // Locks the row until the commit, so that an actor started in another process waits for one that is being stopped.
    const [progress] = yield* sql<Progress>`select generation, finished_at is null as in_progress,
      last_tenant, last_account from identity.telling for update`
    const { generation, in_progress, last_account, last_tenant } = progress!
    if (!in_progress) return { generation, emitted: 0, done: true }
    // Emitted without user or tenant, so only daemons receive it: nothing has changed for users.
    const tenants = yield* Tenants.listAfter(last_tenant, pageSize)
    if (tenants.length > 0) {
      yield* events.emitAll(
        TenantTold,
        Accounts.source,
        tenants.map((tenant) => ({ data: Tenants.tenantOf(tenant) }))
      )
      yield* sql`update identity.telling set last_tenant = ${tenants.at(-1)!.id}`
      return { generation, emitted: tenants.length, done: false }
    }
    const accounts = yield* Accounts.listAfter(last_account, pageSize)
    if (accounts.length > 0) {
      yield* events.emitAll(
        UserTold,
        Accounts.source,
        accounts.map((account) => ({ data: Accounts.userOf(account) }))
      )
      // Repeats messenger chats too, so that messages reach their users.
      const chats = yield* MessengerStore.chatsOf(accounts.map(({ id }) => id))
      yield* events.emitAll(
        MessengerChatTold,
        Accounts.source,
        chats.map((data) => ({ data }))
      )
      yield* sql`update identity.telling set last_account = ${accounts.at(-1)!.id}`
      return { generation, emitted: accounts.length, done: false }
    }
    yield* sql`update identity.telling set finished_at = now()`
    return { generation, emitted: 0, done: true }
  })
)

export const replayActor: ActorSpec<SqlClient.SqlClient | Events> = {
  name: "directory replay",
  placed: true,
  stallAfter: Duration.times(checkInterval, 3),
  run: Effect.gen(function* () {
    const actor = yield* Actor
    let emitted = 0
    while (true) {
      const page = yield* replayPage
      emitted += page.emitted
      yield* actor.progress
      yield* actor.note(
        page.done ? `generation ${page.generation} is complete` : `generation ${page.generation}: ${emitted} emitted`
      )
      if (page.done) emitted = 0
      yield* Effect.sleep(page.done ? checkInterval : pause)
    }
  })
}
