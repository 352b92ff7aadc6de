/**
 * All records of a domain for listing: the desired records, and foreign records that are in its zone. Runs in the
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
  /** `r12` for row 12; otherwise a digest of the record, because mail and foreign records have no row. */
  readonly id: string
  readonly domain_id: number
  readonly source: "platform" | "user" | "mail" | "foreign"
  readonly type: string
  readonly name: string
  readonly content: string
  readonly ttl: number | null
  readonly status: RecordStatus
  /** Whether we wrote it into the zone. */
  readonly managed: boolean
  readonly checked_at: Date | null
}

/** Id of a row. */
export const recordId = (row: number): string => `r${row}`

/** Row that an id names; undefined when it names none. */
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

/** Reads a record by id; 404 when it does not exist. */
export const one = Effect.fnUntraced(function* (domain: Domain, id: string) {
  return (
    (yield* all(domain)).find((record) => record.id === id) ??
    (yield* new NotFound({ detail: "The record does not exist." }))
  )
})
