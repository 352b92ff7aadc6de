import * as http from "node:http"
import * as https from "node:https"
import * as net from "node:net"
import { Duration, Effect, Exit, Fiber, Result } from "effect"
import { afterAll, assert, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { parseCidr } from "#core/http/AddressGuard.ts"
import { type Lookup, OutboundHttp, type OutboundRequest } from "#core/http/OutboundHttp.ts"
import { selfSigned } from "#support/SelfSigned.ts"

const loopback = [parseCidr("127.0.0.0/8")!]

const send = (request: Partial<OutboundRequest> & { readonly url: string }, lookup?: Lookup) =>
  OutboundHttp.use((outbound) =>
    outbound.request({ method: "POST", body: "{}", timeout: Duration.seconds(5), ...request })
  ).pipe(Effect.result, Effect.provide(OutboundHttp.layerWith(lookup === undefined ? {} : { lookup })))

const refusal = async (request: Partial<OutboundRequest> & { readonly url: string }, lookup?: Lookup) => {
  const result = await Effect.runPromise(send(request, lookup))
  assert(Result.isFailure(result), "answered")
  return result.failure
}

const answer = async (request: Partial<OutboundRequest> & { readonly url: string }, lookup?: Lookup) => {
  const result = await Effect.runPromise(send({ allowCidrs: loopback, ...request }, lookup))
  if (Result.isFailure(result)) throw result.failure
  return result.success
}

interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

let seen: Array<Seen> = []
let connections = 0
let closed = 0
let base = ""
let port = 0

const server = http.createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    const path = request.url ?? ""
    seen.push({ method: request.method ?? "", path, headers: request.headers, body })
    const [, kind, status, ...rest] = (path.split("?", 1)[0] ?? "").split("/")
    const location = rest.join("/")
    if (kind === "redirect") response.writeHead(Number(status), { location: decodeURIComponent(location) }).end()
    else if (kind === "loop") response.writeHead(307, { location: "/loop" }).end()
    else if (kind === "hang") return
    else if (kind === "cut") request.socket.destroy()
    else if (kind === "garbage") request.socket.end("SSH-2.0-OpenSSH\r\n")
    else if (kind === "big") response.end("x".repeat(1_000_000))
    else response.end(JSON.stringify({ ok: true }))
  })
})
server.on("connection", (socket) => {
  connections++
  socket.on("close", () => closed++)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  port = (server.address() as net.AddressInfo).port
  base = `http://127.0.0.1:${port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  seen = []
  connections = 0
  closed = 0
})

const until = async (condition: () => boolean) => {
  for (const deadline = Date.now() + 5_000; !condition();) {
    assert(Date.now() < deadline, "nothing came of it")
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe("OutboundHttp addresses", () => {
  it.each([
    "http://127.0.0.1:P/",
    "http://localhost:P/",
    "http://LOCALHOST:P/",
    "http://127.1:P/",
    "http://2130706433:P/",
    "http://0x7f000001:P/",
    "http://0177.0.0.1:P/",
    "http://0x7f.0.0.0x1:P/",
    "http://127.0.0.1.:P/",
    "http://①②⑦.0.0.1:P/",
    "http://127。0。0。1:P/",
    "http://0:P/",
    "http://[::1]:P/",
    "http://[::ffff:127.0.0.1]:P/",
    "http://[::127.0.0.1]:P/",
    "http://[64:ff9b::127.0.0.1]:P/",
    "http://[2002:7f00:1::]:P/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://100.64.0.1/",
    "http://224.0.0.1/"
  ])("does not connect to %s", async (url) => {
    const error = await refusal({ url: url.replace("P", String(port)) })
    assert.deepStrictEqual([error.reason._tag, error.retryable, error.requestSent], ["ForbiddenAddress", false, false])
    assert.strictEqual(connections, 0)
  })

  it("does not connect to a local name with a final dot", async () => {
    expect((await refusal({ url: `http://localhost.:${port}/` })).reason._tag).toMatch(
      /^(ForbiddenAddress|Unresolvable)$/
    )
    assert.strictEqual(
      (await refusal({ url: `http://localhost.:${port}/` }, async () => [{ address: "127.0.0.1", family: 4 }])).reason
        ._tag,
      "ForbiddenAddress"
    )
    assert.strictEqual(connections, 0)
  })

  it("connects to the checked address, resolved once", async () => {
    let asked = 0
    const rebinding: Lookup = async () => [{ address: ++asked === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }]
    const response = await answer({ url: `http://rebind.test:${port}/` }, rebinding)
    assert.deepStrictEqual([response.status, asked, seen[0]?.headers.host], [200, 1, `rebind.test:${port}`])
  })

  it("refuses a name with one forbidden address among public ones", async () => {
    const mixed: Lookup = async () => [
      { address: "8.8.8.8", family: 4 },
      { address: "127.0.0.1", family: 4 }
    ]
    const { message, reason } = await refusal({ url: `http://mixed.test:${port}/` }, mixed)
    assert.deepStrictEqual(reason, { _tag: "ForbiddenAddress", address: "127.0.0.1", range: "loopback" })
    expect(message).toContain("not public")
  })

  it("does not reuse a pooled socket for a request that must not reach its address", async () => {
    let address = "127.0.0.1"
    const moving: Lookup = async () => [{ address, family: 4 }]
    const url = `http://moving.test:${port}/`
    const request = (allowCidrs: OutboundRequest["allowCidrs"], timeout = Duration.seconds(10)) =>
      OutboundHttp.use((outbound) =>
        Effect.result(outbound.request({ method: "GET", url, timeout, allowCidrs: allowCidrs ?? [] }))
      )
    const [first, second, guarded, moved] = await Effect.runPromise(
      Effect.gen(function* () {
        const first = yield* request(loopback)
        const second = yield* request(loopback)
        const guarded = yield* request([])
        address = "192.0.2.1"
        return [first, second, guarded, yield* request([parseCidr("192.0.2.1")!], Duration.millis(300))]
      }).pipe(Effect.provide(OutboundHttp.layerWith({ lookup: moving })))
    )
    assert(Result.isSuccess(first!) && Result.isSuccess(second!))
    assert(Result.isFailure(guarded!) && guarded.failure.reason._tag === "ForbiddenAddress")
    assert(Result.isFailure(moved!), "answered by the socket of the old address")
    assert.deepStrictEqual([connections, seen.length], [1, 2])
  })

  it.each([
    ["ftp://x.test/", "InvalidUrl"],
    ["/relative", "InvalidUrl"],
    ["http://user:hunter2@x.test/", "InvalidUrl"],
    ["http://8.8.8.8:25/", "ForbiddenPort"],
    ["http://8.8.8.8:22/", "ForbiddenPort"]
  ])("refuses %s: %s", async (url, tag) => {
    const error = await refusal({ url })
    assert.strictEqual(error.reason._tag, tag)
    assert.isFalse(error.retryable)
    expect(JSON.stringify(error) + error.message + error.stack).not.toContain("hunter2")
  })

  it("reads no proxy from the environment", async () => {
    process.env["HTTP_PROXY"] = process.env["http_proxy"] = "http://127.0.0.1:9"
    process.env["NODE_USE_ENV_PROXY"] = "1"
    try {
      assert.strictEqual((await answer({ url: base })).status, 200)
    } finally {
      delete process.env["HTTP_PROXY"]
      delete process.env["http_proxy"]
      delete process.env["NODE_USE_ENV_PROXY"]
    }
  })
})

