/** The table of restarts. Everything runs in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hostname } from "node:os"
import type { RestartView } from "./Api.ts"
import type { ServiceName } from "./ServiceName.ts"

/** Host whose services this process reads and restarts. */
export const host = hostname()

/** Restarts of one service in its details. */
const shownRestarts = 20

/** How long restarts are kept. Unit: days. Source: as the audit log, which has an entry for each. */
const keptDays = 400

export interface Restart extends ServiceName {
  readonly id: number
  readonly state: (typeof RestartView.Type)["state"]
  readonly requested_by: string
  readonly reason: string | null
  readonly requested_at: Date
  readonly finished_at: Date | null
  readonly worker: number | null
  readonly problem: string | null
}

const columns = "id, kind, name, state, requested_by, reason, requested_at, finished_at, worker, problem"

/** Requests a restart. Answers the open one of the service, where there is one. */
export const request = Effect.fnUntraced(function* (
  { kind, name }: ServiceName,
  by: { readonly actor: string; readonly reason: string | undefined }
) {
  const sql = yield* SqlClient.SqlClient
  const [made] = yield* sql<Restart>`insert into watchdog.service_restart (host, kind, name, requested_by, reason)
    values (${host}, ${kind}, ${name}, ${by.actor}, ${by.reason ?? null})
    on conflict (host, kind, name) where state in ('requested', 'running') do nothing
    returning ${sql.literal(columns)}`
  if (made !== undefined) return { restart: made, isNew: true }
  const [open] = yield* sql<Restart>`select ${sql.literal(columns)} from watchdog.service_restart
    where host = ${host} and kind = ${kind} and name = ${name} order by id desc limit 1`
  return { restart: open!, isNew: false }
})

/** Takes the oldest request of this host. Undefined when there is none. */
export const claim = Effect.fnUntraced(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<Restart>`update watchdog.service_restart
    set state = 'running', worker = ${process.pid} where id = (
      select id from watchdog.service_restart where host = ${host} and state = 'requested'
        order by id limit 1 for update skip locked)
    returning ${sql.literal(columns)}`
  return found
})

/** Takes a request that this process has just made. */
export const take = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update watchdog.service_restart set state = 'running', worker = ${process.pid} where id = ${id}`
})

/** Records the outcome. `problem`: null for a success. */
export const finish = Effect.fnUntraced(function* (id: number, problem: string | null) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update watchdog.service_restart set finished_at = now(), problem = ${problem?.slice(0, 500) ?? null},
    state = ${problem === null ? "succeeded" : "failed"} where id = ${id} and state = 'running'`
})

/** Restarts of this host that a process began, oldest first. */
export const running = Effect.fnUntraced(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Restart>`select ${sql.literal(columns)} from watchdog.service_restart
    where host = ${host} and state = 'running' order by id`
})

/** Newest restarts of a service. */
export const recent = Effect.fnUntraced(function* ({ kind, name }: ServiceName) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Restart>`select ${sql.literal(columns)} from watchdog.service_restart
    where host = ${host} and kind = ${kind} and name = ${name} order by id desc limit ${shownRestarts}`
})

export const one = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<Restart>`select ${sql.literal(columns)} from watchdog.service_restart where id = ${id}`
  return found
})

/** Deletes old restarts. */
export const prune = Effect.fnUntraced(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from watchdog.service_restart where finished_at < now() - make_interval(days => ${keptDays})`
})

/** `format`: of `ServiceRuntime`. */
export const viewOf = (format: (service: ServiceName) => string, restart: Restart): typeof RestartView.Type => ({
  restart_id: restart.id,
  service: format(restart),
  kind: restart.kind,
  state: restart.state,
  requested_by: restart.requested_by,
  reason: restart.reason,
  requested_at: restart.requested_at.toISOString(),
  finished_at: restart.finished_at?.toISOString() ?? null,
  problem: restart.problem
})
