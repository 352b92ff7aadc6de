/** Table of exemptions. Functions run in the surrounding transaction; a change emits an event. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ExemptionAdded, ExemptionEnded } from "#core/contracts/Security.ts"
import { Events } from "#core/events/Events.ts"
import { maxExemptions } from "#core/gateway/Exemptions.ts"
import { InvalidRequest, NotFound } from "#core/http/Problem.ts"
import type { ExemptionView } from "./Api.ts"
import { source } from "./Source.ts"
import { shownRange } from "./ShownRange.ts"

export interface ExemptionRow {
  readonly id: number
  readonly address: string
  readonly since: Date
  readonly until: Date
  readonly reason: string | null
  readonly created_by: string
}

const columns = (sql: SqlClient.SqlClient) => sql`id, address::text as address, since, until, reason, created_by`

/** Active exemptions, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<ExemptionRow>`select ${columns(sql)} from watchdog.exemption
    where until > now() and ${before === undefined ? sql`true` : sql`id < ${before}`} order by id desc limit ${limit}`
})

export interface NewExemption {
  /** Canonical range. */
  readonly address: string
  readonly seconds: number
  readonly reason: string | undefined
  readonly by: string
  /** Whether an exemption of the same address that ends later keeps its end. Otherwise it is replaced. */
  readonly atLeast: boolean
}

/** Exempts an address. */
export const add = Effect.fnUntraced(function* ({ address, atLeast, by, reason, seconds }: NewExemption) {
  const sql = yield* SqlClient.SqlClient
  const [others] = yield* sql<{ n: number }>`select count(*)::int as n from watchdog.exemption
    where until > now() and address <> ${address}::cidr`
  if (others!.n >= maxExemptions) {
    return yield* new InvalidRequest({
      errors: [{ field: "payload.address", message: `${maxExemptions} addresses are exempt already; end one first` }]
    })
  }
  const [row] = yield* sql<ExemptionRow>`
    insert into watchdog.exemption as known (address, since, until, reason, created_by)
    values (${address}::cidr, now(), now() + make_interval(secs => ${seconds}), ${reason ?? null}, ${by})
    on conflict (address) do update set since = excluded.since, reason = excluded.reason,
      created_by = excluded.created_by,
      until = ${atLeast ? sql`greatest(known.until, excluded.until)` : sql`excluded.until`}
    returning ${columns(sql)}`
  const { until } = row!
  yield* Effect.flatMap(Events, (events) =>
    events.emit(ExemptionAdded, source, {
      address: shownRange(row!.address),
      until,
      ...(reason === undefined ? {} : { reason })
    })
  )
  return row!
})

/** Ends an exemption before its time. */
export const end = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<ExemptionRow>`delete from watchdog.exemption where id = ${id} and until > now()
    returning ${columns(sql)}`
  if (row === undefined) return yield* new NotFound({ detail: "The exemption does not exist." })
  yield* Effect.flatMap(Events, (events) => events.emit(ExemptionEnded, source, { address: shownRange(row.address) }))
  return row
})

export const prune = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from watchdog.exemption where until < now()`
})

export const view = ({ address, since, until, ...row }: ExemptionRow): typeof ExemptionView.Type => ({
  ...row,
  address: shownRange(address),
  since: since.toISOString(),
  until: until.toISOString()
})
