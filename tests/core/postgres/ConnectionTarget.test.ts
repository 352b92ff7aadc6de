import { createRequire } from "node:module"
import { parse, toPgPool, toSqlPg, toUrl } from "#core/postgres/ConnectionTarget.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { Reactivity } from "effect/reactivity"
import * as fc from "fast-check"

const ok = (url: string) => Result.getOrThrow(parse(url))
const plain = (url: string) => {
  const { password, ...rest } = ok(url)
  return { ...rest, password: password === undefined ? undefined : Redacted.value(password) }
}
const reason = (url: string) => {
  const result = parse(url)
  return Result.isFailure(result) ? result.failure.reason : "accepted"
}

describe("ConnectionTarget", () => {
  it("reads hosts, ports, logins and TLS modes", () => {
    assert.deepStrictEqual(plain("postgres://ann:p%40ss%2F@db.example:6432/box?sslmode=verify-full"), {
      host: "db.example",
      port: 6432,
      user: "ann",
      password: "p@ss/",
      database: "box",
      ssl: "verify-full"
    })
    assert.deepStrictEqual(plain("postgresql://ann@[::1]/box"), {
      host: "::1",
      port: 5432,
      user: "ann",
      password: undefined,
      database: "box",
      ssl: "disable"
    })
    assert.strictEqual(ok("postgres://ann@db/box?sslmode=require&application_name=x").ssl, "require")
  })

  it("reads every form of a socket's directory", () => {
    for (const url of [
      "postgres://ann@localhost/box?host=%2Frun%2Fmy%20pg&port=5433",
      "postgres://ann@/box?host=/run/my%20pg&port=5433",
      "postgres://ann@%2Frun%2Fmy%20pg:5433/box",
      "postgres:///?host=/run/my%20pg&port=5433&user=ann&dbname=box"
    ]) {
      assert.deepStrictEqual(
        plain(url),
        { host: "/run/my pg", port: 5433, user: "ann", password: undefined, database: "box", ssl: "disable" },
        url
      )
    }
  })

  it("refuses options that it cannot honour", () => {
    const refused: ReadonlyArray<readonly [string, string]> = [
      ["", "NotAUrl"],
      ["db", "NotAUrl"],
      ["postgres://ann@db:99999/box", "NotAUrl"],
      ["postgres://a%ZZ@db/box", "NotAUrl"],
      ["mysql://ann@db/box", "WrongScheme"],
      ["postgres://db/box", "UserMissing"],
      ["postgres://ann@db", "DatabaseMissing"],
      ["postgres://ann@/box?host=/run&port=0", "BadPort"],
      ["postgres://ann@/box?host=/run&port=x", "BadPort"],
      ["postgres://ann@db/box?sslmode=prefer", "BadSslMode"],
      ["postgres://ann@db/box?sslmode=", "BadSslMode"],
      ["postgres://ann@/box?host=/run&sslmode=require", "SslOnSocket"],
      ["postgres://ann@db/box?sslrootcert=/ca.pem", "UnsupportedParameter"],
      ["postgres://ann@db/box?channel_binding=require", "UnsupportedParameter"]
    ]
    for (const [url, expected] of refused) assert.strictEqual(reason(url), expected, url)
  })

  it("never shows the password", () => {
    const target = ok("postgres://ann:s3cret@db/box")
    assert.notInclude(JSON.stringify(target) + String(target.password), "s3cret")
    const bad = parse("postgres://ann:s3cret@db/box?sslmode=s3cret-mode")
    assert.isTrue(Result.isFailure(bad) && !bad.failure.message.includes("s3cret"))
  })

  it("turns TLS modes into checks", () => {
    const tls = (mode: string) => toSqlPg(ok(`postgres://ann@db/box?sslmode=${mode}`)).ssl
    assert.isFalse(tls("disable"))
    assert.deepStrictEqual(tls("require"), { rejectUnauthorized: false })
    assert.deepStrictEqual(tls("verify-full"), { rejectUnauthorized: true })
    const chainOnly = tls("verify-ca")
    assert.isTrue(
      typeof chainOnly === "object" &&
        chainOnly.rejectUnauthorized === true &&
        chainOnly.checkServerIdentity !== undefined
    )
    assert.strictEqual(toPgPool(ok("postgres://ann:pw@db/box")).password, "pw")
  })

  it("writes the URL that it reads", () => {
    // URL parsers treat a path of dots as directory navigation.
    const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((text) => !/^\.+$/.test(text))
    fc.assert(
      fc.property(
        word,
        fc.option(word, { nil: undefined }),
        word,
        fc.integer({ min: 1, max: 65_535 }),
        fc.oneof(
          fc.constantFrom("db.example", "10.0.0.1", "fe80::1"),
          word.map((name) => `/${name}`)
        ),
        (user, password, database, port, host) => {
          const target = {
            host,
            port,
            user,
            database,
            ssl: "disable" as const,
            password: password === undefined ? undefined : Redacted.make(password)
          }
          assert.deepStrictEqual(plain(toUrl(target)), { ...target, password })
        }
      )
    )
  })

  it("accepts any text without an exception", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true })), (text) => {
        parse(text)
        parse(`postgres://${text}`)
      })
    )
  })

  it.live("connects sql-pg and pg, from the target and from the URL", () =>
    Effect.gen(function* () {
      const { target, url } = yield* freshDatabase
      const names: Array<string> = []
      for (const config of [toSqlPg(target), toSqlPg(ok(url)), { url: Redacted.make(url) }]) {
        const sql = yield* PgClient.makeClient(config)
        const [row] = yield* sql<{ who: string }>`select current_user || '@' || current_database() as who`
        names.push(row?.who ?? "")
      }
      const pg = createRequire(createRequire(import.meta.url).resolve("pg-boss"))("pg") as PgLibrary
      for (const config of [toPgPool(target), { connectionString: url }]) {
        const client = new pg.Client(config)
        yield* Effect.promise(() => client.connect())
        const { rows } = yield* Effect.promise(() =>
          client.query("select current_user || '@' || current_database() as who")
        )
        yield* Effect.promise(() => client.end())
        names.push(rows[0]?.who ?? "")
      }
      assert.deepStrictEqual(new Set(names), new Set([`signalbox@${target.database}`]))
      assert.strictEqual(names.length, 5)
    }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
  )
})

/** The used part of package pg, which comes with pg-boss and has no types. */
interface PgLibrary {
  readonly Client: new (config: object) => {
    readonly connect: () => Promise<void>
    readonly end: () => Promise<void>
    readonly query: (text: string) => Promise<{ readonly rows: ReadonlyArray<{ readonly who: string }> }>
  }
}
