/** Counts of bans and offences by rule, source, day and address. Bounded, whatever the number of rows. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SummaryView } from "./Api.ts"
import type { SourceName } from "./DecisionStore.ts"
import { shownRange } from "./ShownRange.ts"

/** Maximum number of rules and addresses shown. Reason: what a page and a chart can show. */
export const maxRules = 50
export const maxTop = 20

/** What counts as an offence: a ban of ours, and an alert of CrowdSec. */
const offences = (sql: SqlClient.SqlClient) => sql`kind in ('ban', 'offence')`

interface Count {
  readonly source: SourceName
  readonly n: number
}

const bySource = (rows: ReadonlyArray<Count>) => ({
  own: rows.find(({ source }) => source === "own")?.n ?? 0,
  crowdsec: rows.find(({ source }) => source === "crowdsec")?.n ?? 0
})

/** Summary of the last `days` days, today included. `crowdsec`: whether CrowdSec's rows count. */
export const summary = Effect.fnUntraced(function* (days: number, crowdsec: boolean) {
  const sql = yield* SqlClient.SqlClient
  const shown = crowdsec ? sql`true` : sql`source = 'own'`
  const from = sql`(now() at time zone 'UTC')::date - ${days - 1}::int`
  const counted = sql`from watchdog.security_alert where ${offences(sql)} and ${shown}
    and at >= (${from})::timestamp at time zone 'UTC'`
  const active = yield* sql<Count>`select source, count(*)::int as n from watchdog.decision
    where until > now() and ${shown} group by source`
  const all = yield* sql<Count>`select source, count(*)::int as n ${counted} group by source`
  const rules = yield* sql<{ rule: string; source: SourceName; active: number; offences: number }>`
    select rule, source, sum(active)::int as active, sum(offences)::int as offences from (
      select rule, source, 0 as active, 1 as offences ${counted}
      union all
      select rule, source, 1, 0 from watchdog.decision where until > now() and ${shown}) u
    group by rule, source order by sum(offences) + sum(active) desc, rule, source limit ${maxRules}`
  const dates = yield* sql<{ day: string; own: number; crowdsec: number }>`
    select to_char(d.day, 'YYYY-MM-DD') as day, count(*) filter (where a.source = 'own')::int as own,
      count(*) filter (where a.source = 'crowdsec')::int as crowdsec
    from generate_series(${from}, (now() at time zone 'UTC')::date, interval '1 day') as d (day)
    left join (select source, (at at time zone 'UTC')::date as day ${counted}) a on a.day = d.day::date
    group by d.day order by d.day`
  const top = yield* sql<{ address: string; offences: number; last_at: Date; banned: boolean }>`
    select t.address::text as address, t.offences, t.last_at, exists (select 1 from watchdog.decision d
      where d.until > now() and d.address >>= t.address and ${shown}) as banned
    from (select address, count(*)::int as offences, max(at) as last_at ${counted}
      group by address order by count(*) desc, max(at) desc, address limit ${maxTop}) t
    order by t.offences desc, t.last_at desc, t.address`
  const [exemptions] = yield* sql<{ n: number }>`select count(*)::int as n from watchdog.exemption where until > now()`
  return {
    from: dates[0]!.day,
    active: bySource(active),
    exemptions: exemptions!.n,
    offences: bySource(all),
    by_rule: rules,
    by_day: dates,
    top_addresses: top.map(({ address, last_at, ...one }) => ({
      ...one,
      address: shownRange(address),
      last_at: last_at.toISOString()
    }))
  } satisfies Omit<typeof SummaryView.Type, "crowdsec">
})
