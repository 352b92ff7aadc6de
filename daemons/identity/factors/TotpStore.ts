/**
 * The table of TOTP secrets: one an account, pending until a first code has confirmed it. Functions run in the
 * surrounding transaction with the role it has.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SealedColumn } from "#core/config/Secrets.ts"

/** The secret's Base32 text (RFC 4648 §6) lies in an envelope. */
export const sealedTotp: SealedColumn = { table: "identity.totp", id: "account_id", column: "secret" }

/**
 * How long a secret may wait for its first code. Unit: seconds. Reason: what proved its owner was asked for when it was
 * made.
 */
export const pendingLifetime = 900

/**
 * Codes that may be tried on a secret that is not confirmed yet. Unit: tries. Reason: its owner mistypes; a thief of
 * their token guesses.
 */
export const maxConfirmations = 10

export interface Totp {
  readonly envelope: string
  readonly confirmed: boolean
  /** The last time step that was accepted. */
  readonly lastStep: number
}

export const find = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] =
    yield* sql<Totp>`select secret as envelope, confirmed_at is not null as confirmed, last_step::float8 as "lastStep"
    from identity.totp where account_id = ${accountId}`
  return row
})

/**
 * The pending secret for one more try, counted before the code is looked at; undefined when there is none, or no try
 * left.
 */
export const takeTry = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly envelope: string }>`update identity.totp set tries = tries + 1
    where account_id = ${accountId} and confirmed_at is null and tries < ${maxConfirmations} returning secret as envelope`
  return row
})

/** Puts a secret in place of one that was never confirmed; false when a confirmed one stands. */
export const begin = Effect.fnUntraced(function* (
  account: { readonly id: number; readonly tenant_id: number },
  envelope: string
) {
  const sql = yield* SqlClient.SqlClient
  const rows =
    yield* sql`insert into identity.totp as t (account_id, tenant_id, secret) values (${account.id}, ${account.tenant_id}, ${envelope})
    on conflict (account_id) do update set secret = excluded.secret, created_at = now(), last_step = 0, tries = 0
      where t.confirmed_at is null returning 1`
  return rows.length > 0
})

/**
 * Confirms exactly the secret that was read, by a code of `step`; false when it is another by now, confirmed, or too
 * old.
 */
export const confirm = Effect.fnUntraced(function* (accountId: number, envelope: string, step: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`update identity.totp set confirmed_at = now(), last_step = ${step}
    where account_id = ${accountId} and secret = ${envelope} and confirmed_at is null
      and created_at > now() - make_interval(secs => ${pendingLifetime}) returning 1`
  return rows.length > 0
})

/**
 * Takes a time step; false when it, or a later one, was taken before. One statement, so that of two requests with the
 * same code the second waits for the first and is refused. Source: RFC 6238 §5.2.
 */
export const takeStep = Effect.fnUntraced(function* (accountId: number, step: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`update identity.totp set last_step = ${step}
    where account_id = ${accountId} and confirmed_at is not null and last_step < ${step} returning 1`
  return rows.length > 0
})

/** Removes it; says whether it was there, and whether it was confirmed. */
export const remove = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ confirmed: boolean }>`delete from identity.totp where account_id = ${accountId}
    returning confirmed_at is not null as confirmed`
  return row
})
