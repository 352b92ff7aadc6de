import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { announceStanding } from "#core/auth/Standing.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { until } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"
import { signInSuite } from "../SignInSuite.ts"

it.live("the key set contains the public part of the signing key, and nothing of the private part", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { call, sql } = yield* startSuite({ daemons: [identity] })
      const { json, status } = yield* call("GET", "/.well-known/jwks.json")
      expect(status).toBe(200)
      const [row] = yield* sql<{ kid: string; private_jwk: string }>`select kid, private_jwk from core.signing_key`
      expect(json.keys).toEqual([
        { kty: "OKP", crv: "Ed25519", x: expect.any(String), kid: row!.kid, alg: "EdDSA", use: "sig" }
      ])
      expect(row!.private_jwk).toMatch(/^sbx1\./)
    })
  )
)

it.live("health is ok with a valid key, and down when none is valid", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, call, get, login, sql, token } = yield* signInSuite()
      const platform = yield* token
      const becomes = (wanted: object) =>
        until(
          JSON.stringify(wanted),
          Effect.map(
            call("GET", "/health", { token: platform }),
            ({ json }) =>
              JSON.stringify({ ...json.components?.signing_keys, ...wanted }) ===
              JSON.stringify(json.components?.signing_keys)
          )
        )
      // Identity reads the keys from the database when it first verifies a token; before that, health counts none.
      const { json } = yield* login((yield* account()).email)
      expect((yield* get("me", json.access_token)).status).toBe(200)
      yield* becomes({ status: "ok", keys: 1 })
      yield* sql`update core.verification_key set expires_at = now()`
      yield* sql`select ${announceStanding(sql)}`
      yield* becomes({ status: "down" })
    })
  )
)
