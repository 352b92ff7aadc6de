/** Subject of the measurement: the shipped daemon identity over a fresh database, with accounts. */
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { withClient } from "#core/postgres/Bootstrap.ts"
import { create as createServiceToken } from "#core/auth/ServiceTokenStore.ts"
import { algorithm } from "#core/auth/Standing.ts"
import { audienceOf, encode, issuer, mailTokenLifetime } from "#core/auth/TokenClaims.ts"
import type { FreshDatabase } from "#support/Postgres.ts"
import { startDaemon } from "../OneDaemon.ts"
import type { Verification } from "./Floors.ts"
import { basicOf, post } from "../load/LoadClient.ts"
import { account, passwordHash } from "./SignIns.ts"

/** Number of mailboxes. Reason: every token of the warm load belongs to a different one. */
const mailboxes = 2_000

export interface Subject {
  readonly pid: number
  readonly port: number
  /** Verification data of its tokens, for the `verify` baseline. */
  readonly verification: Verification
  /** Issues new tokens that were never introspected. */
  readonly issue: (count: number) => Promise<ReadonlyArray<string>>
  /** Introspection request for a token, with the caller's credentials. */
  readonly introspection: (token: string) => string
  readonly end: () => Promise<void>
}

export const start = async (database: FreshDatabase, dataDir: string): Promise<Subject> => {
  const { end, pid, port } = await startDaemon("identity", database, dataDir)
  const { authorization, sign, verification } = await seed(database).catch(async (error: unknown) => {
    await end()
    throw error
  })
  return {
    pid,
    port,
    verification,
    issue: (count) => Promise.all(Array.from({ length: count }, sign)),
    introspection: (token) => post("/api/v1/auth/token/introspect", authorization, `token=${token}`),
    end
  }
}

/**
 * Inserts a signing key of the benchmark, so that thousands of tokens need no requests; the caller's service token; and
 * the mailboxes, as events of mail-admin.
 */
const seed = async (database: FreshDatabase) => {
  const { privateKey, publicKey } = await generateKeyPair(algorithm)
  const kid = "bench"
  const key = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: "sig" }
  const token = await Effect.runPromise(
    withClient(database.superuser, (sql) =>
      Effect.gen(function* () {
        yield* sql`insert into core.verification_key (kid, alg, jwk, expires_at)
        values (${kid}, ${algorithm}, ${sql.json(key)}, now() + interval '1 day')`
        yield* sql`insert into core.event (type, source, tenant_id, data)
        select 'mail.account.created', 'bench', 1, jsonb_build_object('account_id', n, 'address', 'user' || n || '@example.test', 'user_id', n,
          'tenant_id', 1, 'state', 'active', 'is_default', true, 'version', 1) from generate_series(1, ${mailboxes}::int) n`
        yield* sql`select pg_notify('signalbox', 'event')`
        yield* sql`insert into identity.account (tenant_id, email, name, role, locale, password_hash, password_changed_at)
        values (1, ${account.email}, 'Bench', 'user', 'en', ${passwordHash()}, now())`
        const { token } = yield* createServiceToken({ name: "mail server", scopes: ["introspection"] }).pipe(
          Effect.provideService(SqlClient.SqlClient, sql)
        )
        return token
      })
    )
  )
  let issued = 0
  const sign = () => {
    const n = issued++
    const userId = (n % mailboxes) + 1
    const now = Math.floor(Date.now() / 1_000)
    const claims = encode({
      type: "mail_access",
      userId,
      tenantId: 1,
      session: crypto.randomUUID(),
      id: crypto.randomUUID(),
      email: `user${userId}@example.test`,
      expires: now + mailTokenLifetime
    })
    return new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid, typ: "JWT" }).setIssuedAt(now).sign(privateKey)
  }
  const verification: Verification = { key, issuer, audience: audienceOf.mail_access }
  return { sign, verification, authorization: basicOf("mail-server", Redacted.value(token)) }
}
