// A small service for the booted systemd. It uses protocols/systemd and needs the same permissions of the sandbox as
// the real program: its own Postgres, shared with further processes, machine code of V8, and loopback TCP. First
// argument: `plain`, `postgres`, or `postgres-once`, which ends after using Postgres. Signals: USR1 blocks the event
// loop, TERM stops in order.

import { PgConnection } from "@effect/sql-pg"
import { Deferred, Duration, Effect, Fiber, Option, Schedule } from "effect"
import { writeSync } from "node:fs"
import { createServer } from "node:net"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { isJournal, prefixLines } from "#protocols/systemd/JournalPrefix.ts"
import { SystemdNotify } from "#protocols/systemd/SystemdNotify.ts"

const say = (level: "Error" | "Info", text: string) =>
  writeSync(2, `${isJournal(2) ? prefixLines(level, text) : text}\n`)

/** Runs a parallel query, whose workers attach dynamic shared memory. */
const postgres = Effect.gen(function* () {
  const server = yield* start({ dataDir: process.env["SIGNALBOX_DATA_DIR"] ?? "", fsync: false })
  const connection = yield* PgConnection.make({
    host: server.socketDir,
    port: server.port,
    username: server.user,
    database: server.database
  })
  yield* connection.query("set debug_parallel_query = on")
  const result = yield* connection.query("select count(*)::int as n from pg_class")
  say(
    "Info",
    `${server.owner ? "started" : "adopted"} postmaster ${server.pid}, parallel query over ${(result.rows[0] as { n: number }).n} rows`
  )
})

const listen = (port: number) =>
  Effect.callback<void, Error>((resume) => {
    const server = createServer()
    server.once("error", (error) => resume(Effect.fail(error)))
    server.listen(port, "127.0.0.1", () => resume(Effect.void))
  })

const program = Effect.gen(function* () {
  const systemd = yield* SystemdNotify
  const stop = yield* Deferred.make<void>()
  process.on("SIGTERM", () => Effect.runSync(Deferred.succeed(stop, undefined)))
  process.on("SIGUSR1", () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))

  say(
    "Info",
    `uid ${process.getuid?.()} notify ${systemd.enabled} variable ${process.env["NOTIFY_SOCKET"]} interval ${Option.match(
      systemd.watchdogInterval,
      { onNone: () => "none", onSome: Duration.toMillis }
    )}`
  )
  if (process.env["STANDIN_PORT"] !== undefined) {
    yield* listen(Number(process.env["STANDIN_PORT"]))
    say("Info", "listening")
  }
  if (process.argv[2]?.startsWith("postgres") === true) yield* postgres
  if (process.argv[2] === "postgres-once") return
  if (Option.isSome(systemd.watchdogInterval)) {
    yield* Effect.forkChild(Effect.repeat(systemd.watchdog, Schedule.fixed(systemd.watchdogInterval.value)))
  }
  yield* systemd.status("serving\nREADY=0")
  yield* systemd.ready
  say("Error", "first line\nsecond line")
  yield* Deferred.await(stop)
  yield* systemd.stopping
})

const fiber = Effect.runFork(Effect.scoped(program).pipe(Effect.provide(SystemdNotify.layer)))
const exit = await Effect.runPromise(Fiber.await(fiber))
say(exit._tag === "Failure" ? "Error" : "Info", exit._tag === "Failure" ? String(exit.cause) : "stopped in order")
process.exit(exit._tag === "Success" ? 0 : 1)
