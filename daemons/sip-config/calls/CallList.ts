/** Queries for calls. Functions run in the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { CountryCode } from "libphonenumber-js/min"
import { NotFound } from "#core/http/Problem.ts"
import { tails } from "../directory/Exports.ts"

export interface Call {
  readonly id: number
  readonly call_id: string
  readonly tenant_id: number
  readonly direction: "inbound" | "outbound" | "internal"
  readonly caller_id: string
  readonly did_number: string | null
  readonly destination: string | null
  readonly extension: string | null
  readonly customer: { readonly id: number; readonly number: string; readonly name: string } | null
  readonly state: "ringing" | "answered" | "ended"
  readonly started_at: Date
  readonly answered_at: Date | null
  readonly ended_at: Date | null
  readonly cause: string | null
}

export interface Filter {
  readonly tenant_id?: number
  readonly direction?: string
  /** In ISO 8601 format. */
  readonly since?: string
  readonly until?: string
  readonly number?: string
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`c.seq::float8 as id, c.id as call_id, c.tenant_id, c.direction, c.caller_id, c.did_number, c.destination,
    c.extension, c.state, c.started_at, c.answered_at,
    c.ended_at, c.cause, (select jsonb_build_object('id', k.id, 'number', k.number, 'name', k.name)
    from sip_config.customer k where k.id = c.customer_id) as customer`

/** Calls, newest first, at most `limit`. `country`: country of numbers without a country code. */
export const list = Effect.fnUntraced(function* (
  filter: Filter,
  country: CountryCode,
  before: number | undefined,
  limit: number
) {
  return yield* listing(yield* SqlClient.SqlClient, filter, country, before, limit)
})

/** Statement of `list`, separate so that tests can examine its plan. */
export const listing = (
  sql: SqlClient.SqlClient,
  { direction, number, since, tenant_id: tenant, until }: Filter,
  country: CountryCode,
  before: number | undefined,
  limit: number
) => {
  const wanted = number === undefined ? [] : tails(number, country)
  return sql<Call>`select ${fields(sql)} from sip_config.call c where ${sql.and([
    sql`true`,
    ...(tenant === undefined ? [] : [sql`c.tenant_id = ${tenant}`]),
    ...(direction === undefined ? [] : [sql`c.direction = ${direction}`]),
    ...(since === undefined ? [] : [sql`c.started_at >= ${new Date(since)}`]),
    ...(until === undefined ? [] : [sql`c.started_at < ${new Date(until)}`]),
    ...(number === undefined
      ? []
      : [
          sql.or(
            ["caller_id_tail", "did_number_tail", "destination_tail", "extension"].map((column) =>
              sql.in(`c.${column}`, wanted)
            )
          )
        ]),
    ...(before === undefined ? [] : [sql`c.seq < ${before}`])
  ])} order by c.seq desc limit ${limit}`
}

/** Call with this call_id, or 404. */
export const get = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Call>`select ${fields(sql)} from sip_config.call c where c.id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The call does not exist." }))
})
