/**
 * Operator's commands on a host that runs the units: they read the same environment files, say what they speak to, and
 * leave nothing in the data directory that the daemons cannot read.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdirSync, lstatSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe } from "vitest"
import { ensureBuilt } from "#support/Executable.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"

beforeAll(ensureBuilt, 60_000)

const isRoot = process.getuid?.() === 0
const program = join(import.meta.dirname, "../../bin/signalbox")

/** A host: folder for environment files, and an empty folder from which commands run. */
const host = Effect.gen(function* () {
  const root = yield* temporaryDirectory("operator", "/tmp")
  chmodSync(root, 0o755)
  const [files, dataDir, elsewhere] = ["etc", "lib", "elsewhere"].map((name) => join(root, name)) as [
    string,
    string,
    string
  ]
  for (const folder of [files, elsewhere]) mkdirSync(folder)
  chmodSync(elsewhere, 0o777)
  mkdirSync(dataDir, { mode: 0o700 })
  const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}, as?: number) => {
    const { status, stderr, stdout } = spawnSync(program, args, {
      cwd: elsewhere,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", SIGNALBOX_ENV_DIR: files, ...env },
      ...(as === undefined ? {} : { uid: as, gid: as })
    })
    return { status, stderr, stdout }
  }
  const write = (name: string, ...lines: ReadonlyArray<string>) => {
    writeFileSync(join(files, name), `${lines.join("\n")}\n`)
    return join(files, name)
  }
  return { files, dataDir, elsewhere, run, write }
})

describe("the environment files of the units", () => {
  it.live(
    "name the database and the data directory of a command, unless the caller does",
    () =>
      Effect.gen(function* () {
        const { dataDir, elsewhere, run, write } = yield* host
        const [one, two] = [yield* freshDatabase, yield* freshDatabase]
        const common = write("signalbox.env", `DATABASE_URL="${one.url}"`, `SIGNALBOX_DATA_DIR=${dataDir}`)
        write("identity.env", "SIGNALBOX_JWT_TTL=seldom")
        const made = run(["token", "create", "--name", "here", "--scope", "platform", "--json"])
        assert.strictEqual(made.status, 0, made.stderr)
        assert.property(JSON.parse(made.stdout), "token")
        assert.include(
          made.stderr,
          `signalbox: database ${one.target.database} at ${one.target.host}, data directory ${dataDir}, by ${common} and `
        )
        const listed = (env: Record<string, string> = {}) => JSON.parse(run(["token", "list", "--json"], env).stdout)
        assert.lengthOf(listed(), 1)
        // The caller's own variable wins; nothing but the result is on standard output.
        assert.lengthOf(listed({ DATABASE_URL: two.url }), 0)
        // `check` sees every file, and says which.
        const check = run(["check", "--json"])
        assert.strictEqual(check.status, 78)
        assert.match(check.stdout, /"environment"[^]*identity\.env/)
        assert.match(check.stdout, /SIGNALBOX_JWT_TTL/)
        assert.deepStrictEqual(readdirSync(elsewhere), [])
      }),
    180_000
  )

  it.live(
    "of one daemon count for its commands only, and no file means the caller's environment alone",
    () =>
      Effect.gen(function* () {
        const { dataDir, elsewhere, files, run, write } = yield* host
        const [one, two] = [yield* freshDatabase, yield* freshDatabase]
        write("signalbox.env", `DATABASE_URL=${one.url}`, `SIGNALBOX_DATA_DIR=${dataDir}`)
        write("identity.env", `DATABASE_URL=${two.url}`)
        assert.include(run(["user", "list"]).stderr, `database ${two.target.database} at`)
        assert.include(run(["token", "list"]).stderr, `database ${one.target.database} at`)
        write("signalbox.env", `SIGNALBOX_DATA_DIR=${dataDir}`)
        const split = run(["token", "list"])
        assert.strictEqual(split.status, 78)
        assert.include(split.stderr, `DATABASE_URL is in ${files}/identity.env but not in ${files}/signalbox.env`)
        assert.include(
          run(["token", "list"], { SIGNALBOX_ENV_DIR: "", DATABASE_URL: one.url }).stderr,
          `${elsewhere}/var\n`
        )
      }),
    180_000
  )
})

describe.runIf(isRoot)("beside the user of the units", () => {
  /** A system account that owns nothing here. */
  const nobody = Number(execFileSync("id", ["-u", "nobody"], { encoding: "utf8" }))

  it.live(
    "an unreadable file is an error that says what to do, and no other database is used",
    () =>
      Effect.gen(function* () {
        const { dataDir, elsewhere, files, run, write } = yield* host
        const common = write("signalbox.env", `SIGNALBOX_DATA_DIR=${dataDir}`)
        chmodSync(common, 0o600)
        const stranger = run(["token", "list", "--json"], {}, nobody)
        assert.strictEqual(stranger.status, 78, stranger.stderr)
        assert.strictEqual(stranger.stdout, "")
        assert.match(stranger.stderr, /nobody cannot read .*signalbox\.env.*as root.*chgrp signalbox/)
        assert.isFalse(existsSync(join(elsewhere, "var")))
        // A closed folder hides whether there are files.
        chmodSync(files, 0o700)
        assert.match(run(["token", "list"], {}, nobody).stderr, /nobody cannot read /)
        // A member of the file's group reads it.
        chmodSync(files, 0o755)
        chownSync(common, 0, nobody)
        chmodSync(common, 0o640)
        assert.include(run(["token", "list"], {}, nobody).stderr, `no database in ${dataDir}, the data directory by `)
        assert.strictEqual(run(["--version"], {}, nobody).status, 0)
      }),
    180_000
  )

  it.live(
    "a command of root works as the owner of the data directory",
    () =>
      Effect.gen(function* () {
        const { dataDir, run, write } = yield* host
        write("signalbox.env", `SIGNALBOX_DATA_DIR=${dataDir}`, "SIGNALBOX_FSYNC=false")
        chownSync(dataDir, nobody, nobody)
        for (const command of [["migrate"], ["secrets", "rotate"]]) {
          const { status, stderr } = run(command)
          assert.strictEqual(status, 0, stderr)
        }
        const all = readdirSync(dataDir, { recursive: true }).map(String)
        assert.includeMembers(all, ["keys", "postgres/data/PG_VERSION"])
        assert.deepStrictEqual(
          all.filter((path) => lstatSync(join(dataDir, path)).uid !== nobody),
          []
        )
      }),
    180_000
  )
})
