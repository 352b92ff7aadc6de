/**
 * A refused sign-in does not reveal whether an address is known: same bytes, same statements and hashes, same duration.
 * Also tests the limit per address.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Tracer } from "effect"
import { Bcrypt } from "#daemons/edge-auth/accounts/Bcrypt.ts"
import { signIn as signInWith } from "#daemons/edge-auth/sign-in/SignIn.ts"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { Refusals } from "#daemons/edge-auth/edge/Refusals.ts"
import { cheapCost, withCheapHashes } from "#support/edge/CheapHashes.ts"
import { frame } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"
import { hashSync } from "bcryptjs"
import { type Answer, ask, base, cookieOf, formCookie, password, Place, signIn } from "../Browser.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"
const window = 300
const limits = { window, max: 10 }

const suite = startSuite({
  daemons: [edgeAuth],
  env: { AUTH_COOKIE_DOMAIN: "example.org", SIGNALBOX_TRUSTED_PROXIES: "127.0.0.0/8" }
})
const place = Layer.effect(Place, suite)
const sql = Effect.map(Place, ({ sql }) => sql)
const hashed = hashSync(password, 12)

const kinds = ["unknown", "wrong", "pending", "blocked"] as const
type Kind = (typeof kinds)[number]
const email = "somebody@example.org"

/** Changes the account so that the sign-in fails for this reason. */
const make = Effect.fnUntraced(function* (kind: Kind, stored = hashed) {
  yield* Effect.flatMap(sql, (sql) => sql`delete from edge_auth.users where email = ${email}`)
  if (kind === "unknown") return
  const status = kind === "wrong" ? "active" : kind
  yield* Effect.flatMap(
    sql,
    (sql) =>
      sql`insert into edge_auth.users (email, name, password, status, role) values (${email}, 'S', ${stored}, ${status}, 'user')`
  )
})
/** Repeats while the server is overloaded (503), because such an answer is not a decision about the sign-in. */
const judged = <E, R>(asked: Effect.Effect<Answer, E, R>): Effect.Effect<Answer, E, R> =>
  Effect.repeat(asked, { while: ({ status }) => status === 503, times: 20 })

const typedFor = (kind: Kind) => (kind === "wrong" ? "wrong horse battery" : password)

