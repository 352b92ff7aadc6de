/** Table of what happened: offences, bans, lifts and exemptions. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { AlertView } from "./Api.ts"
import { type Filter, matching, type SourceName } from "./DecisionStore.ts"
import type { alertKinds } from "./Fields.ts"
import { shownRange } from "./ShownRange.ts"

type Kind = (typeof alertKinds)[number]

/** How long alerts are kept. Unit: days. Reason: the summary reaches as far. */
export const keptDays = 90

/** Maximum number of alerts kept. Reason: about 30 MB; an attack from many addresses must not fill the disk. */
export const maxAlerts = 100_000

export interface NewAlert {
  readonly source: SourceName
  readonly key: string
  readonly kind: Kind
  readonly rule: string
  readonly address: string
  readonly at: Date
  readonly until?: Date
  readonly events?: number
  readonly reason?: string | undefined
  readonly country?: string | undefined
  readonly network?: string | undefined
}

/** Adds alerts in their order; those that are known stay. */
export const add = Effect.fnUntraced(function* (alerts: ReadonlyArray<NewAlert>) {
  if (alerts.length === 0) return
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const rows = alerts.map(({ at, until, ...alert }) => ({
    ...alert,
    at: at.toISOString(),
    until: until?.toISOString() ?? null
  }))
  // Rows that are known are left out first, because a conflict would use up an id.
  yield* sql`insert into watchdog.security_alert
      (source, key, kind, rule, address, at, until, events, reason, country, network)
    select n.source, n.key, n.kind, n.rule, n.address::cidr, n.at, n.until, n.events, n.reason, n.country, n.network
    from jsonb_to_recordset(${pg.json(rows)}::jsonb) as n (source text, key text, kind text, rule text, address text,
      at timestamptz, until timestamptz, events int, reason text, country text, network text)
    where not exists (select 1 from watchdog.security_alert a where (a.source, a.key) = (n.source, n.key))
    order by n.at on conflict do nothing`
})

interface AlertRow {
  readonly id: number
  readonly source: SourceName
  readonly kind: Kind
  readonly rule: string
  readonly address: string
  readonly at: Date
  readonly until: Date | null
  readonly events: number | null
  readonly reason: string | null
  readonly country: string | null
  readonly network: string | null
}

/** Alerts, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (
  { kind, ...filter }: Filter & { readonly kind?: Kind | undefined },
  crowdsec: boolean,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<AlertRow>`select id, source, kind, rule, address::text as address, at, until, events, reason,
      country, network
    from watchdog.security_alert where ${matching(sql, filter)}
      and ${kind === undefined ? sql`true` : sql`kind = ${kind}`}
      and ${crowdsec ? sql`true` : sql`source = 'own'`}
      and ${before === undefined ? sql`true` : sql`id < ${before}`}
    order by id desc limit ${limit}`
})

export const prune = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from watchdog.security_alert where at < now() - make_interval(days => ${keptDays})
    or id < (select id from watchdog.security_alert order by id desc offset ${maxAlerts} limit 1)`
})

export const view = ({ address, at, until, ...row }: AlertRow): typeof AlertView.Type => ({
  ...row,
  address: shownRange(address),
  at: at.toISOString(),
  until: until?.toISOString() ?? null
})
