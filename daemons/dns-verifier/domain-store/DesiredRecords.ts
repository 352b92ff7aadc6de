/**
 * The records that a domain should have in DNS: those of the platform, of users and of mail. Runs in the surrounding
 * transaction.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { PlatformAddresses, DesiredInput } from "../record-sets/DesiredSets.ts"
import type { Domain } from "./Domains.ts"
import { mailRecordsOf } from "./MailRecords.ts"
import * as Records from "./Records.ts"

export const desiredRecordsOf = Effect.fnUntraced(function* (domain: Pick<Domain, "id" | "name" | "tenant_id">) {
  const rows = yield* Records.list(domain.id)
  return {
    platform: rows.filter(({ source }) => source === "platform"),
    user: rows.filter(({ source }) => source === "user"),
    mail: yield* mailRecordsOf(domain)
  }
})

export type DesiredRecords = Effect.Success<ReturnType<typeof desiredRecordsOf>>

/**
 * Reads the input for `desiredSetsOf`, without the user records whose ids are in `removed`. A mail domain belongs to
 * the nearest domain of its tenant.
 */
export const desiredInputOf = Effect.fnUntraced(function* (
  { id, name, tenant_id }: Pick<Domain, "id" | "name" | "tenant_id">,
  platform: PlatformAddresses,
  removed: ReadonlyArray<number>
) {
  const sql = yield* SqlClient.SqlClient
  const records = yield* sql<DesiredInput["records"][number]>`select type, name, content, ttl from dns_verifier.record
    where domain_id = ${id} and source = 'user' and id <> all(${[...removed]}::int[]) order by id`
  const mail = yield* sql<DesiredInput["mail"][number]>`select m.name, m.records from dns_verifier.mail_domain m
    where m.tenant_id = ${tenant_id} and m.state = 'active' and (m.name = ${name}
    or right(m.name, ${name.length + 1}) = ${`.${name}`})
      and not exists (select 1 from dns_verifier.domain d
      where d.tenant_id = m.tenant_id and length(d.name) > ${name.length}
        and (m.name = d.name or right(m.name, length(d.name) + 1) = '.' || d.name))
    order by m.mail_domain_id`
  return { domain: name, platform, records, mail } satisfies DesiredInput
})