describe("a sign-in that is refused", () => {
  layer(place, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect(
      "has the same bytes for every reason",
      () =>
        Effect.gen(function* () {
          const token = cookieOf(yield* ask("GET", "/login"), formCookie)!
          const said = new Array<unknown>()
          for (const kind of kinds) {
            yield* make(kind)
            const { headers, status, text } = yield* judged(
              ask("POST", "/login?rd=https%3A%2F%2Fapp.example.org%2Fx", {
                form: { form_token: token, email, password: typedFor(kind) },
                headers: { cookie: `${formCookie}=${token}`, "x-forwarded-for": "198.51.100.1" }
              })
            )
            said.push([status, text, [...headers].filter(([name]) => name !== "date")])
          }
          assert.strictEqual((said[0] as ReadonlyArray<unknown>)[0], 401)
          for (const one of said) assert.deepStrictEqual(one, said[0])
        }),
      120_000
    )

    it.effect(
      "runs the same statements and one hash comparison for every reason",
      () =>
        Effect.gen(function* () {
          const { database } = yield* Place
          const compared = new Array<unknown>()
          const bcrypt = Bcrypt.of({
            hash: () => Effect.die("nothing is hashed"),
            verify: (_, stored) =>
              Effect.sync(() => (compared.push(stored === undefined ? "nobody" : "somebody"), false))
          })
          const refusals = Refusals.of({ tell: () => Effect.void } as unknown as Refusals["Service"])
          const context = yield* frame({ target: database.target })
          const work = new Map<Kind, ReadonlyArray<unknown>>()
          for (const kind of kinds) {
            yield* make(kind)
            const done = new Array<unknown>()
            const tracer = Tracer.make({
              span: (options) => {
                const span = new Tracer.NativeSpan(options)
                const end = span.end.bind(span)
                span.end = (time, exit) => {
                  if (options.kind === "client")
                    done.push([...span.attributes].find(([name]) => /query|statement/.test(name))?.[1] ?? span.name)
                  end(time, exit)
                }
                return span
              }
            })
            const exit = yield* Effect.exit(
              signInWith(
                { email, password: typedFor(kind) },
                { ip: "198.51.100.2", userAgent: "" },
                { limits, ttl: 60 }
              ).pipe(
                Effect.provideService(Bcrypt, bcrypt),
                Effect.provideService(Refusals, refusals),
                Effect.provideContext(context),
                Effect.withTracer(tracer)
              ) as Effect.Effect<unknown, unknown>
            )
            assert.isTrue(Exit.isFailure(exit))
            work.set(kind, done)
          }
          assert.deepStrictEqual(compared, ["nobody", "somebody", "somebody", "somebody"])
          assert.isAbove(work.get("unknown")!.length, 3, JSON.stringify(work.get("unknown")))
          for (const kind of kinds) assert.deepStrictEqual(work.get(kind), work.get("unknown"), kind)
        }).pipe(Effect.scoped),
      120_000
    )

    it.effect(
      "takes the same time for every reason",
      () =>
        Effect.gen(function* () {
          const seen: Record<Kind, Array<number>> = { unknown: [], wrong: [], pending: [], blocked: [] }
          const token = cookieOf(yield* ask("GET", "/login"), formCookie)!
          let tries = 0
          for (const kind of kinds.slice(1)) {
            yield* Effect.flatMap(
              sql,
              (sql) =>
                sql`insert into edge_auth.users (email, name, password, status, role) values (${`${kind}@example.org`}, 'S', ${hashed}, ${kind === "wrong" ? "active" : kind}, 'user')`
            )
          }
          for (let round = 0; round < (long ? 60 : 3); round++) {
            for (let turn = 0; turn < kinds.length; turn++) {
              const kind = kinds[(turn + round) % kinds.length]!
              // Processor time of this process with its hashing threads, so that other load on the machine does not
              // count.
              const before = process.cpuUsage()
              const answer = yield* ask("POST", "/login", {
                form: { form_token: token, email: `${kind}@example.org`, password: typedFor(kind) },
                headers: {
                  cookie: `${formCookie}=${token}`,
                  "x-forwarded-for": `2001:db8:0:${(++tries).toString(16)}::1`
                }
              })
              const { system, user } = process.cpuUsage(before)
              assert.strictEqual(answer.status, 401)
              seen[kind].push(user + system)
            }
          }
          const medians = kinds.map((kind) => seen[kind].toSorted((a, b) => a - b)[Math.floor(seen[kind].length / 2)]!)
          const spread = Math.max(...medians) / Math.min(...medians)
          // Without the dummy hash for unknown accounts the ratio is about a hundred.
          assert.isBelow(
            spread,
            long ? 1.05 : 2,
            `${kinds.map((kind, index) => `${kind} ${medians[index]! / 1000} ms`).join(", ")}`
          )
        }),
      240_000
    )
  })
})

