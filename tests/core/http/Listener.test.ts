import { connect } from "node:net"
import { setTimeout as after } from "node:timers/promises"
import { listen, maxHeaderSize, type NodeListener, type Patience, type UpgradeListener } from "#core/http/Listener.ts"
import { clientAddress, loopback, trustedFrom } from "#core/http/ClientAddress.ts"
import { maxBodySize } from "#core/http/BodyBounds.ts"
import * as BodyBounds from "#core/http/BodyBounds.ts"
import { lingerTime } from "#core/http/NodeProblem.ts"
import { until } from "#support/Frame.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const echo: NodeListener = (request, response) => {
  let size = 0
  request.on("data", (chunk: Buffer) => (size += chunk.length))
  request.on("end", () =>
    response.end(
      JSON.stringify({
        url: request.url,
        client: clientAddress(request),
        headers: request.headers,
        raw: request.rawHeaders.map((text) => text.toLowerCase()),
        size
      })
    )
  )
}

const start = (
  options: {
    listener?: NodeListener
    upgrade?: UpgradeListener
    trusted?: ReadonlyArray<string>
    patience?: Patience
    uploads?: number
    maxPerAddress?: number
  } = {}
) =>
  Effect.map(
    listen({
      host: "127.0.0.1",
      port: 0,
      listener: options.listener ?? echo,
      trusted: trustedFrom(options.trusted ?? loopback),
      ...(options.uploads === undefined
        ? {}
        : { maxBody: BodyBounds.make([{ prefix: "/a" }, { prefix: "/a/uploads", maxBody: options.uploads }]) }),
      ...(options.maxPerAddress === undefined ? {} : { maxPerAddress: options.maxPerAddress }),
      ...(options.upgrade === undefined ? {} : { upgrade: options.upgrade }),
      ...(options.patience === undefined ? {} : { patience: options.patience })
    }),
    ({ port }) => port
  )

/** Sends the pieces one after the other. Returns all received text until the server closes. */
const raw = (port: number, pieces: ReadonlyArray<string | number>) =>
  Effect.promise(async () => {
    const socket = connect(port, "127.0.0.1")
    let answer = ""
    const closed = new Promise<void>((resolve) => {
      socket.on("data", (chunk) => (answer += chunk.toString()))
      socket.on("error", () => {})
      socket.on("close", () => resolve())
    })
    for (const piece of pieces) {
      if (typeof piece === "number") await after(piece)
      else socket.write(piece)
    }
    await closed
    return answer
  })

const assertProblem = (answer: string, status: number, code: string) => {
  assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), answer)
  assert.match(answer, /content-type: application\/problem\+json/i)
  assert.strictEqual(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)).code, code)
}

/** Short timeouts for a test, in the same order as the real ones. */
const impatient: Patience = { headersTimeout: 200, requestTimeout: 400, checkInterval: 50 }

