/** The signer's directory, maintained by a complete mail-admin over a real database. */
import { expect, it } from "@effect/vitest"
import { Context, Effect, Inspectable, Layer, Logger, Redacted } from "effect"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import * as Secrets from "#core/config/Secrets.ts"
import { keysTopic, sealedDkimKeys } from "#daemons/mail-admin/domains/DkimKeys.ts"
import { until } from "#support/Frame.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { as, callsOf, mailServer, startAdmin } from "../../Admin.ts"

/** Starts a mail-admin with a key directory. Calls are those of tenant 7. */
const start = Effect.fnUntraced(function* (directory?: string) {
  const path = directory ?? (yield* temporaryDirectory())
  const suite = yield* startAdmin({ env: { ...mailServer, SIGNALBOX_DKIM_DIR: path } })
  const read = (name: string) => readFileSync(join(path, name), "utf8")
  /** Lines of the map; none before the daemon has written it. */
  const map = () =>
    (existsSync(join(path, "selectors.map")) ? read("selectors.map") : "")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
  const files = () => readdirSync(path).toSorted()
  return { suite, path, read, map, files, ...callsOf(suite, as(7)) }
})

const health = (suite: TestSuite) => Effect.map(suite.call("GET", "/health"), ({ json }) => json)
const component = (suite: TestSuite) => Effect.map(health(suite), ({ components }) => components.dkim_files)
const ring = ({ sql }: TestSuite) => sql`select pg_notify('signalbox', ${keysTopic})`

/** Private keys in the database, by `<domain>.<selector>`. */
const sealedKeys = Effect.fnUntraced(function* ({ env, sql }: TestSuite) {
  const secrets = Context.get(
    yield* Layer.build(Secrets.layer(join(env["SIGNALBOX_DATA_DIR"]!, "keys"))),
    Secrets.Secrets
  )
  const rows = yield* sql<{
    id: number
    name: string
    private_key: string
  }>`select k.id, d.domain || '.' || k.selector as name, k.private_key
    from mail_admin.dkim_key k join mail_admin.domain d on d.id = k.domain_id`
  const pems = yield* Effect.forEach(rows, ({ id, name, private_key }) =>
    Effect.map(
      secrets.open(private_key, Secrets.contextOf(sealedDkimKeys, String(id))),
      (pem) => [name, Redacted.value(pem)] as const
    )
  )
  return new Map(pems)
})

it.live("the files follow the keys through a rotation and the deletion of the domain", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { domain, files, map, path, post, read, remove, suite } = yield* start()
      writeFileSync(join(path, "note-of-the-operator"), "")
      const { id } = yield* domain("a.test")
      yield* domain("b.test")
      const key = (name: string) => join(path, `${name}.key`)
      yield* until(
        "both sign",
        Effect.sync(() => map().length === 2)
      )
      expect(map()).toEqual(["a.test mail", "b.test mail"])
      const sealed = yield* sealedKeys(suite)
      expect(read("a.test.mail.key")).toBe(sealed.get("a.test.mail"))
      expect(read("a.test.mail.key")).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
      for (const name of ["a.test.mail.key", "selectors.map"])
        expect(statSync(join(path, name)).mode & 0o7777).toBe(0o640)

      yield* post(`domains/${id}/dkim/rotate`)
      yield* until(
        "the next key is there",
        Effect.sync(() => files().includes("a.test.mail2.key"))
      )
      expect(map()).toEqual(["a.test mail", "b.test mail"])
      yield* post(`domains/${id}/dkim/mail2/activate`)
      yield* until(
        "the next key signs",
        Effect.sync(() => map().includes("a.test mail2"))
      )
      expect(files()).toContain("a.test.mail.key")
      expect(statSync(key("a.test.mail2")).mode & 0o7777).toBe(0o640)
      yield* post(`domains/${id}/dkim/rotate`)
      yield* until(
        "the retired key is gone",
        Effect.sync(() => !files().includes("a.test.mail.key"))
      )

      yield* remove(`domains/${id}`)
      yield* until(
        "the domain is gone",
        Effect.sync(() => files().length === 3)
      )
      expect(files()).toEqual(["b.test.mail.key", "note-of-the-operator", "selectors.map"])
      expect(map()).toEqual(["b.test mail"])
      // A new key with the same name.
      yield* domain("a.test")
      yield* until(
        "it signs again",
        Effect.sync(() => map().length === 2)
      )
      expect(read("a.test.mail.key")).toBe((yield* sealedKeys(suite)).get("a.test.mail"))
      expect(read("a.test.mail.key")).not.toBe(sealed.get("a.test.mail"))
      yield* until(
        "health counts both",
        Effect.map(component(suite), ({ keys }) => keys === 2)
      )
      expect(yield* component(suite)).toEqual({ status: "ok", keys: 2 })
    })
  )
)