describe("failed sign-ins of an address", () => {
  layer(Layer.effect(Place, withCheapHashes(suite)), { excludeTestServices: true, timeout: 60_000 })((it) => {
    const status = Effect.fnUntraced(function* (address: string, right = false) {
      return yield* judged(signIn(right ? email : "nobody@example.org", right ? password : "x", { address }))
    })
    /** Inserts this many failures directly, without password hashes. */
    const failures = (key: string, count: number, age = 0) =>
      Effect.flatMap(
        sql,
        (sql) =>
          sql`insert into edge_auth.login_attempts (ip, attempted_at) select ${key}, now() - make_interval(secs => ${age}) from generate_series(1, ${count}::int)`
      )
    const blocked = ({ headers, status }: Answer) =>
      status === 429 && Number(headers.get("retry-after")) > 0 && Number(headers.get("retry-after")) <= window

    it.effect(
      "are limited to ten within five minutes; then even the correct password is refused",
      () =>
        Effect.gen(function* () {
          yield* make("wrong", hashSync(password, cheapCost))
          yield* failures("203.0.113.5", 10)
          assert.strictEqual((yield* status("203.0.113.5")).status, 401)
          const refused = yield* status("203.0.113.5", true)
          assert.isTrue(blocked(refused), String(refused.status))
          assert.isUndefined(cookieOf(refused, "__platform_auth"))
          // Other addresses are unaffected. An address below its limit can sign in, and a correct password does not
          // count as a failure.
          assert.strictEqual((yield* status("203.0.113.6", true)).status, 303)
          yield* failures("203.0.113.7", 10)
          for (let turn = 0; turn < 2; turn++) assert.strictEqual((yield* status("203.0.113.7", true)).status, 303)
        }),
      120_000
    )

    it.effect(
      "leave the window one by one",
      () =>
        Effect.gen(function* () {
          yield* failures("203.0.113.8", 10, 10)
          yield* failures("203.0.113.8", 1, window - 60)
          const refused = yield* status("203.0.113.8", true)
          assert.isTrue(blocked(refused))
          // The oldest failure expires in a minute, which ends the block.
          assert.isAtMost(Number(refused.headers.get("retry-after")), 60)
          yield* Effect.flatMap(
            sql,
            (sql) =>
              sql`update edge_auth.login_attempts set attempted_at = attempted_at - interval '60 seconds' where ip = '203.0.113.8'`
          )
          assert.strictEqual((yield* status("203.0.113.8", true)).status, 303)
        }),
      120_000
    )

    it.effect(
      "are counted per /64 of IPv6, and for IPv4-mapped addresses as IPv4",
      () =>
        Effect.gen(function* () {
          yield* failures("2001:db8:7:1::/64", 11)
          assert.isTrue(blocked(yield* status("2001:db8:7:1:aaaa:bbbb:cccc:dddd", true)))
          assert.strictEqual((yield* status("2001:db8:7:2::1", true)).status, 303)
          yield* failures("203.0.113.9", 11)
          for (const clothes of ["::ffff:203.0.113.9", "::ffff:cb00:7109", "203.0.113.9"])
            assert.isTrue(blocked(yield* status(clothes, true)), clothes)
        }),
      120_000
    )

    it.effect(
      "are counted for the address that the trusted proxy reports",
      () =>
        Effect.gen(function* () {
          yield* failures("203.0.113.10", 11)
          // The last address in the chain is the one that the proxy added.
          for (const chain of [
            "198.51.100.9, 203.0.113.10",
            "198.51.100.8,198.51.100.9 , 203.0.113.10",
            "unknown, 203.0.113.10",
            "203.0.113.10, 127.0.0.9"
          ])
            assert.isTrue(blocked(yield* status(chain, true)), chain)
          // A forged address in the chain does not count for its owner.
          for (const chain of ["203.0.113.10, 198.51.100.9", "203.0.113.10, 203.0.113.10, 198.51.100.9"])
            assert.strictEqual((yield* status(chain, true)).status, 303, chain)
        }),
      120_000
    )

    it.effect(
      "are counted before the password is checked",
      () =>
        Effect.gen(function* () {
          yield* failures("203.0.113.11", 8)
          const token = cookieOf(yield* ask("GET", "/login"), formCookie)!
          const at = ask("POST", "/login", {
            form: { form_token: token, email: "nobody@example.org", password: "x" },
            headers: { cookie: `${formCookie}=${token}`, "x-forwarded-for": "203.0.113.11", origin: base }
          })
          const statuses = (yield* Effect.all(
            Array.from({ length: 12 }, () => at),
            { concurrency: "unbounded" }
          ))
            .map((answer) => answer.status)
            .toSorted()
          assert.deepStrictEqual(statuses, [401, 401, 401, ...Array.from({ length: 9 }, () => 429)])
        }),
      120_000
    )
  })
})
