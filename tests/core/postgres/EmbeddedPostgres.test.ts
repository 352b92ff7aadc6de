import { execFileSync, spawn } from "node:child_process"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { firstClosed } from "#core/postgres/ServerAccount.ts"
import { layoutOf } from "#core/postgres/ServerLayout.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { databaseDirectory, prepareCluster, preparedDirectory } from "#support/PreparedCluster.ts"
import { eventually, processesIn } from "#support/Processes.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { dataOf, holder, noServer, query } from "./EmbeddedServers.ts"

const asRoot = process.getuid?.() === 0
const nobody = 65_534

/**
 * First byte of the server's answer to a login as this uid, with the capability to enter closed directories: R accepts,
 * E refuses. PostgreSQL protocol 3.0.
 */
const knock = (socketDir: string, role: string, uid: number): string => {
  const script = `const body = Buffer.from("\\0\\x03\\0\\0user\\0${role}\\0database\\0signalbox\\0\\0", "latin1")
    const length = Buffer.alloc(4); length.writeInt32BE(body.length + 4)
    const socket = require("net").connect("${socketDir}/.s.PGSQL.5432", () => socket.write(Buffer.concat([length, body])))
    socket.once("data", (data) => { process.stdout.write(data.subarray(0, 1)); socket.destroy() })`
  const caps = ["--securebits", "+no_setuid_fixup", "--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
  return execFileSync(
    "setpriv",
    ["--reuid", String(uid), "--clear-groups", "--regid", String(uid), ...caps, process.execPath, "-e", script],
    { encoding: "utf8", timeout: 10_000 }
  )
}

// Each test starts several processes.
describe("EmbeddedPostgres", { timeout: 120_000 }, () => {
  it.live("starts on an empty directory within seconds, durable, on a socket only, and stops with the scope", () =>
    Effect.gen(function* () {
      const dataDir = join(yield* temporaryDirectory(), "new")
      const began = performance.now()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* start({ dataDir })
          const bare = performance.now() - began
          assert.isTrue(server.owner)
          const row = yield* query(
            server,
            `select current_setting('fsync') || current_setting('synchronous_commit') as durable,
          current_setting('listen_addresses') as tcp, current_setting('max_connections') as connections, pg_encoding_to_char(encoding) as encoding,
          (select string_agg(rolname || rolsuper || rolbypassrls || rolcreaterole || rolcanlogin, ' ' order by rolname) from pg_roles where rolname like 'signalbox%') as roles
          from pg_database where datname = current_database()`
          )
          assert.deepStrictEqual(
            { ...row },
            {
              durable: "onon",
              tcp: "",
              connections: "200",
              encoding: "UTF8",
              roles: "signalboxfalsefalsefalsetrue signalbox_tenantfalsefalsefalsefalse"
            }
          )
          yield* query(server, "create schema mail_watcher")
          yield* query(server, "set role signalbox_tenant")
          // Ctrl-C reaches the foreground process group of our session. The server must be in a different session.
          const session = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ")[1]?.split(" ")[3]
          assert.strictEqual(session, String(server.pid))
          // Below one second on an idle machine; the limit leaves room for a loaded one.
          assert.isBelow(bare, 20_000)
          process.stdout.write(`embedded Postgres: initdb and start ${Math.round(bare)} ms`)
        })
      )
      assert.deepStrictEqual(processesIn(dataOf(dataDir)), [])
      const again = performance.now()
      yield* Effect.scoped(start({ dataDir }))
      process.stdout.write(`, start and stop again ${Math.round(performance.now() - again)} ms\n`)
    })
  )

  it.live("ends with a killed parent, and starts without help after SIGKILL of all processes", () =>
    Effect.gen(function* () {
      const dataDir = yield* preparedDirectory()
      const first = yield* holder(dataDir)
      const server = yield* first.said
      yield* query(layoutOf(dataDir), "create table kept as select 42 as n")
      yield* first.kill("SIGKILL")
      yield* noServer(dataDir)

      const second = yield* holder(dataDir)
      assert.notStrictEqual((yield* second.said).pid, server.pid)
      yield* query(layoutOf(dataDir), "insert into kept values (43)")
      yield* query(layoutOf(dataDir), "checkpoint", "postgres")
      for (const pid of processesIn(dataOf(dataDir))) {
        try {
          process.kill(pid, "SIGKILL")
        } catch (error) {
          // A process that served a connection may have ended in the meantime.
          if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
        }
      }
      yield* second.kill("SIGKILL")
      yield* noServer(dataDir)
      assert.isTrue(existsSync(join(dataOf(dataDir), "postmaster.pid")))

      // Simulates a power cut: the ids in the lock files now belong to an unrelated living process of the server's
      // user.
      const { gid, uid } = statSync(dataOf(dataDir))
      const user = asRoot ? ["--reuid", String(uid), "--regid", String(gid), "--clear-groups"] : []
      const stranger = yield* Effect.acquireRelease(
        Effect.sync(() => spawn("setpriv", [...user, "sleep", "60"], { stdio: "ignore", cwd: "/" })),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      for (const lock of [
        join(dataOf(dataDir), "postmaster.pid"),
        join(layoutOf(realpathSync(dataDir)).socketDir, ".s.PGSQL.5432.lock")
      ]) {
        writeFileSync(lock, readFileSync(lock, "utf8").replace(/^\d+/, String(stranger.pid)))
      }
      yield* eventually("the stranger runs", () => readFileSync(`/proc/${stranger.pid}/comm`, "utf8") === "sleep\n")
      const third = yield* start({ dataDir, fsync: false })
      assert.deepStrictEqual({ ...(yield* query(third, "select sum(n)::int as total from kept")) }, { total: 85 })
    }).pipe(Effect.scoped)
  )

  it.live("makes nothing in the place of a cluster that must exist and is gone", () =>
    Effect.gen(function* () {
      const parent = yield* temporaryDirectory()
      mkdirSync(join(parent, "emptied/postgres/run"), { recursive: true })
      for (const name of ["removed", "emptied"]) {
        const before = readdirSync(parent, { recursive: true }).toSorted()
        const error = yield* Effect.flip(
          Effect.scoped(start({ dataDir: join(parent, name), fsync: false, existing: true }))
        )
        assert.strictEqual(error.reason, "DataDirectoryGone")
        assert.isFalse(error.isRetryable)
        assert.deepStrictEqual(readdirSync(parent, { recursive: true }).toSorted(), before)
      }
    }).pipe(Effect.scoped)
  )

  it.live("starts despite incomplete lock files of a killed process", () =>
    Effect.gen(function* () {
      const dataDir = yield* preparedDirectory()
      yield* Effect.scoped(start({ dataDir, fsync: false }))
      for (const lock of [
        join(dataOf(dataDir), "postmaster.pid"),
        join(layoutOf(realpathSync(dataDir)).socketDir, ".s.PGSQL.5432.lock")
      ]) {
        writeFileSync(lock, "")
        const server = yield* Effect.scoped(start({ dataDir, fsync: false }))
        assert.isTrue(server.owner)
      }
    })
  )

  it.live("one of two parallel starts wins; the other adopts the server and does not stop it", () =>
    Effect.gen(function* () {
      const dataDir = yield* databaseDirectory()
      const both = [yield* holder(dataDir), yield* holder(dataDir)]
      const said = yield* Effect.all(
        both.map((each) => each.said),
        { concurrency: 2 }
      )
      assert.deepStrictEqual(said.map(({ owner }) => owner).toSorted(), [false, true])
      assert.strictEqual(said[0]?.pid, said[1]?.pid)
      const adopter = said[0]?.owner ? both[1] : both[0]
      yield* adopter?.kill("SIGTERM") ?? Effect.void
      const adopted = yield* Effect.scoped(start({ dataDir }))
      assert.isFalse(adopted.owner)
      assert.strictEqual((yield* query(adopted, "select 1 as one"))?.["one"], 1)
      yield* (said[0]?.owner ? both[0] : both[1])?.kill("SIGTERM") ?? Effect.void
      assert.deepStrictEqual(processesIn(dataOf(dataDir)), [])
    }).pipe(Effect.scoped)
  )

  it.live("uses a short socket directory for a long data directory, and none of another user", () =>
    Effect.gen(function* () {
      const dataDir = join(yield* databaseDirectory(), "d".repeat(120))
      mkdirSync(dataDir)
      yield* prepareCluster(dataDir)
      const { socketDir } = layoutOf(realpathSync(dataDir))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(socketDir, { recursive: true, force: true })))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* start({ dataDir, fsync: false })
          assert.strictEqual(server.socketDir, socketDir)
          assert.strictEqual(statSync(socketDir).mode & 0o777, 0o700)
          assert.strictEqual((yield* query(server, "select 1 as one"))?.["one"], 1)
        })
      )
      if (!asRoot) return
      chownSync(socketDir, 12_345, 12_345)
      const error = yield* Effect.flip(Effect.scoped(start({ dataDir, fsync: false })))
      assert.strictEqual(error.reason, "SocketDirectoryTaken")
      assert.include(error.message, socketDir)
    }).pipe(Effect.scoped)
  )

  it.live("reports the server's message and the remedy when it cannot start", () =>
    Effect.gen(function* () {
      const dataDir = yield* preparedDirectory()
      yield* Effect.scoped(start({ dataDir, fsync: false }))
      rmSync(join(dataOf(dataDir), "global", "pg_control"))
      const broken = yield* Effect.flip(Effect.scoped(start({ dataDir, fsync: false })))
      assert.strictEqual(broken.reason, "StartFailed")
      assert.include(broken.message, "pg_control")
      assert.deepStrictEqual(processesIn(dataOf(dataDir)), [])
      writeFileSync(join(dataOf(dataDir), "PG_VERSION"), "9\n")
      const foreign = yield* Effect.flip(Effect.scoped(start({ dataDir, fsync: false })))
      assert.strictEqual(foreign.reason, "VersionMismatch")
      assert.isFalse(foreign.isRetryable)
    }).pipe(Effect.scoped)
  )

  it.live("starts while a query of a killed server still runs", () =>
    Effect.gen(function* () {
      const dataDir = yield* preparedDirectory()
      const first = yield* holder(dataDir)
      const { pid } = yield* first.said
      const busy = "do $$ begin for i in 1..2000000000 loop end loop; end $$"
      yield* Effect.forkScoped(Effect.exit(query(layoutOf(dataDir), busy)))
      yield* Effect.gen(function* () {
        while (
          (yield* query(
            layoutOf(dataDir),
            `select count(*)::int as n from pg_stat_activity where state = 'active' and query like 'do %'`
          ))?.["n"] !== 1
        ) {
          yield* Effect.sleep(20)
        }
      }).pipe(Effect.timeout("30 seconds"))
      process.kill(pid, "SIGKILL")
      yield* first.kill("SIGKILL")
      yield* eventually("only the busy one is left", () => processesIn(dataOf(dataDir)).length === 1, 30)
      const began = performance.now()
      const second = yield* start({ dataDir, fsync: false })
      // Less than the query takes.
      assert.isBelow(performance.now() - began, 20_000)
      assert.strictEqual((yield* query(second, "select 1 as one"))?.["one"], 1)
    }).pipe(Effect.scoped)
  )

  it.live("stops a server with an open transaction", () =>
    Effect.gen(function* () {
      const dataDir = yield* preparedDirectory()
      const scope = yield* Scope.make()
      const server = yield* Scope.provide(start({ dataDir, fsync: false }), scope)
      yield* Effect.forkScoped(Effect.exit(query(server, "select pg_sleep(60)")))
      yield* Effect.sleep(100)
      const began = performance.now()
      yield* Scope.close(scope, Exit.void)
      // Less than the transaction takes.
      assert.isBelow(performance.now() - began, 20_000)
      assert.deepStrictEqual(processesIn(dataOf(dataDir)), [])
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!asRoot)("works for root below open and closed directories, with a separate user", () =>
    Effect.gen(function* () {
      for (const mode of [0o755, 0o700]) {
        const parent = yield* databaseDirectory()
        chmodSync(parent, mode)
        const server = yield* start({ dataDir: join(parent, "data"), fsync: false })
        const status = readFileSync(`/proc/${server.pid}/status`, "utf8")
        const [, uid, held] = /^Uid:\s+(\d+)[\s\S]*^CapEff:\s+(\w+)/m.exec(status) ?? []
        assert.notStrictEqual(uid, "0")
        // CAP_DAC_READ_SEARCH is bit 2. The server has it only where it needs it.
        const repository = firstClosed(process.cwd(), { name: "", uid: Number(uid), gid: -1 })
        if (repository === undefined) assert.strictEqual(Number.parseInt(held ?? "", 16), mode === 0o700 ? 4 : 0)
        assert.strictEqual((yield* query(server, "select 1 as one"))?.["one"], 1)
      }
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!asRoot)("names the closed directory for root without the capability", () =>
    Effect.gen(function* () {
      const parent = yield* databaseDirectory()
      const said = yield* (yield* holder(join(parent, "data"), "start", [
        "setpriv",
        "--bounding-set",
        "-dac_read_search",
        "--"
      ])).said
      assert.strictEqual(said.error, "DirectoryUnreachable")
      assert.include(said.message, `chmod o+x ${parent}`)
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!asRoot)("runs as an ordinary user; only this user and root may connect", () =>
    Effect.gen(function* () {
      const dataDir = yield* databaseDirectory()
      chownSync(dataDir, nobody, nobody)
      const account = { name: "nobody", uid: nobody, gid: nobody }
      const closed = firstClosed(process.cwd(), account) ?? firstClosed(process.execPath, account)
      const words = [
        "setpriv",
        "--reuid",
        String(nobody),
        "--regid",
        String(nobody),
        "--clear-groups",
        ...(closed === undefined ? [] : ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]),
        "--"
      ]
      const user = yield* holder(dataDir, "start", words)
      const { owner, pid } = yield* user.said
      assert.isTrue(owner)
      assert.strictEqual(statSync(`/proc/${pid}`).uid, nobody)
      const adopted = yield* start({ dataDir })
      assert.isFalse(adopted.owner)
      assert.strictEqual((yield* query(adopted, "select 1 as one"))?.["one"], 1)
      for (const role of ["signalbox", "postgres"]) {
        assert.strictEqual(knock(adopted.socketDir, role, nobody), "R")
        assert.strictEqual(knock(adopted.socketDir, role, 1), "E")
      }
      yield* user.kill("SIGKILL")
      yield* noServer(dataDir)
    }).pipe(Effect.scoped)
  )
})
