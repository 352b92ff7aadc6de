import { PgClient } from "@effect/sql-pg"
import { afterAll } from "vitest"
import { expect, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { execFileSync, spawn } from "node:child_process"
import { createSocket } from "node:dgram"
import { lookup } from "node:dns"
import { existsSync, readFileSync, statSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { get, request } from "node:http"
import * as https from "node:https"
import { createRequire } from "node:module"
import { connect, type Socket } from "node:net"
import { Duplex } from "node:stream"
import * as IoGuard from "#core/sql/IoGuard.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { freshDatabase } from "#support/Postgres.ts"

const inTransaction = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const { target } = yield* freshDatabase
    return yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`select 1`
      const before = IoGuard.takeViolations()
      expect(before).toEqual([])
      const exit = yield* Effect.exit(sql.withTransaction(Effect.andThen(sql`select 1`, effect)))
      return { exit, seen: IoGuard.takeViolations().map((violation) => violation.attempt) }
    }).pipe(Effect.provide(PgClient.layer(toSqlPg(target))))
  })

const datagrams = createSocket("udp4").unref()
afterAll(() => void datagrams.close())

const attempts: ReadonlyArray<readonly [string, string, () => unknown]> = [
  ["reading a file at once", "fs.readFileSync", () => readFileSync("/etc/hostname")],
  ["looking for a file", "fs.existsSync", () => existsSync("/etc/hostname")],
  ["asking for a file's size", "fs.statSync", () => statSync("/etc/hostname")],
  ["reading a file by a promise", "fs/promises.readFile", () => readFile("/etc/hostname")],
  ["connecting", "connect to 127.0.0.1:9", () => connect(9, "127.0.0.1")],
  ["connecting by options", "connect to 127.0.0.1:9", () => connect({ host: "127.0.0.1", port: 9 })],
  ["a request over HTTP", "http.request", () => request("http://127.0.0.1:9/")],
  ["a request of GET", "http.get", () => get("http://127.0.0.1:9/")],
  ["a request over HTTPS", "https.request", () => https.request("https://127.0.0.1:9/")],
  ["a request of GET over HTTPS", "https.get", () => https.get("https://127.0.0.1:9/")],
  ["fetch", "global.fetch", () => fetch("http://127.0.0.1:9/")],
  ["a datagram", "dgram.send", () => datagrams.send("x", 9, "127.0.0.1")],
  ["a name's address", "dns.lookup", () => lookup("localhost", () => {})],
  ["a child", "child_process.spawn", () => spawn("true")],
  ["a child, waiting", "child_process.execFileSync", () => execFileSync("true")]
]

it.effect.each(attempts)("refuses %s inside a transaction", ([, attempt, act]) =>
  Effect.gen(function* () {
    const { exit, seen } = yield* inTransaction(Effect.sync(act))
    expect(seen).toEqual([attempt])
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBeInstanceOf(IoGuard.IoInTransaction)
  })
)

it.effect("remembers an attempt whose exception was caught", () =>
  Effect.gen(function* () {
    const { exit, seen } = yield* inTransaction(
      Effect.ignore(Effect.try({ try: () => readFileSync("/etc/hostname"), catch: () => "cannot read" }))
    )
    expect(Exit.isSuccess(exit)).toBe(true)
    expect(seen).toEqual(["fs.readFileSync"])
  })
)

it.effect("refuses writes to a connection that was already open", () =>
  Effect.gen(function* () {
    const { createServer } = yield* Effect.promise(() => import("node:net"))
    const server = createServer((accepted) => accepted.resume())
    yield* Effect.promise(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)))
    const address = server.address()
    const socket = connect((address as { port: number }).port, "127.0.0.1")
    yield* Effect.promise(() => new Promise<void>((done) => socket.once("connect", done)))
    const { seen } = yield* inTransaction(Effect.sync(() => socket.write("x")))
    socket.destroy()
    server.close()
    expect(seen).toEqual(["write to a socket"])
  })
)

it.effect("allows statements, logging, module loading and in-memory streams", () =>
  Effect.gen(function* () {
    const require = createRequire(import.meta.url)
    const { exit, seen } = yield* inTransaction(
      Effect.gen(function* () {
        yield* Effect.log("inside")
        process.stderr.write("")
        // A module that this test has not loaded before.
        require("ipaddr.js")
        new Duplex({
          read() {},
          write(_chunk, _encoding, done) {
            done()
          }
        }).write("x")
      })
    )
    expect(exit).toEqual(Exit.void)
    expect(seen).toEqual([])
  })
)

it("allows the same calls outside a transaction", () => {
  expect(readFileSync("/etc/hostname").byteLength).toBeGreaterThan(0)
  const socket: Socket = connect(9, "127.0.0.1")
  socket.on("error", () => {})
  socket.destroy()
  expect(IoGuard.takeViolations()).toEqual([])
})
