/**
 * All records of a domain, as they are listed: what is wanted, and what else stands in its zone. Runs in the
 * surrounding transaction.
 */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { RecordStatus } from "#core/contracts/MailDomains.ts"
import { NotFound } from "#core/http/Problem.ts"
import { canonical } from "../record-sets/CanonicalContent.ts"
import type { Domain } from "./Domains.ts"
import { mailRecordsOf } from "./MailRecords.ts"
import { ownedSets } from "./OwnedSets.ts"
import type { RecordSet } from "../record-sets/RecordSet.ts"
import * as Records from "./Records.ts"

export interface Listed {
  /** `r12` of a row of ours; else a digest of what it says, as nobody numbers those. */
  readonly id: string
  readonly domain_id: number
  readonly source: "platform" | "user" | "mail" | "foreign"
  readonly type: string
  readonly name: string
  readonly content: string
  readonly ttl: number | null
  readonly status: RecordStatus
  /** We wrote it into the zone. */
  readonly managed: boolean
  readonly checked_at: Date | null
}

/** Of a row. */
export const recordId = (row: number): string => `r${row}`

/** The row that an id names; undefined: it names none. */
export const rowOf = (id: string): number | undefined => (/^r\d+$/.test(id) ? Number(id.slice(1)) : undefined)

const digest = (prefix: string, type: string, name: string, content: string) =>
  prefix +
  createHash("sha256")
    .update(JSON.stringify([type, name, content]))
    .digest("hex")
    .slice(0, 24)

export const all = Effect.fnUntraced(function* (domain: Domain) {
  const sql = yield* SqlClient.SqlClient
  const owned = yield* ownedSets(domain.id)
  const ours: ReadonlyArray<Listed> = [
    ...(yield* Records.list(domain.id)).map((row) => ({
      ...row,
      id: recordId(row.id),
      domain_id: domain.id,
      managed: Records.isOwned(owned, row)
    })),
    ...(yield* mailRecordsOf(domain)).map((record) => ({
      ...record,
      id: digest("m", record.type, record.name, record.content),
      domain_id: domain.id,
      managed: Records.isOwned(owned, record)
    }))
  ]
  const [reading] = yield* sql<{
    sets: ReadonlyArray<RecordSet>
    read_at: Date
  }>`select sets, read_at from dns_verifier.zone_reading where domain_id = ${domain.id}`
  if (reading === undefined) return ours
  const key = (type: string, name: string, content: string) => JSON.stringify([type, name, canonical(type, content)])
  const known = new Set([
    ...ours.map(({ content, name, type }) => key(type, name, content)),
    ...owned.flatMap(({ contents, name, type }) => contents.map((content) => key(type, name, content)))
  ])
  const foreign = reading.sets.flatMap(({ contents, name, ttl, type }) =>
    contents
      .filter((content) => !known.has(key(type, name, content)))
      .map((content): Listed => ({
        id: digest("f", type, name, content),
        domain_id: domain.id,
        source: "foreign",
        type,
        name,
        content,
        ttl,
        status: "ok",
        managed: false,
        checked_at: reading.read_at
      }))
  )
  return [...ours, ...foreign]
})

/** By id, or 404. */
export const one = Effect.fnUntraced(function* (domain: Domain, id: string) {
  return (
    (yield* all(domain)).find((record) => record.id === id) ??
    (yield* new NotFound({ detail: "There is no such record." }))
  )
})
