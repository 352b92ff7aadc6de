/**
 * One-time sign-in tokens: first administrator, invitation, password reset, return from an OpenID provider. A token
 * opens one session and replaces the second factor. The caller decides who may create one. Stored as SHA-256: the
 * tokens are random, so no slow hash is needed. Functions run in the surrounding transaction with its role.
 */
import { Effect, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { createHash, randomBytes } from "node:crypto"
import type { Role } from "#core/auth/Roles.ts"

/** Length of a token. Unit: random bytes. */
const tokenBytes = 32

/** Longest accepted token. Unit: characters. Reason: ours have 47. */
export const maxLinkToken = 128

/** Lifetimes. Unit: seconds. */
export const linkLifetimes = {
  /** Reason: an installation takes up to a day; each start prints a new link. */
  first_admin: 24 * 3600,
  /** Reason: the invited user reads the mail within a week. */
  invitation: 7 * 86_400,
  /** Reason: the user waits for the mail. Source: OWASP Forgot Password Cheat Sheet, short-lived. */
  reset: 3600,
  /** Reason: the returning browser redeems it at once. */
  oidc: 60
} as const

export type LinkPurpose = keyof typeof linkLifetimes

/**
 * Entry in `methods` of a session that was opened by a link: `link:reset`. Links of an OpenID sign-in use the
 * provider's name instead.
 */
export const linkMethod = (purpose: LinkPurpose): string => `link:${purpose}`

/** Stored hash of a token. */
const hashOf = (token: string): Uint8Array => createHash("sha256").update(token).digest()

/** Creates a token and revokes older ones of the same account and purpose. Show the text once and never log it. */
export const make = Effect.fnUntraced(function* (
  accountId: number,
  tenantId: number,
  purpose: LinkPurpose,
  methods: ReadonlyArray<string> = [linkMethod(purpose)],
  lifetime: number = linkLifetimes[purpose]
): Effect.fn.Return<Redacted.Redacted, SqlError.SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const token = `sbl_${randomBytes(tokenBytes).toString("base64url")}`
  // Serialises concurrent calls, which could otherwise leave two valid links.
  yield* sql`select 1 from identity.account where id = ${accountId} for no key update`
  yield* sql`delete from identity.sign_in_link
    where account_id = ${accountId} and purpose = ${purpose} and used_at is null`
  yield* sql`insert into identity.sign_in_link (hash, tenant_id, account_id, purpose, methods, expires_at)
    values (${hashOf(token)}, ${tenantId}, ${accountId}, ${purpose}, string_to_array(${methods.join(" ")}, ' '),
      now() + make_interval(secs => ${lifetime}))`
  return Redacted.make(token, { label: "sign-in link" })
})

/** Valid link and its account. */
export interface Link {
  readonly id: number
  readonly tenant_id: number
  readonly role: Role
  readonly locale: string
  readonly time_zone: string | null
  readonly version: number
  readonly purpose: LinkPurpose
  readonly methods: ReadonlyArray<string>
}

/** Finds the link of a token without using it. */
export const find = Effect.fnUntraced(function* (token: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] =
    yield* sql<Link>`select a.id, a.tenant_id, a.role, a.locale, a.time_zone, a.version, l.purpose, l.methods
    from identity.sign_in_link l join identity.account a on a.id = l.account_id
   where l.hash = ${hashOf(token)} and l.used_at is null and l.expires_at > now()`
  return row
})

/** Uses the token up; false when another request used it first. */
export const use = Effect.fnUntraced(function* (token: string) {
  const sql = yield* SqlClient.SqlClient
  const used = yield* sql`update identity.sign_in_link set used_at = now()
    where hash = ${hashOf(token)} and used_at is null and expires_at > now() returning 1`
  return used.length > 0
})

/** Revokes all unused links of an account. */
export const revokeAll = (accountId: number): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.asVoid(sql`delete from identity.sign_in_link where account_id = ${accountId} and used_at is null`)
  )
