/** Heartbeats: out to a configured address, and in from other hosts. */
import { healthSentence } from "#core/daemon/Health.ts"
import { Duration, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { anyNetwork } from "#core/http/AddressGuard.ts"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Actor } from "#core/supervision/Supervisor.ts"
import { AlertDesk } from "./AlertDesk.ts"
import { Alerts } from "./Alerts.ts"
import { type Heartbeat, reportOf } from "./HeartbeatDecision.ts"
import { noSuchHeartbeat } from "./Errors.ts"

/** Heartbeats that may be missed before the receiver alarms. */
const missed = 3

/** Time limit of a heartbeat. Unit: seconds. Reason: below the shortest interval, 5 s. */
const timeout = Duration.seconds(4)

/** Interval of looks at the heartbeats of others. Unit: seconds. Reason: half the shortest time-out. */
const lookInterval = 5

/** Shortest interval in tests, which shorten the second. Unit: milliseconds. */
const leastInterval = 20

/** When the last heartbeat was accepted, and why the last one was not. */
export interface HeartbeatState {
  sentAt?: number
  problem?: string | undefined
}

/**
 * Sends heartbeats while this process works. It needs no Postgres: the receiver asks whether the watchdog lives; the
 * alerts say what is wrong.
 */
export const heartbeatSender = (state: HeartbeatState) => ({
  name: "heartbeat out",
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const http = yield* OutboundHttp
    const { settings } = yield* AlertDesk
    const { heartbeatInterval, heartbeatToken, heartbeatUrl, second } = settings
    if (heartbeatUrl === undefined) return
    while (true) {
      yield* actor.progress
      const answer = yield* http
        .request({
          method: "POST",
          url: Redacted.value(heartbeatUrl),
          headers: {
            "content-type": "application/json",
            ...(heartbeatToken === undefined ? {} : { "x-service-token": Redacted.value(heartbeatToken) })
          },
          body: JSON.stringify({ timeout_s: Math.max(10, heartbeatInterval * missed) }),
          timeout,
          allowCidrs: anyNetwork
        })
        .pipe(
          Effect.map(({ status }) =>
            status >= 200 && status < 300 ? undefined : healthSentence(`the heartbeat's receiver answered ${status}`)
          ),
          Effect.catch((error) => Effect.succeed(error.message))
        )
      if (answer === undefined) state.sentAt = Date.now()
      else if (answer !== state.problem) yield* Effect.logWarning(`no heartbeat out: ${answer}`)
      state.problem = answer
      yield* actor.note(answer ?? "accepted")
      yield* Effect.sleep(Duration.millis(heartbeatInterval * second))
    }
  })
})

const columns = `name, (extract(epoch from last_at) * 1000)::float8 as "lastAt", timeout_s as "timeoutS"`

/** All expected heartbeats. */
export const all = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Heartbeat>`select ${sql.literal(columns)} from watchdog.heartbeat order by name`
})

/** Records a heartbeat, and closes its alert. */
export const beat = Effect.fnUntraced(function* (name: string, timeoutS: number) {
  const sql = yield* SqlClient.SqlClient
  const alerts = yield* Alerts
  yield* sql`insert into watchdog.heartbeat (name, last_at, timeout_s) values (${name}, clock_timestamp(), ${timeoutS})
    on conflict (name) do update set last_at = excluded.last_at, timeout_s = excluded.timeout_s`
  const now = Date.now()
  yield* alerts.report(reportOf({ name, lastAt: now, timeoutS }, now))
})

/** Expects no further heartbeat of this name. */
export const forget = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  const alerts = yield* Alerts
  const gone = yield* sql`delete from watchdog.heartbeat where name = ${name} returning name`
  if (gone.length === 0) return yield* noSuchHeartbeat
  yield* alerts.remove(`heartbeat ${name}`, new Date())
})

/**
 * Opens the alert of a heartbeat when it is still late. The row is locked, because a heartbeat that arrives meanwhile
 * closes the alert, and must come before or after this.
 */
const reportLate = Effect.fnUntraced(function* (name: string, second: number) {
  const sql = yield* SqlClient.SqlClient
  const alerts = yield* Alerts
  const [held] = yield* sql<Heartbeat>`
    select ${sql.literal(columns)} from watchdog.heartbeat where name = ${name} for update`
  const report = held === undefined ? undefined : reportOf(held, Date.now(), second)
  if (report?.failing === true) yield* alerts.report(report)
})

/** Opens alerts of heartbeats that stay away, in one process of the fleet. */
export const heartbeatWatch = {
  name: "heartbeats of other hosts",
  placed: true,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const { second } = (yield* AlertDesk).settings
    while (true) {
      yield* actor.progress
      const found = yield* all
      for (const heartbeat of found) {
        if (reportOf(heartbeat, Date.now(), second).failing) yield* transaction(reportLate(heartbeat.name, second))
      }
      yield* actor.note(`${found.length} expected`)
      yield* Effect.sleep(Duration.millis(Math.max(leastInterval, lookInterval * second)))
    }
  })
}
