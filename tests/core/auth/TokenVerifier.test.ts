import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import {
  calculateJwkThumbprint,
  CompactSign,
  compactVerify,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK
} from "jose"
import { randomUUID } from "node:crypto"
import { algorithm, Standing } from "#core/auth/Standing.ts"
import { type AccessClaims, type Claims, decode, encode, maxTokenLength } from "#core/auth/TokenClaims.ts"
import { isRefusal, make } from "#core/auth/TokenVerifier.ts"
import { UserVerifier } from "#core/auth/UserVerifier.ts"
import { NotFresh } from "#core/lane/Projection.ts"
import { inFrame } from "#support/Frame.ts"
import { testKey } from "#support/TestKey.ts"

/** Ed25519 test vectors. Source: RFC 8037, appendix A.1 to A.5. */
const rfc8037 = {
  key: {
    kty: "OKP",
    crv: "Ed25519",
    d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
    x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
  },
  thumbprint: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  payload: "Example of Ed25519 signing",
  jws: "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
}

it("signs, verifies and names keys as RFC 8037 shows", async () => {
  const { d: _, ...publicJwk } = rfc8037.key
  expect(await calculateJwkThumbprint(publicJwk)).toBe(rfc8037.thumbprint)
  const signed = await new CompactSign(new TextEncoder().encode(rfc8037.payload))
    .setProtectedHeader({ alg: algorithm })
    .sign(await importJWK(rfc8037.key, algorithm))
  expect(signed).toBe(rfc8037.jws)
  const { payload } = await compactVerify(rfc8037.jws, await importJWK(publicJwk, algorithm))
  expect(new TextDecoder().decode(payload)).toBe(rfc8037.payload)
})

const id = fc.integer({ min: 1, max: 2 ** 31 - 1 })
const text = fc.string({ minLength: 1, maxLength: 40 })
const common = { userId: id, tenantId: id, session: text, id: text, expires: fc.integer({ min: 1, max: 2 ** 33 }) }
const claims: fc.Arbitrary<Claims> = fc.oneof(
  fc.record({
    ...common,
    type: fc.constant("access" as const),
    role: fc.constantFrom("admin", "reseller", "customer", "user", "support")
  }),
  fc.record({ ...common, type: fc.constant("mail_access" as const), email: text })
)

it("reads its claims as one kind of token only", () => {
  fc.assert(
    fc.property(claims, (given) => {
      expect(decode(encode(given), given.type)).toEqual(given)
      expect(decode(encode(given), given.type === "access" ? "mail_access" : "access")).toBeUndefined()
    })
  )
})

it("refuses claims with a missing or wrong member", () => {
  fc.assert(
    fc.property(
      claims,
      fc.constantFrom("type", "sub", "tid", "sid", "jti", "exp"),
      fc.constantFrom(undefined, null, "", -1, 0, {}, [], true),
      (given, name, bad) => {
        fc.pre(name !== "exp" || typeof bad !== "number")
        expect(decode({ ...encode(given), [name]: bad as never }, given.type)).toBeUndefined()
      }
    )
  )
  const access: AccessClaims = {
    type: "access",
    userId: 1,
    tenantId: 1,
    session: "s",
    id: "i",
    expires: 9,
    role: "user"
  }
  expect(decode({ ...encode(access), role: "root" }, "access")).toBeUndefined()
  expect(decode({ ...encode(access), role: "__proto__" }, "access")).toBeUndefined()
})

/** Asks again when the database does not answer in time. */
const patient = <A, E>(ask: Effect.Effect<A, E | NotFresh>) =>
  Effect.retry(ask, { times: 20, while: (error) => error instanceof NotFresh })

const ground = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const standing = yield* Standing
  const key = yield* testKey(sql as never)
  yield* patient(standing.refresh)
  return { sql, standing, key, verifier: make("access", standing, (claims) => claims) }
})

it.live("caches a verified token, and checks revocable facts each time", () =>
  inFrame(
    Effect.gen(function* () {
      const { key, sql, standing, verifier } = yield* ground
      const now = Date.now()
      const session = randomUUID()
      const expires = Math.floor(now / 1000) + 60
      const token = yield* Effect.promise(() => key.access({ userId: 7, tenantId: 2, session, expires }))
      expect(verifier.known(token, now)).toBeUndefined()
      expect(yield* Effect.promise(() => verifier.verify(token, now))).toMatchObject({
        userId: 7,
        tenantId: 2,
        session,
        role: "user"
      })
      expect(verifier.known(token, now)).toMatchObject({ userId: 7 })
      expect(verifier.known(token, expires * 1000 - 1)).toBeTruthy()
      expect(verifier.known(token, expires * 1000)).toBe(false)
      yield* sql`insert into core.ended_session (session, forget_at) values (${session}, now())`
      yield* patient(standing.refresh)
      expect(verifier.known(token, now)).toBe(false)
      expect(yield* Effect.promise(() => verifier.verify(token, now))).toBe("session_ended")
    })
  )
)

