/**
 * A signing key of a test that the suite accepts, because its public half is stored with the keys that identity
 * publishes. Signs valid and invalid tokens of every kind without a sign-in.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"
import { type AccessClaims, type Claims, encode, type MailClaims } from "#core/auth/TokenClaims.ts"

export interface TestKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  /** An access token; missing claims get defaults. */
  readonly access: (claims: Partial<AccessClaims> & Pick<AccessClaims, "userId" | "tenantId">) => Promise<string>
  /** A mail token; missing claims get defaults. */
  readonly mail: (claims: Partial<MailClaims> & Pick<MailClaims, "userId" | "tenantId" | "email">) => Promise<string>
  /** A token with any payload. */
  readonly sign: (payload: JWTPayload, header?: Readonly<Record<string, unknown>>) => Promise<string>
}

/** Makes a key and publishes it to every process on the database. */
export const testKey = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const kid = `test-${randomUUID()}`
  const { privateKey, publicKey } = yield* Effect.promise(() => generateKeyPair("EdDSA", { extractable: true }))
  const jwk = { ...(yield* Effect.promise(() => exportJWK(publicKey))), kid, alg: "EdDSA", use: "sig" }
  yield* sql`insert into core.verification_key (kid, alg, jwk) values (${kid}, 'EdDSA', ${sql.json(jwk)})`
  yield* sql`select pg_notify('signalbox', 'standing')`
  const sign: TestKey["sign"] = (payload, header) =>
    new SignJWT(payload)
      .setProtectedHeader({ alg: "EdDSA", kid, typ: "JWT", ...header })
      .setIssuedAt()
      .sign(privateKey)
  const common = () => ({ session: randomUUID(), id: randomUUID(), expires: Math.floor(Date.now() / 1000) + 600 })
  return {
    kid,
    privateKey,
    sign,
    access: (claims) => sign(encode({ ...common(), type: "access", role: "user", ...claims } as Claims)),
    mail: (claims) => sign(encode({ ...common(), type: "mail_access", ...claims } as Claims))
  } satisfies TestKey as TestKey
})