describe("OutboundHttp redirects", () => {
  const to = (status: number, target: string) => `${base}/redirect/${status}/${encodeURIComponent(target)}`

  it("repeats method, body and key for 307 and 308", async () => {
    for (const status of [307, 308]) {
      await answer({ url: to(status, `${base}/end`), body: '{"a":1}', headers: { "Idempotency-Key": "k" } })
      const last = seen.at(-1)
      assert.deepStrictEqual(
        [last?.method, last?.path, last?.body, last?.headers["idempotency-key"]],
        ["POST", "/end", '{"a":1}', "k"]
      )
    }
  })

  it("follows 302 for GET only", async () => {
    assert.strictEqual((await answer({ method: "GET", url: to(302, "/end") })).status, 200)
    for (const status of [301, 302, 303]) {
      const error = await refusal({ url: to(status, "/end"), allowCidrs: loopback })
      assert.deepStrictEqual([error.reason._tag, error.retryable], ["RedirectRefused", false])
    }
    assert.strictEqual(seen.filter(({ path }) => path === "/end").length, 1)
  })

  it.each(["http://127.0.0.2:P/", "http://[::1]:P/", "http://169.254.169.254/", "http://0x7f000002:P/"])(
    "does not follow to %s",
    async (target) => {
      const error = await refusal({
        url: to(307, target.replace("P", String(port))),
        allowCidrs: [parseCidr("127.0.0.1")!]
      })
      assert.strictEqual(error.reason._tag, "ForbiddenAddress")
      assert.strictEqual(seen.length, 1)
    }
  )

  it("stops after three redirects, or none if configured", async () => {
    assert.strictEqual((await refusal({ url: `${base}/loop`, allowCidrs: loopback })).reason._tag, "TooManyRedirects")
    assert.strictEqual(seen.length, 4)
    assert.strictEqual((await answer({ url: `${base}/loop`, maxRedirects: 0 })).status, 307)
  })

  it("keeps credentials headers with their origin", async () => {
    const headers = { authorization: "Bearer hunter2", cookie: "a=b", "x-kept": "1" }
    await answer({ url: to(307, `http://other.test:${port}/end`), headers }, async () => [
      { address: "127.0.0.1", family: 4 }
    ])
    const last = seen.at(-1)
    assert.deepStrictEqual(
      [last?.headers.authorization, last?.headers.cookie, last?.headers["x-kept"]],
      [undefined, undefined, "1"]
    )
    await answer({ url: to(307, "/end"), headers })
    assert.strictEqual(seen.at(-1)?.headers.authorization, "Bearer hunter2")
  })
})

