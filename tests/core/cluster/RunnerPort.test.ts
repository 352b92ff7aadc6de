/** The cluster port as a stranger sees it, and as processes of the fleet use it. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Option, type Scope } from "effect"
import { RunnerAddress } from "effect/cluster"
import { RpcServer } from "effect/rpc"
import { SocketServer } from "effect/socket"
import { SqlClient } from "effect/sql"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import { dial } from "#core/cluster/RunnerDialer.ts"
import * as RunnerFrames from "#core/cluster/RunnerFrames.ts"
import * as RunnerListener from "#core/cluster/RunnerListener.ts"
import { newKey } from "#core/cluster/RunnerTls.ts"
import { frame, until } from "#support/Frame.ts"
import { migratedDatabase } from "#support/Postgres.ts"

/** A cluster port, with or without a process that serves its connections. */
const port = Effect.fnUntraced(function* (limits: Partial<RunnerListener.RunnerLimits> = {}, served = false) {
  const key = newKey()
  const { address, server } = yield* RunnerListener.make({ host: "127.0.0.1", port: 0, key, limits })
  if (served) {
    yield* RpcServer.makeProtocolSocketServer.pipe(
      Effect.provideService(SocketServer.SocketServer, server),
      Effect.provide(RunnerFrames.layer)
    )
  }
  const member = (own: Uint8Array | undefined = key) =>
    Effect.map(
      dial(address, () => Effect.succeed(Option.fromUndefinedOr(own))),
      watched
    )
  return { port: address.port, key, member }
})

const watched = <S extends Socket | TLSSocket>(socket: S) => {
  let isClosed = false
  socket.on("error", () => undefined)
  socket.once("close", () => (isClosed = true))
  socket.resume()
  return { socket, isClosed: () => isClosed }
}

const stranger = (to: number): Effect.Effect<ReturnType<typeof watched<Socket>>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof watched<Socket>>>((resume) => {
      const one = watched(connect(to, "127.0.0.1"))
      one.socket.once("connect", () => resume(Effect.succeed(one)))
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )

/** Sends the chunk again and again until the connection is closed. */
const flood = (socket: Socket, chunk: Uint8Array): void => {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on("drain", more)
  more()
}

const becomes = (what: string, is: () => boolean) => until(what, Effect.sync(is), 30)

/** Bytes that the servers of this process have read from their connections on a port. */
const bytesReadOn = (local: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const sockets: Array<Socket> = []
      const hear = (message: unknown) => {
        const { socket } = message as { readonly socket: Socket }
        if (socket.localPort === local) sockets.push(socket)
      }
      subscribe("net.server.socket", hear)
      return { sockets, hear, total: () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0) }
    }),
    ({ hear }) => Effect.sync(() => unsubscribe("net.server.socket", hear))
  )

/** A frame of the cluster's protocol that announces 15 MB, and the head of a TLS record that announces 16 KB. */
const frames = {
  "frames of the cluster": Buffer.concat([Buffer.from([0, 0xe4, 0xe1, 0xc0]), Buffer.alloc(65_532, 1)]),
  "records of TLS": Buffer.concat([Buffer.from([22, 3, 1, 0x40, 0]), Buffer.alloc(0x40_00, 1)])
}

