/** Updates the platform records of all domains when the configured addresses change. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "#core/sql/Sql.ts"
import { requestPlan } from "./PlanRequests.ts"
import { type DesiredRecord, type PlatformAddresses, platformRecords } from "../record-sets/DesiredSets.ts"

/**
 * Replaces differing platform records and adds missing ones, such as those of domains that were added before the
 * addresses were configured. A new record is `unknown` until its next check. Requests a plan for each changed domain.
 * Without an IPv4 address nothing changes. Several processes may run this at the same time.
 */
export const adjustPlatformRecords = ({ ipv4, ipv6 }: PlatformAddresses) =>
  transaction(
    Effect.gen(function* () {
      if (ipv4 === undefined) return
      const sql = yield* SqlClient.SqlClient
      const changed = new Set<number>()
      const remember = (rows: ReadonlyArray<{ readonly domain_id: number }>) => {
        for (const { domain_id } of rows) changed.add(domain_id)
      }
      const moved = Effect.fnUntraced(function* (type: string, content: string) {
        // Deletes a user record that equals the new platform record.
        yield* sql`delete from dns_verifier.record u using dns_verifier.record p
          where u.source = 'user' and u.type = ${type} and u.content = ${content}
        and p.source = 'platform' and p.domain_id = u.domain_id and p.type = u.type and p.name = u.name`
        remember(
          yield* sql<{ domain_id: number }>`update dns_verifier.record
            set content = ${content}, status = 'unknown', checked_at = null, updated_at = now()
          where source = 'platform' and type = ${type} and content <> ${content} returning domain_id`
        )
      })
      // A user record with the same content becomes the platform's.
      const added = ({ content, name, ttl, type }: DesiredRecord) =>
        sql<{
          domain_id: number
        }>`insert into dns_verifier.record (tenant_id, domain_id, source, type, name, content, ttl)
      select tenant_id, id, 'platform', ${type}, ${name}, ${content}, ${ttl} from dns_verifier.domain d
        where not exists (select 1 from dns_verifier.record r
        where r.domain_id = d.id and r.source = 'platform' and r.type = ${type} and r.name = ${name})
      on conflict (domain_id, type, name, content) do update set source = 'platform' returning domain_id`
      yield* moved("A", ipv4)
      if (ipv6 !== undefined) yield* moved("AAAA", ipv6)
      else
        remember(
          yield* sql<{ domain_id: number }>`delete from dns_verifier.record
            where source = 'platform' and type = 'AAAA' returning domain_id`
        )
      for (const record of platformRecords({ ipv4, ipv6 })) remember(yield* added(record))
      for (const id of [...changed].toSorted((a, b) => a - b))
        yield* requestPlan(id, "The platform has other addresses")
    })
  )
