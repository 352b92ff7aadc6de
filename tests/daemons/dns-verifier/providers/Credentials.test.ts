import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { reseal } from "#core/config/SecretRotation.ts"
import { run as runMigrations } from "#core/sql/Migrations.ts"
import { dnsVerifier } from "#daemons/dns-verifier/Daemon.ts"
import { Credentials, layer, sealedCredentials } from "#daemons/dns-verifier/providers/Credentials.ts"
import { inFrame } from "#support/Frame.ts"

it.live("stores credentials in envelopes bound to their account, and reseals them at a rotation", () =>
  inFrame(
    Effect.gen(function* () {
      yield* runMigrations(dnsVerifier.migrations)
      const sql = yield* SqlClient.SqlClient
      const credentials = yield* Credentials
      const given = { prefix: "pre", secret: "0h-so-secret" }
      const { envelope, id } = yield* credentials.forNew(given)
      expect(envelope).not.toContain("secret")
      yield* sql`insert into dns_verifier.dns_provider (id, tenant_id, customer_id, name, type, credentials) values (${id}, 1, 1, 'One', 'provider_b', ${envelope})`
      expect(JSON.parse(Redacted.value(yield* credentials.open(id, envelope!)))).toEqual(given)
      expect((yield* Effect.exit(credentials.open(id + 1, envelope!)))._tag).toBe("Failure")
      const without = yield* credentials.forNew(undefined)
      expect(without).toEqual({ id: id + 1, envelope: null })
      const again = yield* credentials.seal(id, { ...given, secret: "another" })
      expect(JSON.parse(Redacted.value(yield* credentials.open(id, again))).secret).toBe("another")
      // As after `signalbox secrets rotate` put a new key before the old: here the envelope says to be of an unknown
      // one.
      yield* sql`update dns_verifier.dns_provider set credentials = replace(credentials, 'sbx1.', 'sbx1.x') where id = ${id}`
      const { unreadable } = yield* reseal(sealedCredentials)
      expect(unreadable.map((row) => row.id)).toEqual([String(id)])
    }).pipe(Effect.provide(layer))
  )
)