it.live("manual changes are reverted, and drafts of killed processes are removed", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { domain, files, map, path, read, suite } = yield* start()
      for (const name of ["a.test", "b.test", "c.test"]) yield* domain(name)
      yield* until(
        "all sign",
        Effect.sync(() => map().length === 3)
      )
      const sealed = yield* sealedKeys(suite)
      const untouched = statSync(join(path, "c.test.mail.key"), { bigint: true })
      writeFileSync(join(path, "a.test.mail.key"), sealed.get("b.test.mail")!)
      chmodSync(join(path, "b.test.mail.key"), 0o644)
      writeFileSync(join(path, "selectors.map"), "a.test mail9\n")
      writeFileSync(join(path, "gone.test.mail.key"), "")
      for (const [draft, age] of [
        ["old", 3600],
        ["new", 0]
      ] as const) {
        const at = join(path, `.signalbox-draft-${draft}`)
        writeFileSync(at, "")
        utimesSync(at, Date.now() / 1000 - age, Date.now() / 1000 - age)
      }
      yield* ring(suite)
      yield* until(
        "all is as it was",
        Effect.sync(() => files().length === 5)
      )
      expect(files()).toEqual([
        ".signalbox-draft-new",
        "a.test.mail.key",
        "b.test.mail.key",
        "c.test.mail.key",
        "selectors.map"
      ])
      expect(read("a.test.mail.key")).toBe(sealed.get("a.test.mail"))
      expect(statSync(join(path, "b.test.mail.key")).mode & 0o7777).toBe(0o640)
      expect(map()).toEqual(["a.test mail", "b.test mail", "c.test mail"])
      expect(statSync(join(path, "c.test.mail.key"), { bigint: true }).mtimeNs).toBe(untouched.mtimeNs)
    })
  )
)

it.live("a second process verifies existing files and rewrites none", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { domain, map, path, suite } = yield* start()
      yield* domain("a.test")
      yield* until(
        "it signs",
        Effect.sync(() => map().length === 1)
      )
      const before = statSync(join(path, "a.test.mail.key"), { bigint: true })
      const second = yield* startAdmin({ env: suite.env, database: suite.database })
      yield* until(
        "it has looked",
        Effect.map(component(second), ({ status }) => status === "ok")
      )
      expect(statSync(join(path, "a.test.mail.key"), { bigint: true }).ino).toBe(before.ino)
    })
  )
)

it.live(
  "a missing directory is reported, and filled as soon as it exists",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const path = join(yield* temporaryDirectory(), "not-yet")
        const { domain, map, suite } = yield* start(path)
        yield* domain("a.test")
        const detail = `SIGNALBOX_DKIM_DIR (${path}) is not an existing directory (ENOENT): create it as in config/rspamd/README.md`
        yield* until(
          "it is told",
          Effect.map(component(suite), (told) => told.detail === detail)
        )
        const { actors, status } = yield* health(suite)
        expect(status).toBe("degraded")
        const actor = actors.find((one: any) => one.name === "dkim files")
        expect([actor.placed, actor.last_failure.message]).toEqual([false, detail])
        mkdirSync(path)
        yield* until(
          "it is filled",
          Effect.map(component(suite), (told) => told.status === "ok"),
          20
        )
        expect(map()).toEqual(["a.test mail"])
        // A file in place of the directory.
        rmSync(path, { recursive: true })
        writeFileSync(path, "")
        yield* ring(suite)
        yield* until(
          "that is told, too",
          Effect.map(component(suite), (told) => /ENOTDIR/.test(told.detail)),
          20
        )
      })
    ),
  120_000
)

