/** DNS records that mail needs in a domain, with their last checked status. Runs in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { MailRecord, RecordStatus } from "#core/contracts/MailDomains.ts"
import { mailRecords, type DesiredRecord } from "../record-sets/DesiredSets.ts"
import type { Domain } from "./Domains.ts"

export interface CheckedRecord extends DesiredRecord {
  readonly status: RecordStatus
  readonly checked_at: Date | null
}

interface Row {
  readonly name: string
  readonly records: ReadonlyArray<MailRecord>
  readonly checks: ReadonlyArray<MailRecord & { readonly status: RecordStatus }> | null
  readonly checked_at: Date | null
}

/**
 * Records of the tenant's mail domains at or below the domain, unless another domain of the tenant is nearer.
 * `desiredInputOf` uses the same rule.
 */
export const mailRecordsOf = Effect.fnUntraced(function* ({ name, tenant_id }: Pick<Domain, "name" | "tenant_id">) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Row>`select m.name, m.records, m.checks, m.checked_at from dns_verifier.mail_domain m
    where m.state = 'active' and m.tenant_id = ${tenant_id} and (m.name = ${name}
    or right(m.name, ${name.length + 1}) = ${`.${name}`})
      and not exists (select 1 from dns_verifier.domain d
      where d.tenant_id = m.tenant_id and length(d.name) > ${name.length}
        and (m.name = d.name or right(m.name, length(d.name) + 1) = '.' || d.name))
    order by m.mail_domain_id`
  return rows.flatMap((row): ReadonlyArray<CheckedRecord> =>
    row.records.flatMap((record) => {
      const [wanted] = mailRecords(name, { name: row.name, records: [record] })
      const check = row.checks?.find(
        (checked) =>
          checked.type === record.type &&
          checked.name === record.name &&
          checked.content === record.content &&
          checked.priority === record.priority
      )
      return wanted === undefined
        ? []
        : [{ ...wanted, status: check?.status ?? "unknown", checked_at: check === undefined ? null : row.checked_at }]
    })
  )
})
