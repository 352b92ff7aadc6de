/** identity and edge-auth count failed sign-ins alike: one table of attempts, tried at both. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { hashSync } from "bcryptjs"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { cheapHash } from "#support/CheapArgon2.ts"
import { cheapCost, withCheapHashes } from "#support/edge/CheapHashes.ts"
import { startSuite } from "#support/TestSuite.ts"
import { password, Place, signIn } from "./edge-auth/Browser.ts"

/** AUTH_RATE_LIMIT_MAX: failures that do not block. */
const max = 2

const place = Layer.effect(
  Place,
  startSuite({
    daemons: [identity, edgeAuth],
    env: {
      AUTH_COOKIE_DOMAIN: "example.org",
      SIGNALBOX_TRUSTED_PROXIES: "127.0.0.0/8",
      AUTH_RATE_LIMIT_MAX: String(max)
    }
  }).pipe(withCheapHashes)
)

/** Sign-ins at a daemon; people `ann`, `bob`, … exist and have `password`, others do not exist. */
const people = ["ann", "bob", "cat", "dan", "eve"]
const daemons = {
  identity: {
    make: Effect.gen(function* () {
      const { sql } = yield* Place
      const hash = cheapHash(password)
      for (const name of people)
        yield* sql`insert into identity.account (tenant_id, email, name, role, password_hash)
          values (1, ${`${name}@example.org`}, ${name}, 'user', ${hash})`
    }),
    in: 200,
    attempt: (email: string, typed: string, address: string) =>
      Effect.flatMap(Place, ({ call }) =>
        call("POST", "/api/v1/auth/login", {
          of: "identity",
          body: { email, password: typed },
          headers: { "x-forwarded-for": address }
        })
      )
  },
  "edge-auth": {
    make: Effect.gen(function* () {
      const { sql } = yield* Place
      const hash = hashSync(password, cheapCost)
      for (const name of people)
        yield* sql`insert into edge_auth.users (email, name, password, status, role)
          values (${`${name}@example.org`}, ${name}, ${hash}, 'active', 'user')`
    }),
    in: 303,
    attempt: (email: string, typed: string, address: string) => signIn(email, typed, { address })
  }
} as const

type Outcome = "in" | "refused" | "blocked"

/** Address, name, whether the password is right, and the outcome. */
type Attempt = readonly [address: string, name: string, right: boolean, outcome: Outcome]

const scenarios: Readonly<Record<string, ReadonlyArray<Attempt>>> = {
  "an address above the limit is blocked for every account": [
    ["198.51.100.1", "one", false, "refused"],
    ["198.51.100.1", "two", false, "refused"],
    ["198.51.100.1", "three", false, "refused"],
    ["198.51.100.1", "ann", true, "blocked"],
    ["198.51.100.2", "ann", true, "in"]
  ],
  "the addresses of one /64 are one address": [
    ["2001:db8:7:1::1", "four", false, "refused"],
    ["2001:db8:7:1::2", "five", false, "refused"],
    ["2001:db8:7:1:aaaa::3", "six", false, "refused"],
    ["2001:db8:7:1:bbbb::4", "bob", true, "blocked"],
    ["2001:db8:7:2::1", "bob", true, "in"]
  ],
  "an account above the limit is blocked for strangers, not where its owner signed in before": [
    ["198.51.101.1", "cat", true, "in"],
    ["198.51.101.2", "cat", false, "refused"],
    ["198.51.101.3", "cat", false, "refused"],
    ["198.51.101.4", "cat", false, "refused"],
    ["198.51.101.5", "cat", false, "blocked"],
    ["198.51.101.6", "cat", true, "blocked"],
    ["198.51.101.1", "cat", true, "in"],
    ["198.51.101.1", "cat", false, "refused"],
    ["198.51.101.1", "cat", true, "in"]
  ],
  "an account that does not exist is blocked alike": [
    ["198.51.102.1", "nobody", false, "refused"],
    ["198.51.102.2", "NOBODY", false, "refused"],
    ["198.51.102.3", "nobody", true, "refused"],
    ["198.51.102.4", "nobody", true, "blocked"]
  ],
  "a success resets the account's count, and only itself at the address": [
    ["198.51.103.1", "dan", false, "refused"],
    ["198.51.103.2", "dan", false, "refused"],
    ["198.51.103.3", "dan", true, "in"],
    ["198.51.103.4", "dan", false, "refused"],
    ["198.51.103.5", "dan", false, "refused"],
    ["198.51.103.6", "dan", true, "in"],
    ["198.51.103.7", "seven", false, "refused"],
    ["198.51.103.7", "eight", false, "refused"],
    ["198.51.103.7", "eve", true, "in"],
    ["198.51.103.7", "eve", true, "in"],
    ["198.51.103.7", "nine", false, "refused"],
    ["198.51.103.7", "eve", true, "blocked"]
  ]
}

describe.each(Object.entries(daemons))("failed sign-ins at %s", (_, daemon) => {
  layer(place, { excludeTestServices: true, timeout: 120_000 })((it) => {
    /** Repeats while the hash threads are busy, which is no decision. */
    const attempt = ([address, name, right]: readonly [string, string, boolean, ...ReadonlyArray<unknown>]) =>
      Effect.map(
        Effect.repeat(daemon.attempt(`${name}@example.org`, right ? password : "wrong horse battery", address), {
          while: ({ status }) => status === 503,
          times: 20
        }),
        ({ headers, status }): Outcome | number => {
          if (status === 429) assert.isAtLeast(Number(headers.get("retry-after")), 1)
          return status === daemon.in ? "in" : status === 401 ? "refused" : status === 429 ? "blocked" : status
        }
      )

    it.effect(
      "are counted by address and by account",
      () =>
        Effect.gen(function* () {
          yield* daemon.make
          for (const [name, attempts] of Object.entries(scenarios)) {
            const outcomes = yield* Effect.forEach(attempts, attempt)
            assert.deepStrictEqual(
              outcomes,
              attempts.map(([, , , outcome]) => outcome),
              name
            )
          }
        }),
      240_000
    )

    it.effect(
      "are counted before they are checked",
      () =>
        Effect.gen(function* () {
          const attempts = Array.from({ length: 12 }, (_, n) => ["203.0.113.9", `many${n}`, false] as const)
          const outcomes = yield* Effect.forEach(attempts, attempt, { concurrency: "unbounded" })
          assert.deepStrictEqual(outcomes.toSorted(), [
            ...Array.from({ length: 12 - max - 1 }, (): Outcome => "blocked"),
            ...Array.from({ length: max + 1 }, (): Outcome => "refused")
          ])
        }),
      240_000
    )
  })
})
