/**
 * Records that the platform and users want in a domain. Functions run in the surrounding transaction; changes write the
 * audit log.
 */
import { Effect } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { RecordStatus } from "#core/contracts/MailDomains.ts"
import { CnameConflict, ProviderManaged, RecordFixed, RecordTaken } from "./Errors.ts"
import { differences, note } from "./AuditNote.ts"
import type { Domain } from "./Domains.ts"
import { mailRecordsOf } from "./MailRecords.ts"
import { ownedSets } from "./OwnedSets.ts"
import { common } from "../record-sets/CanonicalContent.ts"
import * as Spf from "../record-sets/Spf.ts"

export interface Record {
  readonly id: number
  readonly source: "platform" | "user"
  readonly type: string
  readonly name: string
  readonly content: string
  readonly ttl: number
  readonly status: RecordStatus
  readonly checked_at: Date | null
}

/** The requested fields of a record, normalised. */
export type Wish = Pick<Record, "type" | "name" | "content" | "ttl">

const fields = (sql: SqlClient.SqlClient) => sql`id, source, type, name, content, ttl, status, checked_at`

/** Lists the records, those of the platform first. */
export const list = Effect.fnUntraced(function* (domainId: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Record>`select ${fields(sql)} from dns_verifier.record where domain_id = ${domainId}
    order by source, id`
})

/**
 * Adds a record. The domain must be locked (Domains.held), so that concurrent requests cannot add conflicting records.
 */
export const create = Effect.fnUntraced(function* (domain: Domain, wish: Wish) {
  const sql = yield* SqlClient.SqlClient
  yield* fits(domain, wish, undefined)
  const insert = sql<Record>`insert into dns_verifier.record
    ${sql.insert({ tenant_id: domain.tenant_id, domain_id: domain.id, source: "user", ...wish })}
    returning ${fields(sql)}`
  const [row] = yield* orTaken(insert)
  yield* note("dns_record", { id: row!.id, tenant_id: domain.tenant_id }, "created", { domain: domain.name, ...wish })
  return row!
})

/** Updates the given fields. Unless only the TTL changes, the status becomes `unknown`. */
export const update = Effect.fnUntraced(function* (domain: Domain, before: Record, to: Partial<Wish>) {
  const sql = yield* SqlClient.SqlClient
  yield* byHand(before)
  const after = { ...before, ...to }
  const found = differences(before, after, ["type", "name", "content", "ttl"])
  if (found === undefined) return before
  yield* fits(domain, after, before)
  const same = Object.keys(found).every((field) => field === "ttl")
  const write = sql<Record>`update dns_verifier.record
    set type = ${after.type}, name = ${after.name}, content = ${after.content}, ttl = ${after.ttl},
      status = ${same ? before.status : "unknown"}, checked_at = ${same ? before.checked_at : null}, updated_at = now()
    where id = ${before.id} returning ${fields(sql)}`
  const [row] = yield* orTaken(write)
  yield* note("dns_record", { id: before.id, tenant_id: domain.tenant_id }, "changed", {
    domain: domain.name,
    ...found
  })
  return row!
})

/**
 * Deletes a record. Answers 409 for a record in the provider's zone: deleting the row alone would leave it there
 * unnoticed.
 */
export const remove = Effect.fnUntraced(function* (domain: Domain, record: Record) {
  const sql = yield* SqlClient.SqlClient
  yield* byHand(record)
  if (isOwned(yield* ownedSets(domain.id), record)) {
    return yield* new ProviderManaged({
      detail: "The record is in the zone at the DNS provider. Make a plan with its id in `remove`, and apply the plan."
    })
  }
  yield* sql`delete from dns_verifier.record where id = ${record.id}`
  yield* note("dns_record", { id: record.id, tenant_id: domain.tenant_id }, "deleted", {
    domain: domain.name,
    type: record.type,
    name: record.name,
    content: record.content
  })
})

/** Whether we wrote this record, in any spelling; an SPF text also when it is merged into another text. Pure. */
export const isOwned = (
  owned: Effect.Success<ReturnType<typeof ownedSets>>,
  { content, name, type }: Pick<Record, "type" | "name" | "content">
) =>
  owned
    .filter((set) => set.type === type && set.name === name)
    .some(({ contents }) => common(type, [content], contents).length > 0 || isMerged(content, contents))

const isMerged = (content: string, contents: ReadonlyArray<string>): boolean => {
  if (!Spf.isSpf(content)) return false
  const ours = contents.filter(Spf.isSpf).flatMap(Spf.mechanismsOf)
  return ours.length > 0 && Spf.mechanismsOf(content).every((term) => ours.includes(term))
}

const byHand = ({ source }: Record) =>
  source === "user"
    ? Effect.void
    : Effect.fail(
        new RecordFixed({ source, detail: "This record points the domain to the platform and cannot be changed." })
      )

/** Fails with 409 when the record conflicts with other desired records. `instead`: the record that it replaces. */
const fits = Effect.fnUntraced(function* (domain: Domain, { content, name, type }: Wish, instead: Record | undefined) {
  const others = [
    ...(yield* list(domain.id)).filter(({ id }) => id !== instead?.id),
    ...(yield* mailRecordsOf(domain))
  ].filter((other) => other.name === name)
  if (others.some((other) => other.source === "platform" && other.type === type && other.content !== content)) {
    return yield* new RecordFixed({
      source: "platform",
      detail: `${type} at ${name} must point to the platform only. Another address would send some visitors elsewhere.`
    })
  }
  const beside = others.find((other) => (type === "CNAME" ? true : other.type === "CNAME"))
  if (beside !== undefined && !(beside.type === type && beside.content === content)) {
    return yield* new CnameConflict({
      detail: `${name} has ${beside.type} ${beside.content}, and a CNAME must be the only record of its name.`
    })
  }
})

const orTaken = <A, E, R>(write: Effect.Effect<A, E, R>) =>
  Effect.catchIf(
    write,
    (error) => SqlError.isSqlError(error) && error.reason._tag === "UniqueViolation",
    () => Effect.fail(new RecordTaken({ detail: "A record with this type, name and content exists already." }))
  )
