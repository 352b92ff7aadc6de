/**
 * Table of bans. Functions run in the surrounding transaction with its role; a change emits an event and writes the
 * audit log.
 */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Audit from "#core/log/Audit.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import type { BanRule } from "#core/bans/BanDecision.ts"
import { BanAdded, BanLifted } from "#core/contracts/Security.ts"
import { Events } from "#core/events/Events.ts"
import { client } from "#core/http/Client.ts"
import { NotFound } from "#core/http/Problem.ts"
import { source } from "../domains/Exports.ts"

export interface Ban {
  readonly id: number
  /** As in `security.ban.added`. */
  readonly address: string
  readonly rule: string
  readonly banned_at: Date
  readonly until: Date
}

/** How long an expired ban is kept. Unit: days. Reason: for later questions; the audit log keeps it longer. */
const keptDays = 30

/** Bans an address from `at` (epoch milliseconds), unless it is already banned. Emits an event for a new ban. */
export const add = Effect.fnUntraced(function* (address: string, rule: BanRule, at: number) {
  const sql = yield* SqlClient.SqlClient
  const since = new Date(at)
  const until = new Date(at + Duration.toMillis(rule.length))
  const [made] = yield* sql<{
    id: number
  }>`insert into mail_admin.ban as standing (tenant_id, address, rule, banned_at, until)
    values (${providerTenant}, ${address}, ${rule.name}, ${since}, ${until})
    on conflict (address, rule) do update set id = default, banned_at = excluded.banned_at, until = excluded.until
      where standing.until <= excluded.banned_at
    returning id`
  if (made === undefined) return false
  yield* sql`delete from mail_admin.ban where until < now() - make_interval(days => ${keptDays})`
  const hours = Duration.toHours(rule.length)
  const reason = `${rule.count} times within ${Duration.toMinutes(rule.window)} minutes; for ${hours} hours`
  yield* Effect.flatMap(Events, (events) => events.emit(BanAdded, source, { address, rule: rule.name, until, reason }))
  yield* Audit.write({
    tenantId: providerTenant,
    actor: "system",
    action: "mail_ban.added",
    entity: "mail_ban",
    id: String(made.id),
    address,
    detail: { rule: rule.name, hours }
  })
  return true
})

/** Active bans, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Ban>`select id, address, rule, banned_at, until from mail_admin.ban
    where until > now() and ${before === undefined ? sql`true` : sql`id < ${before}`} order by id desc limit ${limit}`
})

/** Lifts a ban and all other bans of the same address. */
export const lift = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const gone = yield* sql<{ id: number; address: string; rule: string }>`delete from mail_admin.ban
    where address = (select address from mail_admin.ban where id = ${id} and until > now()) and until > now()
    returning id, address, rule`
  const [first] = gone
  if (first === undefined) return yield* new NotFound({ detail: "The ban does not exist." })
  yield* Effect.flatMap(Events, (events) => events.emit(BanLifted, source, { address: first.address }))
  const { address: from } = yield* client
  for (const { address, id: number, rule } of gone) {
    yield* Audit.writeFor({
      tenantId: providerTenant,
      action: "mail_ban.lifted",
      entity: "mail_ban",
      id: String(number),
      address: from,
      detail: { address, rule }
    })
  }
})
