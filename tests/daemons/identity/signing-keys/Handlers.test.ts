import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { identity } from "#daemons/identity/Daemon.ts"
import { startSuite } from "#support/TestSuite.ts"

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
