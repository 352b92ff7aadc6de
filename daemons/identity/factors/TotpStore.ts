/**
 * Table of TOTP secrets: one per account, pending until its first code confirms it. Functions run in the surrounding
 * transaction with its role.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SealedColumn } from "#core/config/Secrets.ts"

/** Column of the secret: Base32 text (RFC 4648 §6) in an envelope. */
export const sealedTotp: SealedColumn = { table: "identity.totp", id: "account_id", column: "secret" }

/**
 * How long a secret may stay unconfirmed. Unit: seconds. Reason: the owner was verified only when the secret was
 * created.
 */
export const pendingLifetime = 900

/**
 * Maximum number of attempts to confirm a secret. Reason: room for typing errors, too few for guessing with a stolen
 * token.
 */
export const maxConfirmations = 10

export interface Totp {
  readonly envelope: string
  readonly confirmed: boolean
  /** The last accepted time step. */
  readonly lastStep: number
}

export const find = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] =
    yield* sql<Totp>`select secret as envelope, confirmed_at is not null as confirmed, last_step::float8 as "lastStep"
    from identity.totp where account_id = ${accountId}`
  return row
})

/** Counts an attempt and returns the pending secret. Undefined when there is none, or no attempt is left. */
export const countConfirmation = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly envelope: string }>`update identity.totp set tries = tries + 1
    where account_id = ${accountId} and confirmed_at is null and tries < ${maxConfirmations}
    returning secret as envelope`
  return row
})

/** Stores a pending secret, replacing an unconfirmed one. Returns false when a secret is already confirmed. */
export const begin = Effect.fnUntraced(function* (
  account: { readonly id: number; readonly tenant_id: number },
  envelope: string
) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`insert into identity.totp as t (account_id, tenant_id, secret)
    values (${account.id}, ${account.tenant_id}, ${envelope})
    on conflict (account_id) do update set secret = excluded.secret, created_at = now(), last_step = 0, tries = 0
      where t.confirmed_at is null returning 1`
  return rows.length > 0
})

/**
 * Confirms the secret that was read, with the code of `step`. Returns false when it was replaced, confirmed or has
 * expired.
 */
export const confirm = Effect.fnUntraced(function* (accountId: number, envelope: string, step: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`update identity.totp set confirmed_at = now(), last_step = ${step}
    where account_id = ${accountId} and secret = ${envelope} and confirmed_at is null
      and created_at > now() - make_interval(secs => ${pendingLifetime}) returning 1`
  return rows.length > 0
})

/**
 * Consumes a time step. Returns false when this step or a later one was consumed before. A single statement: of two
 * requests with the same code, the second waits for the first and is refused. Source: RFC 6238 §5.2.
 */
export const consumeStep = Effect.fnUntraced(function* (accountId: number, step: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`update identity.totp set last_step = ${step}
    where account_id = ${accountId} and confirmed_at is not null and last_step < ${step} returning 1`
  return rows.length > 0
})

/** Removes the secret. Returns whether it was confirmed; undefined when there was none. */
export const remove = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ confirmed: boolean }>`delete from identity.totp where account_id = ${accountId}
    returning confirmed_at is not null as confirmed`
  return row
})