it.live("a revoked key verifies no token", () =>
  inFrame(
    Effect.gen(function* () {
      const { key, sql, standing, verifier } = yield* ground
      const token = yield* Effect.promise(() => key.access({ userId: 7, tenantId: 2 }))
      expect(isRefusal(yield* Effect.promise(() => verifier.verify(token, Date.now())))).toBe(false)
      yield* sql`update core.verification_key set expires_at = now() where kid = ${key.kid}`
      yield* patient(standing.refresh)
      expect(verifier.known(token, Date.now() + 1)).toBe(false)
      expect(yield* Effect.promise(() => verifier.verify(token, Date.now() + 1))).toBe("unknown_key")
    })
  )
)

it.live("a key of another algorithm is not used, and an unreadable key affects no other", () =>
  inFrame(
    Effect.gen(function* () {
      const { key, sql, standing, verifier } = yield* ground
      const { publicKey } = yield* Effect.promise(() => generateKeyPair("RS256"))
      const jwk = yield* Effect.promise(() => exportJWK(publicKey) as Promise<JWK>)
      const pg = sql as typeof sql & { readonly json: (value: unknown) => never }
      yield* sql`insert into core.verification_key (kid, alg, jwk) values ('rsa', 'RS256', ${pg.json(jwk)}), ('torn', 'EdDSA', ${pg.json({ kty: "OKP" })})`
      yield* patient(standing.refresh)
      const payload = encode({
        type: "access",
        userId: 1,
        tenantId: 1,
        session: "s",
        id: "i",
        expires: 2e9,
        role: "admin"
      })
      for (const kid of ["rsa", "torn"]) {
        const token = yield* Effect.promise(() => key.sign(payload, { kid }))
        expect(isRefusal(yield* Effect.promise(() => verifier.verify(token, Date.now())))).toBe(true)
      }
      expect(isRefusal(yield* Effect.promise(async () => verifier.verify(await key.sign(payload), Date.now())))).toBe(
        false
      )
    })
  )
)

it.live("no text makes it throw, and invalid tokens are not cached", () =>
  inFrame(
    Effect.gen(function* () {
      const { verifier } = yield* ground
      const parts = fc.oneof(
        fc.string(),
        fc.base64String(),
        fc.json().map((json) => Buffer.from(json).toString("base64url"))
      )
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.array(parts, { maxLength: 5 }).map((some) => some.join(".")),
            async (text) => {
              const outcome = await verifier.verify(text, Date.now())
              expect(isRefusal(outcome)).toBe(true)
              expect(verifier.known(text, Date.now())).toBeUndefined()
            }
          )
        )
      )
      expect(yield* Effect.promise(() => verifier.verify("a".repeat(maxTokenLength + 1), Date.now()))).toBe("malformed")
    })
  )
)

it.live("a user's token says who calls, with the permissions of the role", () =>
  inFrame(
    Effect.gen(function* () {
      const { key } = yield* ground
      const verifier = yield* UserVerifier
      const token = yield* Effect.promise(() => key.access({ userId: 7, tenantId: 2, role: "support" }))
      const caller = yield* patient(verifier.verify(Redacted.make(token)))
      expect(caller).toMatchObject({ kind: "user", userId: 7, tenantId: 2, role: "support" })
      expect(caller.permissions.has("users.read")).toBe(true)
      expect(caller.permissions.has("users.manage")).toBe(false)
      const mail = yield* Effect.promise(() => key.mail({ userId: 7, tenantId: 2, email: "u@x.test" }))
      const refused = yield* Effect.flip(patient(verifier.verify(Redacted.make(mail))))
      expect(refused).toMatchObject({ _tag: "TokenRefused", reason: "wrong_type" })
    })
  )
)

it.live("a new key is known at once, also when its announcement was lost", () =>
  inFrame(
    Effect.gen(function* () {
      const { sql, standing } = yield* ground
      const verifier = yield* UserVerifier
      yield* patient(standing.refresh)
      const { privateKey, publicKey } = yield* Effect.promise(() => generateKeyPair("EdDSA", { extractable: true }))
      const pg = sql as typeof sql & { readonly json: (value: unknown) => never }
      const jwk = yield* Effect.promise(() => exportJWK(publicKey))
      yield* sql`insert into core.verification_key (kid, alg, jwk) values ('late', 'EdDSA', ${pg.json(jwk)})`
      const { SignJWT } = yield* Effect.promise(() => import("jose"))
      const token = yield* Effect.promise(() =>
        new SignJWT(
          encode({ type: "access", userId: 1, tenantId: 1, session: "s", id: "i", expires: 2e9, role: "user" })
        )
          .setProtectedHeader({ alg: "EdDSA", kid: "late" })
          .sign(privateKey)
      )
      expect((yield* patient(verifier.verify(Redacted.make(token)))).userId).toBe(1)
    })
  )
)
