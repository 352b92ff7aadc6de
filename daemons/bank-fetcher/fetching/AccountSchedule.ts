/**
 * The schedules of all accounts, distributed over a few placed actors of the fleet. Each starts one child actor for
 * each
 * of its accounts, which only adds fetches: a slow bank delays no schedule. A placed actor for each account would cost
 * every process memory for accounts that it does not run.
 */
import { Clock, Duration, Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { Wake } from "#core/events/Wake.ts"
import type { Jobs } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Actor, type ActorSpec, Supervisor } from "#core/supervision/Supervisor.ts"
import type { OrderChoice } from "../accounts/Exports.ts"
import { AccountStates, type AccountState } from "./FetchHealth.ts"
import { accountTopic } from "./FetchProgress.ts"
import * as FetchStore from "./FetchStore.ts"
import { dueFiring, type Hours, nextTime, type ScheduledReason, scheduledReasons, timesOf } from "./FetchTimes.ts"
import { hasOrders } from "./OrderPlan.ts"

/** Number of placed actors. Reason: several processes share them about evenly, and each costs little. */
export const slots = 4

/** Interval between two reads of the accounts without an announcement. Reason: an announcement can be lost. */
const rereadInterval = Duration.seconds(30)

/** Longest sleep of a schedule. Reason: it reports progress, and a clock that was set takes effect. Unit: seconds. */
const longestSleep = Duration.seconds(30)

interface Row extends AccountState {
  readonly daily_schedule: string | null
  readonly intraday_schedule: string | null
  readonly order_types: ReadonlyArray<OrderChoice> | null
  readonly fetches: boolean
  readonly created: number
  readonly daily: number | null
  readonly intraday: number | null
}

interface Child {
  /** What the actor was started with, as JSON. A change restarts the actor. */
  readonly spec: string
  readonly scope: Scope.Closeable
}

type Services = AccountStates | Supervisor | SqlClient.SqlClient | Wake | Jobs

/** Schedules of the accounts whose number leaves the remainder `number` when divided by `slots`. */
const slot = (number: number, hours: Hours): ActorSpec<Services> => ({
  name: `bank accounts ${number} of ${slots}`,
  placed: true,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const supervisor = yield* Supervisor
    const states = yield* AccountStates
    const wakeup = yield* (yield* Wake).subscribe(accountTopic)
    const slotScope = yield* Effect.scope
    const children = new Map<string, Child>()
    yield* Effect.addFinalizer(() => Effect.sync(() => states.delete(number)))
    while (true) {
      yield* actor.progress
      const rows = yield* read(number)
      states.set(number, rows)
      const wanted = new Map(rows.filter(({ fetches }) => fetches).map((row) => [row.id, row]))
      for (const [id, child] of children) {
        const row = wanted.get(id)
        if (row !== undefined && specOf(row) === child.spec) continue
        children.delete(id)
        yield* Scope.close(child.scope, Exit.void)
      }
      for (const [id, row] of wanted) {
        if (children.has(id)) continue
        const scope = yield* Scope.fork(slotScope)
        children.set(id, { spec: specOf(row), scope })
        yield* Scope.provide(supervisor.start(schedule(row, hours)), scope)
      }
      yield* actor.note(`${children.size} accounts`)
      yield* wakeup.wait(rereadInterval)
    }
  })
})

/** All actors of the schedules. */
export const scheduleActors = (hours: Hours): ReadonlyArray<ActorSpec<Services>> =>
  Array.from({ length: slots }, (_, number) => slot(number, hours))

const specOf = ({ daily_schedule, intraday_schedule, order_types }: Row) =>
  JSON.stringify([daily_schedule, intraday_schedule, order_types])

const read = (number: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Row>`
      select a.id, a.iban, a.tenant_id, a.daily_schedule, a.intraday_schedule, a.order_types, a.stopped,
          (extract(epoch from a.created_at) * 1000)::float8 as created,
          a.fetch_enabled and a.key_status = 'active' and a.stopped is null and a.server_url is not null
            and exists (select 1 from bank_fetcher.bank_key k where k.account_id = a.id and k.accepted_at is not null)
            as fetches,
          s.failures, s.since, s.locked_since,
          (select (extract(epoch from max(firing)) * 1000)::float8 from bank_fetcher.fetch
            where account_id = a.id and reason = 'daily') as daily,
          (select (extract(epoch from max(firing)) * 1000)::float8 from bank_fetcher.fetch
            where account_id = a.id and reason = 'intraday') as intraday
        from bank_fetcher.account a left join bank_fetcher.fetch_state s on s.account_id = a.id
        where a.active and a.seq % ${slots} = ${number}`
  )

/** Adds the fetches of one account at their times. */
const schedule = (row: Row, hours: Hours): ActorSpec<SqlClient.SqlClient | Jobs> => ({
  name: `schedule of account ${row.id}`,
  crowd: true,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const handled: Record<ScheduledReason, number> = {
      daily: Math.max(row.daily ?? 0, row.created),
      intraday: Math.max(row.intraday ?? 0, row.created)
    }
    const times = scheduledReasons
      .filter((reason) => hasOrders(reason, row.order_types))
      .map((reason) => ({ reason, when: timesOf(row, reason, hours) }))
    while (true) {
      yield* actor.progress
      const now = yield* Clock.currentTimeMillis
      for (const { reason, when } of times) {
        const firing = dueFiring(when, handled[reason], now)
        if (firing === undefined) continue
        yield* transaction(FetchStore.addFiring(row.id, reason, new Date(firing)))
        handled[reason] = firing
      }
      const next = times.map(({ when }) => nextTime(when, now) ?? Infinity)
      const wait = Math.max(0, Math.min(...next, Infinity) - now)
      yield* Effect.sleep(Duration.millis(Math.min(wait, Duration.toMillis(longestSleep))))
    }
  })
})