it.live.skipIf(process.getuid?.() !== 0)("files have the directory's group, also without its setgid bit", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const path = yield* temporaryDirectory()
      chownSync(path, 0, 12_345)
      const { domain, map, suite } = yield* start(path)
      yield* domain("a.test")
      yield* until(
        "it signs",
        Effect.sync(() => map().length === 1)
      )
      const groups = () => ["a.test.mail.key", "selectors.map"].map((name) => statSync(join(path, name)).gid)
      expect(groups()).toEqual([12_345, 12_345])
      // A new signer: the directory gets a different group.
      chownSync(path, 0, 12_346)
      yield* ring(suite)
      yield* until(
        "the files follow",
        Effect.sync(() => groups().every((gid) => gid === 12_346))
      )
    })
  )
)

it.live(
  "an unreadable key does not block others, and the previous key keeps signing",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { domain, files, map, path, post, suite } = yield* start()
        const { id } = yield* domain("a.test")
        yield* until(
          "it signs",
          Effect.sync(() => map().length === 1)
        )
        yield* post(`domains/${id}/dkim/rotate`)
        yield* until(
          "the next key is there",
          Effect.sync(() => files().includes("a.test.mail2.key"))
        )
        yield* suite.sql`update mail_admin.dkim_key set private_key = (select private_key from mail_admin.dkim_key where selector = 'mail') where selector = 'mail2'`
        rmSync(join(path, "a.test.mail2.key"))
        yield* post(`domains/${id}/dkim/mail2/activate`)
        yield* domain("b.test")
        yield* until(
          "the other signs",
          Effect.sync(() => map().includes("b.test mail")),
          20
        )
        expect(map()).toEqual(["a.test mail", "b.test mail"])
        const detail =
          "1 DKIM keys cannot be opened; the first is mail2 of a.test, the envelope belongs to another record or was changed"
        yield* until(
          "the unreadable key is told",
          Effect.map(component(suite), (told) => told.detail === detail)
        )
      })
    ),
  120_000
)

it.live("keys are not logged, and without the setting there is no file and no actor", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const lines: Array<string> = []
      const keep = Logger.make<unknown, void>(
        ({ cause, message }) => void lines.push(Inspectable.toStringUnknown([message, cause]))
      )
      const value = yield* Effect.scoped(
        Effect.gen(function* () {
          const { domain, map, path, suite } = yield* start()
          yield* domain("a.test")
          yield* until(
            "it signs",
            Effect.sync(() => map().length === 1)
          )
          const keys = [...(yield* sealedKeys(suite)).values()]
          rmSync(path, { recursive: true })
          yield* ring(suite)
          yield* until(
            "a failure is told",
            Effect.map(component(suite), ({ status }) => status === "degraded")
          )
          return keys
        })
      ).pipe(Effect.provide(Logger.layer([keep])))
      const text = lines.join("\n")
      expect(value).toHaveLength(1)
      expect(text).toContain("SIGNALBOX_DKIM_DIR")
      for (const pem of value)
        for (const line of pem.split("\n").filter((line) => line.length > 20)) expect(text).not.toContain(line)
      const suite = yield* startAdmin()
      yield* callsOf(suite, as(7)).domain("a.test")
      const { actors, components, status } = yield* health(suite)
      expect([components.dkim_files.status, status]).toEqual(["unconfigured", "ok"])
      expect(actors.map(({ name }: any) => name)).not.toContain("dkim files")
    })
  )
)