describe("the cluster port", () => {
  it.live.each(Object.entries(frames))("closes 40 strangers who send endless %s, and keeps none of it", ([, chunk]) =>
    Effect.gen(function* () {
      const { member, port: local } = yield* port({}, true)
      const read = yield* bytesReadOn(local)
      const strangers = yield* Effect.forEach(Array.from({ length: 40 }), () => stranger(local))
      for (const { socket } of strangers) flood(socket, chunk)
      yield* becomes("all are closed", () => strangers.every(({ isClosed }) => isClosed()))
      assert.strictEqual(read.sockets.length, 40)
      // One or two reads of each connection; without the handshake the server read 16 MB of each.
      assert.isBelow(read.total(), 40 * 256 * 1024)
      assert.isFalse((yield* member()).isClosed())
    })
  )

  it.live("refuses a process without the key, with another key, and with the key of another port", () =>
    Effect.gen(function* () {
      const one = yield* port()
      const other = yield* port()
      assert.isTrue(yield* Effect.isFailure(one.member(newKey())))
      assert.isTrue(yield* Effect.isFailure(one.member(other.key)))
      assert.isFalse((yield* one.member()).isClosed())
    })
  )

  it.live("a connection to a port that never answers can be given up, and is then closed", () =>
    Effect.gen(function* () {
      const reached: Array<ReturnType<typeof watched<Socket>>> = []
      const silent = createServer((socket) => void reached.push(watched(socket)))
      yield* Effect.acquireRelease(
        Effect.promise(() => once(silent.listen(0, "127.0.0.1"), "listening")),
        () => Effect.sync(() => silent.close())
      )
      const address = RunnerAddress.make("127.0.0.1", (silent.address() as AddressInfo).port)
      const dialled = Effect.scoped(dial(address, () => Effect.succeed(Option.some(newKey()))))
      const dialling = yield* Effect.forkChild(dialled)
      yield* becomes("it is reached", () => reached.length === 1)
      yield* Effect.timeout(Fiber.interrupt(dialling), "5 seconds")
      yield* becomes("it is closed", () => reached[0]!.isClosed())
    }).pipe(Effect.scoped)
  )

  it.live("closes a connection whose handshake does not end, and the oldest one when there are too many", () =>
    Effect.gen(function* () {
      const { port: slow } = yield* port({ handshakeTimeout: 100 })
      const silent = yield* stranger(slow)
      yield* becomes("the silent one is closed", silent.isClosed)

      const { member, port: few } = yield* port({ handshakes: 4, handshakeTimeout: 60_000 })
      const all = yield* Effect.forEach(Array.from({ length: 10 }), () => stranger(few))
      yield* becomes("the oldest are closed", () => all.slice(0, 6).every(({ isClosed }) => isClosed()))
      assert.isFalse((yield* member()).isClosed())
      assert.isTrue(all.slice(7).every(({ isClosed }) => !isClosed()))
    })
  )

  it.live("bounds connections, silence and the length of a frame also for processes with the key", () =>
    Effect.gen(function* () {
      const few = yield* port({ connections: 2 })
      const [first, second] = [yield* few.member(), yield* few.member()]
      // The handshake of the third may end on its side before it is closed.
      const third = yield* Effect.option(few.member())
      yield* becomes("the third is closed", () => Option.isNone(third) || third.value.isClosed())
      assert.isFalse(first.isClosed() || second.isClosed())

      const idle = yield* (yield* port({ idleTimeout: 100 })).member()
      yield* becomes("the idle one is closed", idle.isClosed)

      const serving = yield* port({}, true)
      const long = yield* serving.member()
      flood(long.socket, frames["frames of the cluster"])
      yield* becomes("the one with long frames is closed", long.isClosed)
    })
  )

  it.live(
    "lets processes of the fleet reach each other, and nobody whose key is not in the database",
    () =>
      Effect.gen(function* () {
        const { target } = yield* migratedDatabase([])
        const sql = Context.get(yield* frame({ target, names: ["one"] }), SqlClient.SqlClient)
        yield* frame({ target, names: ["two"] })
        const runners = sql<{ address: string; healthy: boolean }>`select address, healthy from cluster_runners`
        yield* until(
          "both are runners",
          Effect.map(runners, ({ length }) => length === 2)
        )
        for (const { address } of yield* runners) {
          // A ping that succeeds makes a runner healthy again.
          yield* sql`update cluster_runners set healthy = false where address = ${address}`
          yield* until(
            `${address} answered a ping`,
            Effect.map(runners, (rows) => rows.every(({ healthy }) => healthy)),
            30
          )
        }
        const keys = yield* sql<{ key: Uint8Array }>`select cluster_key as key from core.incarnation`
        assert.strictEqual(new Set(keys.map(({ key }) => Buffer.from(key).toString("hex"))).size, 2)
      }),
    120_000
  )
})
