/**
 * Stores what dns-verifier found in DNS beside each record. A finding about a record that has changed since, or an
 * older finding, is ignored; events may therefore arrive twice and in any order.
 */
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { MailRecordsChecked } from "#core/contracts/MailDomains.ts"
import { type Event, Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"

const decode = Schema.decodeUnknownEffect(MailRecordsChecked.data)

/** Registers the consumer of `dns.mail_records.checked`. */
export const recordChecks = Effect.flatMap(Events, (events) =>
  Supervisor.actor(
    events.consumer({ name: "mail-admin.record-checks", pattern: MailRecordsChecked.type, from: "beginning", handle })
  )
)

const handle = (event: Event) =>
  Effect.matchEffect(decode(event.data), {
    onFailure: () =>
      Effect.logError(`event ${event.id} (${event.type}) is not a valid result of a DNS check and is skipped`),
    onSuccess: (checked) => transaction(store(checked))
  })

const store = Effect.fnUntraced(function* ({
  checked_at,
  domain,
  records
}: typeof MailRecordsChecked.data.Type): Effect.fn.Return<void, SqlError.SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  for (const { content, name, priority, status, type } of records) {
    yield* sql`update mail_admin.dns_record r set status = ${status}, checked_at = ${checked_at}
      from mail_admin.domain d
      where d.id = r.domain_id and d.domain = ${domain} and r.type = ${type} and r.name = ${name}
        and r.content = ${content} and r.priority is not distinct from ${priority}
        and (r.checked_at is null or r.checked_at < ${checked_at})`
  }
})
