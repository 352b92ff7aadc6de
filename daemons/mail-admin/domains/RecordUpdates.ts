/**
 * Updates the DNS records of all domains when the mail server's names or addresses change, such as those of domains
 * that were created before they were configured. Placed: one actor in the fleet.
 */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { untilChanged } from "#core/settings/StoredSettings.ts"
import { transaction } from "#core/sql/Sql.ts"
import { periodic } from "#core/supervision/Periodic.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { recordsOf } from "./DnsRecords.ts"
import * as Domains from "./Domains.ts"
import { MailServer } from "./MailServer.ts"

/** Longest pause between two rounds. Unit: minutes. Reason: a change of the settings begins a round at once. */
const every = Duration.minutes(60)

/** Domains compared per statement. Unit: domains. Reason: a few hundred kilobytes. */
const page = 200

/** Registers the actor. */
export const recordUpdates = Effect.flatMap(MailServer, (server) =>
  Supervisor.actor(
    periodic({
      name: "mail records",
      every,
      early: Effect.sync(() => Effect.asVoid(untilChanged(() => server.records, server.records))),
      round: Effect.gen(function* () {
        const { records } = server
        let changed = 0
        let last = 0
        while (true) {
          const domains = yield* transaction(Domains.listAfter(last, page))
          for (const domain of domains.filter((found) => isOutdated(found, records))) {
            const written = yield* transaction(updated(domain.id, records))
            if (written) changed += 1
          }
          if (domains.length < page) return `${changed} domains changed`
          last = domains.at(-1)!.id
        }
      })
    })
  )
)

const isOutdated = ({ domain, keys, records }: Domains.Domain, server: MailServer["Service"]["records"]): boolean =>
  recordsOf(
    domain,
    server,
    keys.map(({ public_key, selector }) => ({ selector, publicKey: public_key }))
  ).some(
    (wanted) =>
      !records.some(
        ({ content, name, priority, type }) =>
          type === wanted.type && name === wanted.name && content === wanted.content && priority === wanted.priority
      )
  )

/** Writes the records of one domain and announces the change. The domain may have been deleted in the meantime. */
const updated = (id: number, server: MailServer["Service"]["records"]) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [found] = yield* sql`select 1 from mail_admin.domain where id = ${id} for update`
    if (found === undefined) return false
    const changed = yield* Domains.writeRecords(id, server)
    if (changed) yield* Domains.touched(id)
    return changed
  }).pipe(Effect.catchTag("NotFound", () => Effect.succeed(false)))
