/** Wrong passwords at real Dovecots with the shipped file, reported to mail-admin. */
import { it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect } from "vitest"
import * as ServiceTokenStore from "#core/auth/ServiceTokenStore.ts"
import { until } from "#support/Frame.ts"
import { passwordLogin, tokenLogin } from "#support/ImapSasl.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { peerOf } from "#support/peers/DovecotPlace.ts"
import type { DovecotVersion, TokenCheck } from "#support/peers/DovecotSnippet.ts"
import { freePort } from "#support/peers/Loopback.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { events, startAdmin } from "../Admin.ts"
import { shipped } from "../Shipped.ts"

const user = { address: "ann@example.test", password: "secret" }

const noDatabase = (port: number) => `
sql_driver = pgsql
pgsql 127.0.0.1 {
  parameters {
    port = ${port}
    user = a
    dbname = a
  }
}
passdb sql {
  query = SELECT 'a' AS password WHERE '%{user}' <> ''
}
`

/** An introspection server that reports every token as inactive. Returns its port. */
const inactive = Effect.map(
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer(
            (_, response) => void response.setHeader("content-type", "application/json").end('{"active":false}')
          )
          server.listen(0, "127.0.0.1", () => resolve(server))
        })
    ),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  ),
  (server) => (server.address() as AddressInfo).port
)

/** A Dovecot that reports to `suite` and trusts a webmail server on this machine. */
const told = Effect.fnUntraced(function* (
  suite: TestSuite,
  version: DovecotVersion,
  more: ReadonlyArray<string> = [],
  tokens?: TokenCheck
) {
  const { token } = yield* Effect.provideService(
    ServiceTokenStore.create({ name: "dovecot", scopes: ["mail-policy"] }),
    SqlClient.SqlClient,
    suite.sql
  )
  const policy = shipped(version, "96-signalbox-auth-policy.conf", {
    "http://127.0.0.1:8080": suite.base(),
    SERVICE_TOKEN: Redacted.value(token),
    RANDOM_TEXT: "a-random-text"
  })
  const dovecot = yield* Dovecot.make({
    version,
    users: [user],
    ...(tokens === undefined ? {} : { tokens }),
    settings: [policy, "login_trusted_networks = 127.0.0.0/8", ...more]
  })
  const sign = (from: string, password = "wrong") =>
    passwordLogin({ port: dovecot.imapPort, user: user.address, password, from })
  const heard = Effect.map(events(suite, "security.ban."), (all) => all.map(({ address }) => address))
  return {
    dovecot,
    sign,
    times: (count: number, from: string, password?: string) =>
      Effect.forEach(Array.from({ length: count }), () => sign(from, password)),
    heard
  }
})

for (const version of ["2.3", "2.4"] as const) {
  describePeers([peerOf(version)], `wrong passwords at Dovecot ${version}`, () => {
    it.live(
      "the fifth wrong password causes one ban; later ones, correct ones and loopback cause none",
      () =>
        Effect.gen(function* () {
          const suite = yield* startAdmin()
          const { heard, sign, times } = yield* told(suite, version)
          yield* times(4, "192.0.2.4")
          yield* times(5, "192.0.2.6", user.password)
          yield* times(5, "127.0.0.1")
          yield* times(5, "192.0.2.5")
          yield* until(
            "the ban",
            Effect.map(heard, (found) => found.length > 0)
          )
          yield* sign("192.0.2.5")
          // Reports arrive in order, so all earlier ones are processed after these.
          yield* times(5, "2001:db8:1:2::5")
          yield* until(
            "the last ban",
            Effect.map(heard, (found) => found.includes("2001:db8:1:2::/64"))
          )
          expect(yield* heard).toEqual(["192.0.2.5", "2001:db8:1:2::/64"])
          const [ban] = yield* events(suite, "security.ban.")
          expect(ban).toMatchObject({ type: "security.ban.added", rule: "mail-brute-force" })
          yield* sign("192.0.2.4")
          yield* until(
            "the fifth of another",
            Effect.map(heard, (found) => found.includes("192.0.2.4"))
          )
        }),
      120_000
    )

    it.live(
      "repeated sign-ins with an expired token cause no ban",
      () =>
        Effect.gen(function* () {
          const suite = yield* startAdmin()
          const tokens: TokenCheck = {
            server: `127.0.0.1:${yield* inactive}`,
            clientId: "dovecot",
            clientSecret: "secret"
          }
          const { dovecot, heard, times } = yield* told(suite, version, [], tokens)
          const shown = tokenLogin({
            port: dovecot.imapPort,
            mechanism: "XOAUTH2",
            user: user.address,
            token: "over",
            from: "192.0.2.7"
          })
          for (let time = 0; time < 5; time++)
            expect(yield* shown).toMatchObject({ ok: false, code: "AUTHENTICATIONFAILED" })
          yield* times(5, "192.0.2.5")
          yield* until(
            "the ban",
            Effect.map(heard, (found) => found.length > 0)
          )
          expect(yield* heard).toEqual(["192.0.2.5"])
        }),
      120_000
    )
  })
}

describePeers([peerOf("2.4")], "a Dovecot 2.4 that is broken itself", () => {
  it.live(
    "bans nobody",
    () =>
      Effect.gen(function* () {
        const suite = yield* startAdmin()
        // Its second passdb cannot reach its database.
        const broken = yield* told(suite, "2.4", [noDatabase(yield* freePort)])
        const refused = yield* broken.times(5, "192.0.2.5")
        expect(refused.map((outcome) => (outcome.ok ? "in" : outcome.code))).toEqual(
          Array.from({ length: 5 }, () => "UNAVAILABLE")
        )
        const sound = yield* told(suite, "2.4")
        yield* sound.times(5, "192.0.2.6")
        yield* until(
          "the ban",
          Effect.map(sound.heard, (found) => found.length > 0)
        )
        expect(yield* sound.heard).toEqual(["192.0.2.6"])
      }),
    120_000
  )
})
