/**
 * Walks over every operation of identity, as two tenants and with invalid input. All callers sign in with their
 * passwords.
 */
import { describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { join } from "node:path"
import * as Store from "#core/auth/ServiceTokenStore.ts"
import type { Role } from "#core/auth/Roles.ts"
import * as Secrets from "#core/config/Secrets.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { keyUse } from "#daemons/identity/factors/OneTimeCodeStore.ts"
import { startSuite } from "#support/TestSuite.ts"
import { badInput } from "#support/walk/BadInputWalk.ts"
import { open, type Who } from "#support/walk/Case.ts"
import { rowSecurity } from "#support/walk/RowSecurity.ts"
import { neighbours, tenancy } from "#support/walk/TenancyWalk.ts"
import type { Walk } from "#support/walk/Walk.ts"
import { clean } from "#support/walk/Walked.ts"
import { factorCases } from "./walk/FactorCases.ts"
import { federationCases, federationSettings, provider } from "./walk/FederationCases.ts"
import { mailCases } from "./walk/MailCases.ts"
import { peopleOf } from "./walk/People.ts"
import { signInCases } from "./walk/SignInCases.ts"
import { ownCases, tenantCases, userCases } from "./walk/UserCases.ts"

class Walked extends Context.Service<Walked, Walk & { readonly neighbour: Who }>()("test/Walked") {
  static readonly layer = Layer.effect(
    Walked,
    Effect.gen(function* () {
      const { issuer } = yield* provider
      const suite = yield* startSuite({
        daemons: [identity],
        env: { AUTH_RATE_LIMIT_MAX: "10000", SIGNALBOX_MESSENGER_TOKEN: "none", ...federationSettings(issuer) }
      })
      const people = peopleOf(suite)
      const who = Effect.fnUntraced(function* (
        name: string,
        tenant: number,
        role: Role
      ): Effect.fn.Return<Who, unknown> {
        const of = { tenant, mark: `mark-of-${name.toLowerCase()}-x7q4` }
        const { email, headers, id } = yield* people.person(of, role)
        // Two headers of the test tell the cases who owns the token.
        return { ...of, name, headers: { ...headers, "x-account": String(id), "x-email": email } }
      })
      const [one, other] = [yield* people.tenant("mark-of-a-x7q4"), yield* people.tenant("mark-of-b-x7q4")]
      const { token } = yield* Store.create({ name: "dovecot", scopes: ["introspection"] }).pipe(
        Effect.provideService(SqlClient.SqlClient, suite.sql)
      )
      const basic = `Basic ${Buffer.from(`dovecot:${Redacted.value(token)}`).toString("base64")}`
      for (const tenant of [one, other])
        yield* Effect.flatMap(people.account({ tenant, mark: `factors-${tenant}` }), (account) =>
          people.beginFactors(account, tenant)
        )
      const secrets = yield* Layer.build(Secrets.layer(join(suite.env["SIGNALBOX_DATA_DIR"]!, "keys")))
      const codeKeys = yield* Context.get(secrets, Secrets.Secrets).derive(keyUse)
      return {
        suite,
        schema: "identity",
        cases: {
          "GET /.well-known/jwks.json": open("public keys", { success: 200 }),
          ...signInCases(people),
          ...mailCases(suite, basic),
          ...userCases(people),
          ...tenantCases(people, suite),
          ...ownCases(suite),
          ...factorCases(people, suite, codeKeys),
          ...federationCases(people, suite, issuer)
        },
        a: yield* who("A", one, "admin"),
        b: yield* who("B", other, "admin"),
        neighbour: yield* who("N", other, "admin"),
        powerless: yield* who("P", other, "user"),
        platform: {
          name: "platform",
          tenant: 1,
          headers: { "x-service-token": yield* suite.token },
          mark: "mark-of-platform"
        },
        // Refused sign-ins and wrong codes are counted and audited.
        mayWrite: ["core.audit", "identity.throttle", "identity.one_time_code", "identity.totp"]
      }
    })
  )
}

describe("all endpoints of identity", () => {
  layer(Walked.layer, { excludeTestServices: true })((it) => {
    it.effect("tenants are isolated", () => Effect.map(Effect.flatMap(Walked, tenancy), clean), 120_000)
    it.effect(
      "personal data of users of one tenant is isolated",
      () =>
        Effect.map(
          Effect.flatMap(Walked, (walk) => neighbours(walk, walk.neighbour)),
          clean
        ),
      120_000
    )
    it.effect("tenants are isolated without a WHERE clause", () =>
      Effect.map(
        Effect.flatMap(Walked, (walk) => rowSecurity(walk)),
        clean
      )
    )
    it.effect("wrong input is refused", () => Effect.map(Effect.flatMap(Walked, badInput), clean), 120_000)
  })
})
