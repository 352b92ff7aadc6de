/** Rows of an account's keys, and of the step that is under way. Every function runs in the surrounding transaction. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { AccountRow } from "../AccountRow.ts"
import * as AccountStore from "../AccountStore.ts"
import type { BankAnswer } from "./KeyApi.ts"
import { StepUnderWay } from "../Errors.ts"
import type { KeyRow } from "./PrivateKeys.ts"

/**
 * How long a step may be under way. Unit: seconds. Reason: two exchanges of 60 s at most; then a process that died in
 * between no longer blocks the account.
 */
const stepLease = 150

export const keysOf = Effect.fnUntraced(function* (accountId: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<KeyRow>`select id, purpose, private_key, public_key, certificate, under_passphrase
    from bank_fetcher.account_key where account_id = ${accountId} order by purpose`
})

/** Marks the account as busy with a step. */
export const beginStep = Effect.fnUntraced(function* (row: AccountRow, step: string) {
  const sql = yield* SqlClient.SqlClient
  if (row.busy) return yield* new StepUnderWay({ detail: "Another request works on the keys of this account." })
  const stepId = randomUUID()
  yield* sql`update bank_fetcher.account set step = ${step}, step_id = ${stepId},
    step_until = now() + make_interval(secs => ${stepLease}) where id = ${row.id}`
  return stepId
})

/** Locks the account for the result of a step. Fails when the step took too long and another one began. */
export const holdStep = Effect.fnUntraced(function* (id: string, stepId: string) {
  const row = yield* AccountStore.held(id)
  if (row.step_id !== stepId)
    return yield* new StepUnderWay({ detail: "The step took too long, and another one has begun." })
  return row
})

/** Ends a step. */
export const endStep = Effect.fnUntraced(function* (id: string, stepId: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update bank_fetcher.account set step = null, step_id = null, step_until = null
    where id = ${id} and step_id = ${stepId}`
})

export const storeKeys = Effect.fnUntraced(function* (
  row: AccountRow,
  keys: ReadonlyArray<KeyRow>,
  salt: string | null,
  createdAt: Date
) {
  const sql = yield* SqlClient.SqlClient
  for (const key of keys) {
    yield* sql`insert into bank_fetcher.account_key (id, tenant_id, account_id, purpose, private_key, public_key,
        certificate, under_passphrase)
      values (${key.id}, ${row.tenant_id}, ${row.id}, ${key.purpose}, ${key.private_key}, ${key.public_key},
        ${key.certificate}, ${key.under_passphrase})`
  }
  yield* sql`update bank_fetcher.account set key_status = 'keys_generated', key_salt = ${salt},
    keys_created_at = ${createdAt}, updated_at = now() where id = ${row.id}`
})

/** Version that HEV chose. */
export const storeVersion = (id: string, version: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update bank_fetcher.account set ebics_version = ${version}, version_by_bank = true where id = ${id}`
  )

export const storeAnswer = Effect.fnUntraced(function* (id: string, answer: typeof BankAnswer.Type) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* sql`update bank_fetcher.account set last_answer = ${pg.json(answer)} where id = ${id}`
})

/** INI or HIA arrived at the bank. */
export const storeSent = Effect.fnUntraced(function* (id: string, step: "ini" | "hia") {
  const sql = yield* SqlClient.SqlClient
  yield* step === "ini"
    ? sql`update bank_fetcher.account set key_status = 'ini_sent', ini_sent_at = now(), updated_at = now()
        where id = ${id}`
    : sql`update bank_fetcher.account set key_status = 'hia_sent', hia_sent_at = now(), updated_at = now()
        where id = ${id}`
})

/** From now on the bank may have received INI or HIA. */
export const markBegun = (id: string, step: "ini" | "hia") =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    step === "ini"
      ? sql`update bank_fetcher.account set ini_begun_at = coalesce(ini_begun_at, now()) where id = ${id}`
      : sql`update bank_fetcher.account set hia_begun_at = coalesce(hia_begun_at, now()) where id = ${id}`
  )

/** The bank has certainly not received INI or HIA, so the ids may change and a refusal is a refusal. */
export const forgetBegun = (id: string, step: "ini" | "hia") =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    step === "ini"
      ? sql`update bank_fetcher.account set ini_begun_at = null where id = ${id}`
      : sql`update bank_fetcher.account set hia_begun_at = null where id = ${id}`
  )

/** Destroys our keys and the bank's, and begins again. */
export const reset = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from bank_fetcher.account_key where account_id = ${id}`
  yield* sql`delete from bank_fetcher.bank_key where account_id = ${id}`
  yield* sql`update bank_fetcher.account set key_status = 'pending', state_before = null, stopped = null,
    ebics_version = case when version_by_bank then null else ebics_version end, version_by_bank = false,
    digest_tried = false, key_salt = null, keys_created_at = null, ini_begun_at = null, ini_sent_at = null,
    hia_begun_at = null, hia_sent_at = null, activated_at = null, last_answer = null, permitted = null, step = null,
    step_id = null, step_until = null, updated_at = now() where id = ${id}`
})
