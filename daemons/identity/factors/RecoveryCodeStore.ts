/**
 * Table of recovery codes: one row per code, its hash in an envelope. Envelopes are sealed and opened outside
 * transactions, because keys are read from a file. The other functions run in the surrounding transaction with its
 * role.
 */
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { hash, newCodes, use } from "#core/auth/RecoveryCodes.ts"
import { contextOf, type SealedColumn, Secrets } from "#core/config/Secrets.ts"

export const sealedRecoveryCodes: SealedColumn = { table: "identity.recovery_code", id: "id", column: "hash" }

interface SealedCode {
  readonly id: string
  readonly envelope: string
}

export interface NewCodes {
  /** The codes, to be shown once. */
  readonly codes: ReadonlyArray<Redacted.Redacted>
  readonly sealed: ReadonlyArray<SealedCode>
}

/** Creates a set of codes that is not assigned to an account yet. */
export const createCodes = Effect.gen(function* () {
  const secrets = yield* Secrets
  const codes = newCodes()
  const sealed = yield* Effect.forEach(codes, (code) => {
    const id = randomUUID()
    return Effect.map(secrets.seal(Redacted.make(hash(code)), contextOf(sealedRecoveryCodes, id)), (envelope) => ({
      id,
      envelope
    }))
  })
  return { codes, sealed } satisfies NewCodes as NewCodes
})

/** Replaces the recovery codes of the account. */
export const replace = Effect.fnUntraced(function* (
  account: { readonly id: number; readonly tenant_id: number },
  { sealed }: NewCodes
) {
  const sql = yield* SqlClient.SqlClient
  yield* remove(account.id)
  yield* sql`insert into identity.recovery_code (id, tenant_id, account_id, hash)
    select id, ${account.tenant_id}, ${account.id}, hash
      from unnest(${sealed.map(({ id }) => id)}::uuid[], ${sealed.map(({ envelope }) => envelope)}::text[])
        as codes (id, hash)`
})

export const remove = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from identity.recovery_code where account_id = ${accountId}`
})

/** Number of codes, and number of unused ones. */
export const counts = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    total: number
    left: number
  }>`select count(*)::int as total, count(*) filter (where used_at is null)::int as left
    from identity.recovery_code where account_id = ${accountId}`
  return row!
})

/** Id of the unused recovery code that equals `typed`, or undefined. Call it outside transactions. */
export const findUnused = Effect.fnUntraced(function* (accountId: number, typed: string) {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const rows = yield* sql<SealedCode>`select id, hash as envelope from identity.recovery_code
    where account_id = ${accountId} and used_at is null`
  const opened = yield* Effect.forEach(rows, ({ envelope, id }) =>
    Effect.map(secrets.open(envelope, contextOf(sealedRecoveryCodes, id)), (kept) => ({
      id,
      kept: Redacted.value(kept)
    }))
  )
  return opened.find(({ kept }) => use(typed, [kept]) !== undefined)?.id
})

/**
 * Marks the code as used. Returns false when it was used before. A single statement, so that only one of two concurrent
 * requests succeeds.
 */
export const markUsed = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows =
    yield* sql`update identity.recovery_code set used_at = now() where id = ${id} and used_at is null returning 1`
  return rows.length > 0
})