describe("Listener", () => {
  it.live("refuses a body by its declared length before reading it, and the client can read why", () =>
    Effect.gen(function* () {
      let asked = 0
      const port = yield* start({
        listener: (request, response) => {
          asked++
          echo(request, response)
        }
      })
      const post = (length: number, body: string, more = "") =>
        raw(port, [`POST / HTTP/1.1\r\nHost: a\r\n${more}Content-Length: ${length}\r\n\r\n`, body])
      const begun = performance.now()
      assertProblem(yield* post(maxBodySize + 1, "x".repeat(100_000)), 413, "payload_too_large")
      // The connection stays open just long enough for the client to read the answer.
      const stayed = performance.now() - begun
      // Without that, it would stay until the time limit of a request, 30 s.
      assert.isTrue(stayed > lingerTime * 0.9 && stayed < lingerTime + 10_000, `${stayed} ms`)
      assert.strictEqual(asked, 0)
      assert.include(
        yield* post(maxBodySize, "x".repeat(maxBodySize), "Connection: close\r\n"),
        `"size":${maxBodySize}`
      )
    }).pipe(Effect.scoped)
  )

  it.live("disconnects clients that send headers or body too slowly", () =>
    Effect.gen(function* () {
      const port = yield* start({ patience: impatient })
      const [headers, body] = yield* Effect.all(
        [
          raw(port, ["POST / HTTP/1.1\r\nHost: a\r\n", 60, "X-A: 1\r\n"]),
          raw(port, ["POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf", 60, "more"])
        ],
        { concurrency: 2 }
      )
      assertProblem(headers, 408, "request_timeout")
      assertProblem(body, 408, "request_timeout")
    }).pipe(Effect.scoped)
  )

  it.live("accepts longer bodies only on routes that allow them", () =>
    Effect.gen(function* () {
      const bound = maxBodySize + 1_000
      const port = yield* start({ uploads: bound })
      const post = (path: string, length: number) =>
        raw(port, [
          `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`,
          "x".repeat(length)
        ])
      for (const path of ["/a/uploads", "/a/uploads/", "/a/uploads?name=b", "/a/uploads/b"]) {
        assert.include(yield* post(path, bound), `"size":${bound}`, path)
      }
      for (const path of ["/a", "/a/uploadsmore", "/b?/a/uploads", "/b/a/uploads"])
        assertProblem(yield* post(path, bound), 413, "payload_too_large")
      const over = yield* raw(port, [
        `POST /a/uploads HTTP/1.1\r\nHost: a\r\nContent-Length: ${bound + 1}\r\n\r\n`,
        "x"
      ])
      assertProblem(over, 413, "payload_too_large")
      assert.include(over, String(bound))
    }).pipe(Effect.scoped)
  )

  it.live(
    "waits for an upload while data arrives, up to a limit",
    () =>
      Effect.gen(function* () {
        // A busy machine may hold up a byte for seconds, so the limits are long.
        const port = yield* start({
          uploads: 2 * maxBodySize,
          patience: {
            headersTimeout: 2_000,
            requestTimeout: 2_000,
            checkInterval: 50,
            uploadTimeout: 6_000,
            uploadSilence: 3_500
          }
        })
        const head = "POST /a/uploads HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"
        const slowly = (bytes: number) => Array.from({ length: bytes }, () => ["x", 750]).flat()
        const [slow, silent, endless] = yield* Effect.all(
          [
            raw(port, [head, ...slowly(9)]),
            raw(port, [head, "x"]),
            raw(port, [head.replace("9", "900"), ...slowly(14)])
          ],
          { concurrency: 3 }
        )
        assert.include(slow, `"size":9`)
        assertProblem(silent, 408, "request_timeout")
        assertProblem(endless, 408, "request_timeout")
      }).pipe(Effect.scoped),
    120_000
  )

  it.live("does not write an error into a started response", () =>
    Effect.gen(function* () {
      const port = yield* start({
        // Long enough that the headers arrive before it on a busy machine.
        patience: { ...impatient, headersTimeout: 3_000, requestTimeout: 3_000 },
        listener: (_request, response) => void response.writeHead(200, { "content-length": 50 }).write("begun")
      })
      const answer = yield* raw(port, ["POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf"])
      assert.match(answer, /begun$/)
    }).pipe(Effect.scoped)
  )

  it.live("refuses too many headers and non-HTTP input", () =>
    Effect.gen(function* () {
      const port = yield* start()
      assertProblem(
        yield* raw(port, [`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${"x".repeat(maxHeaderSize)}\r\n\r\n`]),
        431,
        "headers_too_large"
      )
      assertProblem(yield* raw(port, ["EHLO mail.example.org\r\n\r\n"]), 400, "bad_request")
      // Two lengths of one body are used for request smuggling.
      assertProblem(
        yield* raw(port, [
          "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ]),
        400,
        "bad_request"
      )
    }).pipe(Effect.scoped)
  )

  const claims = {
    "X-Auth-User": "root@example.org",
    "x-auth-role": "admin",
    "Remote-User": "root",
    "X-Forwarded-For": "203.0.113.9",
    "X-Forwarded-Proto": "https",
    "X-Real-IP": "203.0.113.9",
    Forwarded: "for=203.0.113.9",
    "X-Other": "kept"
  }
  const ask = (port: number, headers: Record<string, string> = claims) =>
    Effect.promise(async () => (await fetch(`http://127.0.0.1:${port}/a?b`, { headers })).json() as Promise<any>)

  it.live("strips identity and forwarded headers of untrusted peers", () =>
    Effect.gen(function* () {
      const seen = yield* ask(yield* start({ trusted: ["192.0.2.0/24"] }))
      assert.strictEqual(seen.client, "127.0.0.1")
      for (const name of Object.keys(claims)) {
        const kept = name === "X-Other"
        assert.strictEqual(name.toLowerCase() in seen.headers, kept, name)
        assert.strictEqual(seen.raw.includes(name.toLowerCase()), kept, name)
      }
    }).pipe(Effect.scoped)
  )

  it.live("strips each header in any case and position, and keeps similar names", () =>
    Effect.gen(function* () {
      const [open, closed] = [yield* start(), yield* start({ trusted: [] })]
      const forbidden = [
        "x-auth-user",
        "X-AUTH-ANYTHING",
        "remote-user",
        "REMOTE-Name",
        "Remote-Email",
        "remote-Groups"
      ]
      const hops = [
        "forwarded",
        "FORWARDED",
        "x-forwarded-proto",
        "X-Forwarded-Host",
        "X-ORIGINAL-URI",
        "x-original-method",
        "X-Real-Ip"
      ]
      const innocent = [
        "referer",
        "Range",
        "From",
        "X-Author",
        "x-real-ipv6",
        "Remote-Users",
        "forwarded-for",
        "auth-user"
      ]
      for (const name of [...forbidden, ...hops, ...innocent]) {
        for (const headers of [{ [name]: "1" }, { accept: "a", [name]: "1", "x-z": "b" }]) {
          for (const port of [open, closed]) {
            const seen = yield* ask(port, headers)
            const kept = innocent.includes(name) || (port === open && hops.includes(name))
            assert.strictEqual(name.toLowerCase() in seen.headers, kept, name)
            assert.strictEqual(seen.raw.includes(name.toLowerCase()), kept, name)
          }
        }
      }
    }).pipe(Effect.scoped)
  )

  it.live("determines the client for every request of a connection", () =>
    Effect.gen(function* () {
      const port = yield* start()
      const get = (more: string) => `GET / HTTP/1.1\r\nHost: a\r\n${more}\r\n`
      const answer = yield* raw(port, [
        get("X-Forwarded-For: 203.0.113.1\r\n"),
        get("X-Forwarded-For: 203.0.113.2\r\n"),
        get("Connection: close\r\n")
      ])
      assert.deepStrictEqual(
        Array.from(answer.matchAll(/"client":"([^"]+)"/g), ([, client]) => client),
        ["203.0.113.1", "203.0.113.2", "127.0.0.1"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("trusts a proxy about the client address, and nobody about identity", () =>
    Effect.gen(function* () {
      const seen = yield* ask(yield* start())
      assert.strictEqual(seen.client, "203.0.113.9")
      assert.strictEqual(seen.headers["x-forwarded-proto"], "https")
      assert.notProperty(seen.headers, "x-auth-user")
      assert.notProperty(seen.headers, "x-auth-role")
      assert.notProperty(seen.headers, "remote-user")
    }).pipe(Effect.scoped)
  )

  it.live("treats a target in absolute form as its path", () =>
    Effect.gen(function* () {
      const port = yield* start()
      assert.include(
        yield* raw(port, ["GET http://a.example/x/y?z HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]),
        `"url":"/x/y?z"`
      )
      assert.include(
        yield* raw(port, ["GET http://a.example HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]),
        `"url":"/"`
      )
    }).pipe(Effect.scoped)
  )

  it.live("strips headers of upgrades, and survives a reset during an upgrade", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const port = yield* start({
        trusted: [],
        upgrade: (request, socket) => {
          seen.push(request.headers["x-auth-user"], request.headers["x-forwarded-for"])
          socket.destroy(new Error("reset"))
        }
      })
      yield* raw(port, [
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Auth-User: root\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n"
      ])
      assert.deepStrictEqual(seen, [undefined, undefined])
      assert.strictEqual((yield* ask(port, {})).client, "127.0.0.1")
    }).pipe(Effect.scoped)
  )

  it.live("limits the connections of one address, and not those of a trusted proxy", () =>
    Effect.gen(function* () {
      const connectMany = (port: number) =>
        Effect.promise(async () => {
          const sockets = Array.from({ length: 6 }, () => connect(port, "127.0.0.1").on("error", () => {}))
          let closed = 0
          for (const socket of sockets) socket.once("close", () => (closed += 1))
          const answered = await Promise.all(
            sockets.map(
              (socket) =>
                new Promise<boolean>((resolve) => {
                  socket.once("data", () => resolve(true)).once("close", () => resolve(false))
                  socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n")
                })
            )
          )
          for (const socket of sockets) socket.destroy()
          return answered.filter(Boolean).length
        })
      const limited = yield* start({ trusted: [], maxPerAddress: 3 })
      assert.strictEqual(yield* connectMany(limited), 3)
      yield* until(
        "closed connections make room",
        Effect.map(connectMany(limited), (answered) => answered === 3)
      )
      assert.strictEqual(yield* connectMany(yield* start({ maxPerAddress: 3 })), 6)
    }).pipe(Effect.scoped)
  )

  it.live("names the port that is in use", () =>
    Effect.gen(function* () {
      const port = yield* start()
      const error = yield* Effect.flip(listen({ host: "127.0.0.1", port, listener: echo, trusted: () => false }))
      assert.include(error.message, `127.0.0.1:${port}`)
    }).pipe(Effect.scoped)
  )
})
