/**
 * How often a receiver sees one request, for every point at which the connection can end. The second request of each
 * case uses the pooled socket of the first.
 */
import * as net from "node:net"
import { Duration, Effect, Result } from "effect"
import { assert, describe, it } from "vitest"
import { parseCidr } from "#core/http/AddressGuard.ts"
import { OutboundHttp, type OutboundRequest } from "#core/http/OutboundHttp.ts"

const loopback = [parseCidr("127.0.0.0/8")!]

/** Longer than the buffers of a socket, so that a receiver can read a part of it. Unit: bytes. */
const bodyLength = 6_000_000

/** Time between the first answer and the second request: the socket is in the pool. Unit: milliseconds. */
const pause = 5

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"

type Manner = "FIN" | "RST" | "silence"

interface Ending {
  /**
   * `idle`: this long after the first answer, in milliseconds. Else after this many bytes of the second request, or of
   * its answer.
   */
  readonly at: { readonly idle: number } | { readonly read: number } | { readonly answered: number }
  readonly by: Manner
}

/** A receiver that answers the first request of a connection, and ends the connection at one point after it. */
const receiver = async (ending: Ending) => {
  const sockets = new Set<net.Socket>()
  let begun = 0
  let ended = false
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    let request = 0
    let read = 0
    const end = () => {
      ended = true
      if (ending.by === "FIN") socket.end()
      if (ending.by === "RST") socket.resetAndDestroy()
      if (ending.by === "silence") socket.pause()
    }
    let whole = ""
    socket.on("data", (chunk) => {
      if (read === 0) {
        request++
        whole = chunk.toString("latin1")
        if (whole.includes(" /second ")) begun++
      }
      read += chunk.length
      const length = Number(/content-length: (\d+)/.exec(whole)?.[1] ?? 0)
      const isWhole = read >= whole.indexOf("\r\n\r\n") + 4 + length
      const { at } = ending
      const ends = whole.includes(" /second ") && !ended
      if (ends && "read" in at && (read > at.read || isWhole)) return end()
      if (!isWhole) return
      read = 0
      if (ends && "answered" in at) return void socket.write(ok.slice(0, at.answered), end)
      socket.write(ok, () => {
        if ("idle" in at && request === 1 && !ended) setTimeout(end, at.idle)
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    begun: () => begun,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}

/** Result of the second request, and how often the receiver saw its beginning. */
const outcome = async (ending: Ending, request: Pick<OutboundRequest, "method"> & Partial<OutboundRequest>) => {
  const target = await receiver(ending)
  const send = (path: string, more: Pick<OutboundRequest, "method"> & Partial<OutboundRequest>) =>
    OutboundHttp.use((outbound) => outbound.request({ url: target.url + path, allowCidrs: loopback, ...more }))
  const result = await Effect.runPromise(
    Effect.gen(function* () {
      yield* send("/first", { method: "POST", body: "{}" })
      yield* Effect.sleep(pause)
      const second = yield* Effect.result(
        send("/second", { ...request, ...(ending.by === "silence" ? { timeout: Duration.seconds(1) } : {}) })
      )
      // A request that nobody awaits would arrive now.
      yield* Effect.sleep(Result.isSuccess(second) ? 0 : 20)
      return second
    }).pipe(Effect.provide(OutboundHttp.layer))
  )
  target.close()
  return { result, begun: target.begun() }
}

const post = { method: "POST", body: "{}", headers: { "Idempotency-Key": "k" } } as const
const long = { ...post, body: "x".repeat(bodyLength) }

describe("a request on a pooled socket", () => {
  for (const by of ["FIN", "RST", "silence"] as const) {
    it(`is sent once when the connection ends by ${by} after some of it was read`, async () => {
      for (const read of [0, 1, 200, 1_000, 100_000, bodyLength]) {
        const { begun, result } = await outcome({ at: { read }, by }, long)
        assert(Result.isFailure(result), `${read} bytes`)
        assert.deepStrictEqual([read, begun, result.failure.requestSent], [read, 1, true])
      }
      const short = await outcome({ at: { read: 0 }, by }, post)
      assert(Result.isFailure(short.result))
      assert.deepStrictEqual([short.begun, short.result.failure.requestSent], [1, true])
    })

    it(`is sent once when the connection ends by ${by} at any byte of the answer`, async () => {
      const all = Array.from({ length: ok.length }, (_, answered) => answered)
      for (const answered of by === "silence" ? [0, 10, ok.length - 1] : all) {
        const { begun, result } = await outcome({ at: { answered }, by }, post)
        assert.deepStrictEqual([answered, begun, Result.isFailure(result)], [answered, 1, true])
      }
    })
  }

  for (const by of ["FIN", "RST"] as const) {
    it(`goes over a new connection when the idle one was ended by ${by}`, async () => {
      for (let round = 0; round < 20; round++) {
        const { begun, result } = await outcome({ at: { idle: 0 }, by }, post)
        assert.deepStrictEqual([begun, Result.isSuccess(result)], [1, true])
      }
    })

    it(`is never seen twice when ${by} crosses it`, async () => {
      for (let round = 0; round < 40; round++)
        assert.isAtMost((await outcome({ at: { idle: pause - 1 + (round % 3) }, by }, post)).begun, 1)
    })
  }

  it("is sent again when it is a GET, which changes nothing", async () => {
    const { begun, result } = await outcome({ at: { read: 0 }, by: "RST" }, { method: "GET" })
    assert.deepStrictEqual([begun, Result.isSuccess(result)], [2, true])
  })
})
