/**
 * People and programs use identity in all ways, correctly and incorrectly, at the real program with debug logs and an
 * interrupted database. No secret may appear in an output, an answer, a table or a metric, except where intended.
 */
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { createPrivateKey } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { exportJWK } from "jose"
import { contextOf, layer as secretsLayer, Secrets } from "#core/config/Secrets.ts"
import { sealedKeys } from "#core/auth/Signer.ts"
import { startOidcProvider } from "#support/OidcProvider.ts"
import { publicUrl, redirectUris, variables } from "../daemons/identity/federation/FederationSuite.ts"
import { type Box, startBox } from "./Box.ts"
import { mail, misplaced, outage, programs } from "./MisuseStory.ts"
import { formsOf, type Place, scan } from "./SecretScan.ts"
import { auth, firstAdmin, outside, passwords, secondFactors, type Story, story } from "./SignInStory.ts"

/**
 * Longest time of the test. Unit: milliseconds. Reason: far above the time needed on two loaded cores; detects a hang.
 */
const patience = 300_000

/** Collects the rows of all tables except Postgres's own. Called often, to see rows that are deleted later. */
const tables = (box: Box, places: Map<string, Set<string>>) =>
  Effect.gen(function* () {
    const names = yield* box.sql<{ name: string }>`select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`
    for (const { name } of names) {
      const rows = yield* box.sql.unsafe<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`)
      const seen = places.get(name) ?? new Set()
      for (const { row } of rows) seen.add(row)
      places.set(name, seen)
    }
  })

/** Records the secrets in the data directory and in sealed columns. */
const atRest = ({ keep }: Story, box: Box) =>
  Effect.gen(function* () {
    const path = join(box.env["SIGNALBOX_DATA_DIR"]!, "keys")
    for (const line of readFileSync(path, "utf8").trim().split("\n")) {
      keep("key file", line)
      keep("key file's bytes", line.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""))
    }
    const { open } = yield* Secrets.pipe(Effect.provide(secretsLayer(path)))
    for (const { kid, private_jwk } of yield* box.sql<{
      kid: string
      private_jwk: string
    }>`select kid, private_jwk from core.signing_key`) {
      const jwk = JSON.parse(Redacted.value(yield* open(private_jwk, contextOf(sealedKeys, kid))))
      keep("private key", jwk.d)
      expect((yield* Effect.promise(() => exportJWK(createPrivateKey({ key: jwk, format: "jwk" })))).d).toBe(jwk.d)
    }
    for (const { hash } of yield* box.sql<{
      hash: string
    }>`select password_hash as hash from identity.account where password_hash is not null`)
      keep("password hash", hash)
    keep("database password", box.databasePassword)
    keep("bot token", box.bot.token)
  })

it.live(
  "no secret of signing in stands where it is not meant to",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const provider = yield* startOidcProvider({
          people: [{ sub: "o1", email: "olga@example.org", email_verified: true }],
          redirectUris
        })
        provider.present("o1")
        const box = yield* startBox({
          SIGNALBOX_PUBLIC_URL: publicUrl,
          AUTH_RATE_LIMIT_MAX: "1000",
          ...variables(1, provider)
        })
        const told = story(box)
        const rows = new Map<string, Set<string>>()
        const look = tables(box, rows)

        const admin = yield* firstAdmin(told, box)
        const person = yield* passwords(told)
        yield* look
        yield* outside(told, box, admin)
        yield* secondFactors(told, box, person)
        yield* look
        const asking = yield* mail(told, box)
        yield* programs(told, admin)
        yield* misplaced(told, admin)
        yield* look
        yield* outage(told, box, admin, asking)
        told.keep("provider's secret", provider.clientSecret)
        yield* atRest(told, box)
        const pages: Array<Place> = []
        for (const path of [
          "/health",
          "/health/identity",
          "/metrics",
          "/openapi.json",
          "/.well-known/jwks.json",
          auth("me"),
          auth("sessions"),
          auth("factors"),
          auth("providers"),
          "/api/v1/users",
          "/api/v1/audit?limit=200",
          "/api/v1/service-tokens",
          "/api/v1/tenants"
        ]) {
          const { status, text } = yield* told.call("GET", path, {
            headers: { "x-service-token": asking.asker },
            bearer: admin.bearer
          })
          expect([path, status]).toEqual([path, 200])
          pages.push({ name: path, text })
        }
        yield* look
        const end = yield* box.stop
        expect(end.code, end.stderr.slice(-2000)).toBe(0)
        yield* look

        const meant = new Map([
          ["the greeting", [told.secrets.get("link 1")!]],
          ...told.outputs.map(({ name, shown }) => [name, shown] as const)
        ])
        const log: Place = { name: "log", text: end.stderr }
        const places: ReadonlyArray<Place> = [
          log,
          { name: "the greeting", text: end.stdout },
          ...told.outputs,
          ...told.answers,
          ...pages,
          ...Array.from(rows, ([name, seen]) => ({ name, text: [...seen].join("\n") }))
        ]
        const allowed = (secret: string, place: string) =>
          meant.get(place)?.includes(told.secrets.get(secret)!) === true ||
          (secret.startsWith("password hash") && place === "identity.account")

        // Each step left a trace, which proves that the scan covers the places where a secret could appear.
        for (const [name, trace] of [
          ["log", "user token refused"],
          ["log", "database failure while answering"],
          ["core.audit", "refused.refresh_reuse"],
          ["core.audit", "recovery_code.used"],
          ["pgboss.job_common", "messenger.code"],
          ["core.event", "mail.account.changed"],
          ["identity.oidc_flow", "state_hash"],
          ["identity.sign_in_link", "first_admin"],
          ["/metrics", "signalbox_refusals_total"]
        ] as const) {
          expect(
            places.some((place) => place.name === name && place.text.includes(trace)),
            `${trace} in ${name}`
          ).toBe(true)
        }
        expect(told.secrets.size).toBeGreaterThan(100)

        // The scan finds intended secrets, and a planted piece of each secret in each encoding.
        expect(
          scan(told.secrets, places, (secret, place) => !meant.has(place) || allowed(secret, place) === false).map(
            ({ place }) => place
          )
        ).toContain("the greeting")
        for (const [name, secret] of told.secrets) {
          for (const form of formsOf(secret)) {
            const cut = form.length > 40 ? form.slice(14, 34) : form
            const planted = scan(new Map([[name, secret]]), [
              { name: "planted", text: `{"detail":"at ${/^\d{6}$/.test(secret) ? secret : cut} it broke"}` }
            ])
            expect(planted.length, `${name} as ${form}`).toBe(1)
          }
        }

        expect(scan(told.secrets, places, allowed)).toEqual([])
      })
    ),
  patience
)
