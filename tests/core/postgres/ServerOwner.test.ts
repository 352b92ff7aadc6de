/** The account of the server when root starts it, and clusters of earlier versions that get this account. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, spawn } from "node:child_process"
import {
  chmodSync,
  chownSync,
  lchownSync,
  linkSync,
  lstatSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { type EmbeddedServer, start } from "#core/postgres/EmbeddedPostgres.ts"
import { ownAccountName, parsePasswd } from "#core/postgres/ServerAccount.ts"
import { databaseDirectory, preparedDirectory } from "#support/PreparedCluster.ts"
import { eventually } from "#support/Processes.ts"

const nobody = 65_534

const accounts = () => parsePasswd(execFileSync("getent", ["passwd"], { encoding: "utf8" }))
const nameOf = (uid: number) => accounts().find((account) => account.uid === uid)?.name
const runsAs = ({ pid }: EmbeddedServer) => nameOf(statSync(`/proc/${pid}`).uid)

const query = (server: { readonly socketDir: string }, text: string) =>
  withClient(socketTarget(server.socketDir, "signalbox", "signalbox"), (sql) =>
    sql.unsafe<Record<string, unknown>>(text)
  )

/** Everything in a folder, itself included. */
const entries = (folder: string): ReadonlyArray<string> => [
  folder,
  ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))
]

/** Names of the accounts that own something in the folder. */
const ownersOf = (folder: string) => [...new Set(entries(folder).map((path) => lstatSync(path).uid))].map(nameOf)

/** A cluster with one row that an earlier version has run as `nobody`. */
const earlier = Effect.gen(function* () {
  const dataDir = realpathSync(yield* preparedDirectory())
  const layout = yield* Effect.scoped(
    Effect.gen(function* () {
      const server = yield* start({ dataDir, fsync: false })
      yield* query(server, "create table kept as select 42 as n")
      return server.layout
    })
  )
  for (const path of [...entries(layout.data), ...entries(layout.socketDir)]) lchownSync(path, nobody, nobody)
  return { layout, started: start({ dataDir, fsync: false }) }
})

const kept = (server: EmbeddedServer) => Effect.map(query(server, "select n from kept"), ([row]) => row?.["n"])

describe.skipIf(process.getuid?.() !== 0)("the server of root", () => {
  it.live(
    "runs under an account of its own",
    () =>
      Effect.gen(function* () {
        const server = yield* start({ dataDir: yield* databaseDirectory(), fsync: false })
        assert.strictEqual(runsAs(server), ownAccountName)
        assert.deepStrictEqual(ownersOf(server.layout.data), [ownAccountName])
        const uid = statSync(`/proc/${server.pid}`).uid
        assert.strictEqual(accounts().filter((account) => account.uid === uid).length, 1)
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "gets the files of an earlier version once, with their data",
    () =>
      Effect.gen(function* () {
        const { layout, started } = yield* earlier
        for (const round of [1, 2]) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const server = yield* started
              assert.strictEqual(runsAs(server), ownAccountName, `round ${round}`)
              assert.strictEqual(yield* kept(server), 42)
              assert.deepStrictEqual(
                [...ownersOf(layout.data), ...ownersOf(layout.socketDir)],
                [ownAccountName, ownAccountName]
              )
            })
          )
        }
      }),
    120_000
  )

  it.live(
    "continues a move that was killed",
    () =>
      Effect.gen(function* () {
        const { layout, started } = yield* earlier
        const own = accounts().find(({ name }) => name === ownAccountName)!
        chownSync(layout.data, 0, 0)
        chmodSync(layout.data, 0o700)
        for (const path of entries(join(layout.data, "base"))) lchownSync(path, own.uid, own.gid)
        const server = yield* started
        assert.strictEqual(yield* kept(server), 42)
        assert.deepStrictEqual(ownersOf(layout.data), [ownAccountName])
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "waits with the move while a process of a killed server uses the files",
    () =>
      Effect.gen(function* () {
        const { layout, started } = yield* earlier
        const left = yield* Effect.acquireRelease(
          Effect.sync(() => spawn("sleep", ["600"], { cwd: layout.data, stdio: "ignore" })),
          (child) => Effect.sync(() => child.kill("SIGKILL"))
        )
        yield* eventually("it runs", () => left.pid !== undefined)
        yield* Effect.scoped(Effect.map(started, (server) => assert.strictEqual(runsAs(server), "nobody")))
        left.kill("SIGKILL")
        yield* eventually("it is gone", () => left.exitCode !== null || left.signalCode !== null)
        yield* Effect.scoped(Effect.map(started, (server) => assert.strictEqual(runsAs(server), ownAccountName)))
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "gives no file away that has a name elsewhere, too",
    () =>
      Effect.gen(function* () {
        const { layout, started } = yield* earlier
        const target = join(layout.root, "secret")
        writeFileSync(target, "of root", { mode: 0o600 })
        linkSync(target, join(layout.data, "base", "planted"))
        const error = yield* Effect.flip(Effect.scoped(started))
        assert.include(error.message, "planted has another name")
        assert.strictEqual(statSync(target).uid, 0)
      }),
    120_000
  )
})