describe("OutboundHttp limits and failures", () => {
  it("keeps the first bytes of a long answer", async () => {
    const response = await answer({ url: `${base}/big`, maxResponseBytes: 1_000 })
    assert.deepStrictEqual([response.status, response.body.length, response.truncated], [200, 1_000, true])
    const whole = await answer({ url: `${base}/end` })
    assert.deepStrictEqual([whole.truncated, Buffer.from(whole.body).toString()], [false, '{"ok":true}'])
  })

  it.each([
    ["/hang?key=hunter2", "TimedOut", true],
    ["/cut?key=hunter2", "ConnectionFailed", true],
    ["/garbage?key=hunter2", "InvalidResponse", true]
  ])("%s: %s", async (path, tag, sent) => {
    // Each is long enough that the request is sent before it on a busy machine.
    const timeout = Duration.seconds(tag === "TimedOut" ? 3 : 10)
    const error = await refusal({ url: base + path, allowCidrs: loopback, timeout })
    assert.deepStrictEqual([error.reason._tag, error.retryable, error.requestSent, error.url], [tag, true, sent, base])
    expect(JSON.stringify(error) + error.message + error.stack).not.toContain("hunter2")
  })

  it("marks requests that were never sent: refused connection, unknown name, hanging resolver", async () => {
    const unused = await new Promise<number>((resolve) => {
      const probe = net.createServer().listen(0, "127.0.0.1", () => {
        const { port } = probe.address() as net.AddressInfo
        probe.close(() => resolve(port))
      })
    })
    const errors = [
      await refusal({ url: `http://127.0.0.1:${unused}/`, allowCidrs: loopback }),
      await refusal({ url: "http://nowhere.test/" }, () =>
        Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" }))
      ),
      await refusal({ url: "http://nowhere.test/" }, async () => []),
      await refusal({ url: "http://slow.test/", timeout: Duration.millis(50) }, () => new Promise(() => {}))
    ]
    assert.deepStrictEqual(
      errors.map(({ reason, requestSent, retryable }) => [reason._tag, requestSent, retryable]),
      [
        ["ConnectionFailed", false, true],
        ["Unresolvable", false, true],
        ["Unresolvable", false, true],
        ["TimedOut", false, true]
      ]
    )
  })

  it("destroys the socket when interrupted", async () => {
    await Effect.runPromise(
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(
          OutboundHttp.use((outbound) =>
            outbound.request({ method: "POST", url: `${base}/hang`, body: "{}", allowCidrs: loopback })
          )
        )
        yield* Effect.promise(() => until(() => seen.length === 1))
        yield* Fiber.interrupt(fiber)
        assert.isTrue(Exit.isFailure(yield* Fiber.await(fiber)))
        yield* Effect.promise(() => until(() => closed === 1))
      }).pipe(Effect.provide(OutboundHttp.layer))
    )
  })
})

describe("OutboundHttp over TLS", () => {
  it("checks the certificate against the name, with its own error", async () => {
    const secure = https.createServer(selfSigned("x.test"), (_, response) => response.end())
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve))
    const url = `https://x.test:${(secure.address() as net.AddressInfo).port}/`
    const error = await refusal({ url, allowCidrs: loopback }, async () => [{ address: "127.0.0.1", family: 4 }])
    secure.close()
    assert.deepStrictEqual(error.reason, { _tag: "TlsFailed", code: "DEPTH_ZERO_SELF_SIGNED_CERT" })
    assert.deepStrictEqual([error.requestSent, error.retryable], [false, true])
  })
})
