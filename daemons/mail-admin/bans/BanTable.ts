/**
 * The table of bans. Functions run in the surrounding transaction with the role it has; a change writes its event and
 * the audit log.
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

/**
 * How long a ban that is over is kept. Unit: days. Reason: for whoever asks afterwards; the audit log has it longer.
 */
const keptDays = 30

/** Bans an address as of `at` (milliseconds since 1970), unless it is banned already; tells everybody if it was not. */
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

/** Those that run, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Ban>`select id, address, rule, banned_at, until from mail_admin.ban
    where until > now() and ${before === undefined ? sql`true` : sql`id < ${before}`} order by id desc limit ${limit}`
})

/** Ends a ban, and with it the other of the same address: an address is turned away or it is not. */
export const lift = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const gone = yield* sql<{ id: number; address: string; rule: string }>`delete from mail_admin.ban
    where address = (select address from mail_admin.ban where id = ${id} and until > now()) and until > now() returning id, address, rule`
  const [first] = gone
  if (first === undefined) return yield* new NotFound({ detail: "There is no such ban." })
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
