/** Rows of the bank's keys. Every function runs in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountRow } from "../AccountRow.ts"
import * as Certificate from "#protocols/ebics/Certificate.ts"
import { hashLines } from "#protocols/ebics/Letter.ts"
import * as Keys from "#protocols/ebics/Keys.ts"
import type { BankKey, BankKeys } from "#protocols/ebics/Subscriber.ts"
import type { BankKeyView } from "./KeyApi.ts"
import { publicKeyOf } from "./PrivateKeys.ts"

export interface BankKeyRow {
  readonly purpose: "X" | "E"
  readonly state: "offered" | "accepted"
  readonly public_key: string
  readonly certificate: string | null
  readonly fingerprint: string
  readonly fetched_at: Date
  readonly accepted_at: Date | null
  readonly accepted_by: string | null
}

export const bankKeysOf = Effect.fnUntraced(function* (accountId: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<BankKeyRow>`select purpose, state, public_key, certificate, fingerprint, fetched_at, accepted_at,
      accepted_by from bank_fetcher.bank_key where account_id = ${accountId}`
})

/** Both keys in one state; undefined when there are none. */
export const pairOf = (rows: ReadonlyArray<BankKeyRow>, state: BankKeyRow["state"]) => {
  const find = (purpose: "X" | "E") => rows.find((row) => row.purpose === purpose && row.state === state)
  const [authentication, encryption] = [find("X"), find("E")]
  return authentication === undefined || encryption === undefined ? undefined : { authentication, encryption }
}

const keyOf = ({ certificate, public_key }: BankKeyRow): BankKey => ({
  key: publicKeyOf(public_key),
  ...(certificate === null ? {} : { certificate: Buffer.from(certificate, "base64") })
})

/** The accepted keys; undefined when a person has not accepted any. */
export const acceptedKeys = (rows: ReadonlyArray<BankKeyRow>): BankKeys | undefined => {
  const pair = pairOf(rows, "accepted")
  return pair === undefined
    ? undefined
    : { authentication: keyOf(pair.authentication), encryption: keyOf(pair.encryption) }
}

/** Whether these are the same keys with the same certificates. */
export const isSame = (row: BankKeyRow, key: BankKey): boolean =>
  row.fingerprint === fingerprintOf(key) && row.certificate === (key.certificate?.toString("base64") ?? null)

const fingerprintOf = ({ key }: BankKey): string => Keys.digest(key).toString("hex")

/** For the audit log. */
export const fingerprintsOf = ({ authentication, encryption }: BankKeys) => ({
  authentication: fingerprintOf(authentication),
  encryption: fingerprintOf(encryption)
})

/** Keys that wait for a person; they replace others that wait. */
export const offer = Effect.fnUntraced(function* (row: AccountRow, keys: BankKeys) {
  const sql = yield* SqlClient.SqlClient
  yield* dropOffered(row.id)
  for (const [purpose, key] of [
    ["X", keys.authentication],
    ["E", keys.encryption]
  ] as const) {
    yield* sql`insert into bank_fetcher.bank_key (account_id, tenant_id, purpose, state, public_key, certificate,
        fingerprint)
      values (${row.id}, ${row.tenant_id}, ${purpose}, 'offered',
        ${key.key.export({ type: "spki", format: "der" }).toString("base64")},
        ${key.certificate?.toString("base64") ?? null}, ${fingerprintOf(key)})`
  }
})

export const dropOffered = (id: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`delete from bank_fetcher.bank_key where account_id = ${id} and state = 'offered'`
  )

/** The keys that wait are used from now on, instead of the present ones. */
export const accept = Effect.fnUntraced(function* (id: string, actor: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from bank_fetcher.bank_key where account_id = ${id} and state = 'accepted'`
  yield* sql`update bank_fetcher.bank_key set state = 'accepted', accepted_at = now(), accepted_by = ${actor}
    where account_id = ${id}`
})

/** Hashes of a key as people type them: of the key, and of its certificate. Upper-case hexadecimal digits. */
export const hashesOf = ({ certificate, fingerprint }: BankKeyRow): ReadonlyArray<string> => [
  fingerprint.toUpperCase(),
  ...(certificate === null
    ? []
    : [Certificate.fingerprint(Buffer.from(certificate, "base64")).toString("hex").toUpperCase()])
]

export const view = (row: BankKeyRow): typeof BankKeyView.Type => ({
  version: row.purpose === "X" ? "X002" : "E002",
  hash: hashLines(Buffer.from(row.fingerprint, "hex")),
  certificate_hash:
    row.certificate === null ? null : hashLines(Certificate.fingerprint(Buffer.from(row.certificate, "base64"))),
  fetched_at: row.fetched_at.toISOString(),
  accepted_at: row.accepted_at?.toISOString() ?? null,
  accepted_by: row.accepted_by
})
