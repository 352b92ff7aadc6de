/**
 * Webhooks to forbidden addresses. Two checks for each: a trap on every local address of both families that must get no
 * connection, and a record of every connection attempt of this process.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import * as http from "node:http"
import * as https from "node:https"
import * as net from "node:net"
import { networkInterfaces, tmpdir } from "node:os"
import { join } from "node:path"
import * as tls from "node:tls"
import { Duration, Effect, Redacted } from "effect"
import { afterAll, assert, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { parseCidr } from "#core/http/AddressGuard.ts"
import { type Lookup, OutboundHttp } from "#core/http/OutboundHttp.ts"
import { deliver, type WebhookDelivery } from "#daemons/comm-dispatcher/channels/webhook/Webhook.ts"

/** The only allowed address, on which the redirecting receiver listens. */
const receiverHost = "127.0.0.3"
const admitted = [parseCidr(receiverHost)!]

/** Simulates a server on the public internet; its connections are routed to the receiver. */
const publicHost = "8.8.8.8"

let trapped = 0
const trap = net.createServer((socket) => {
  trapped++
  socket.on("error", () => {})
  socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
})

let location = ""
let received: Array<{ readonly path: string; readonly body: string; readonly headers: http.IncomingHttpHeaders }> = []
const redirecting: http.RequestListener = (request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    received.push({ path: request.url ?? "", body, headers: request.headers })
    if (request.url === "/end") response.end()
    else response.writeHead(307, { location }).end()
  })
}
const receiver = http.createServer(redirecting)
let secure: https.Server

const portOf = (server: net.Server) => (server.address() as net.AddressInfo).port
const listen = (server: net.Server, host: string) => new Promise<void>((resolve) => server.listen(0, host, resolve))

/** Every `connect` of a socket, as `host:port`. */
let dials: Array<string> = []
const connect = net.Socket.prototype.connect
const recording = function (this: net.Socket, ...args: Array<unknown>) {
  const [first] = args
  const options = (Array.isArray(first) ? (first as ReadonlyArray<unknown>)[0] : first) as {
    host?: string
    port?: number | string
    lookup?: unknown
  }
  dials.push(`${options.host}:${options.port}`)
  if (options.host === publicHost) Object.assign(options, { host: receiverHost, port: portOf(receiver) })
  return Reflect.apply(connect, this, args) as net.Socket
}

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "guard-"))
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-days",
      "1",
      "-subj",
      "/CN=secure.test",
      "-addext",
      "subjectAltName=DNS:secure.test",
      "-keyout",
      join(folder, "key"),
      "-out",
      join(folder, "cert")
    ],
    { stdio: "ignore" }
  )
  const [key, cert] = [readFileSync(join(folder, "key"), "utf8"), readFileSync(join(folder, "cert"), "utf8")]
  rmSync(folder, { recursive: true })
  tls.setDefaultCACertificates([...tls.getCACertificates("default"), cert])
  secure = https.createServer({ key, cert }, redirecting)
  // Dual stack where the machine has IPv6, for both families at once.
  await listen(trap, "::").catch(() => listen(trap, "0.0.0.0"))
  await listen(receiver, receiverHost)
  await listen(secure, receiverHost)
  net.Socket.prototype.connect = recording as typeof connect
})
afterAll(() => {
  net.Socket.prototype.connect = connect
  for (const server of [receiver, secure]) server.closeAllConnections()
  for (const server of [trap, receiver, secure]) server.close()
})
beforeEach(() => {
  trapped = 0
  received = []
  dials = []
})

const send = (delivery: Partial<WebhookDelivery> & { readonly url: string }, lookup?: Lookup) =>
  Effect.runPromise(
    deliver({
      idempotencyKey: "run-1/0",
      attempt: 1,
      tenantId: 1,
      body: {
        run_id: "run-1",
        event_type: "email.alarm.received",
        severity: "ALERT",
        subject: "Gas",
        title: "Gas",
        body: "Gas",
        from: "boss@allowed.org",
        timestamp: "2024-01-02T03:04:05.000Z"
      },
      timeout: Duration.seconds(5),
      ...delivery
    }).pipe(Effect.provide(OutboundHttp.layerWith(lookup === undefined ? {} : { lookup })))
  )

const own = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .map(({ address, family }) => (family === "IPv6" ? `[${address.split("%", 1)[0]}]` : address))

/** Forbidden addresses, in different spellings. */
const forbidden: ReadonlyArray<readonly [kind: string, ...hosts: ReadonlyArray<string>]> = [
  ["loopback", "127.0.0.1", "127.0.0.2", "127.255.255.254", "[::1]", "[0:0:0:0:0:0:0:1]"],
  ["unspecified", "0.0.0.0", "0", "[::]"],
  [
    "private",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "100.64.0.1",
    "[fc00::1]",
    "[fd12:3456::1]",
    "[fec0::1]"
  ],
  ["link-local", "169.254.169.254", "169.254.0.1", "[fe80::1]", "[febf::1]"],
  ["cloud hosts", "[fd00:ec2::254]", "168.63.129.16", "192.0.0.192", "100.100.100.200"],
  [
    "multicast, broadcast, reserved",
    "224.0.0.1",
    "255.255.255.255",
    "240.0.0.1",
    "[ff02::1]",
    "198.18.0.1",
    "192.0.2.1"
  ],
  [
    "IPv4-mapped",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "[::ffff:10.0.0.1]",
    "[::ffff:169.254.169.254]",
    "[::ffff:0:127.0.0.1]"
  ],
  ["IPv4-compatible", "[::127.0.0.1]", "[::7f00:1]", "[::10.0.0.1]"],
  ["6to4", "[2002:7f00:1::]", "[2002:7f00:1::1]", "[2002:a00:1::1]", "[2002:a9fe:a9fe::]", "[2002:c0a8:1::1]"],
  [
    "NAT64",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b:1::7f00:1]",
    "[64:ff9b:1:a00:1::]"
  ],
  // The client's address is the inverse of the last 32 bits; the server's address follows the prefix.
  ["Teredo", "[2001:0:4136:e378:8000:63bf:80ff:fffe]", "[2001:0:7f00:1::]", "[2001::f5ff:fffe]"],
  ["decimal", "2130706433", "3232235521", "2852039166", "167772161"],
  ["octal", "0177.0.0.1", "017700000001", "0177.0.0.01", "00000177.0.0.1", "012.0.0.1", "0300.0250.0.1"],
  ["hex", "0x7f.0.0.1", "0x7f000001", "0x7F.0x0.0x0.0x1", "0xa9fea9fe", "0x0a000001"],
  ["mixed and short", "127.1", "127.0.1", "0x7f.1", "0177.1", "10.1", "192.168.1", "0x7f.0.01"],
  ["final dot", "127.0.0.1.", "2130706433.", "0x7f.1.", "169.254.169.254."],
  [
    "other scripts and escapes",
    "１２７.0.0.1",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "127%2e0%2e0%2e1",
    "127.0.0.\u00ad1",
    "127.0\t.0.1"
  ],
  ["names of this machine", "localhost", "LOCALHOST", "ｌocalhost", "local\u00adhost", "%6cocalhost"],
  ["this machine", ...own]
]
const rows = forbidden.flatMap(([kind, ...hosts]) => hosts.map((host) => [kind, host] as const))

const nothingWasDialled = (beside: ReadonlyArray<string> = []) => {
  assert.strictEqual(trapped, 0)
  assert.deepStrictEqual(dials, beside)
}

describe("webhooks to what is not public", () => {
  it.each(rows)("%s: %s", async (_, host) => {
    for (const url of [`http://${host}:${portOf(trap)}/`, `https://${host}:${portOf(trap)}/`]) {
      const outcome = await send({ url })
      assert.strictEqual(outcome._tag, "Permanent", JSON.stringify(outcome))
      expect(outcome).toHaveProperty("reason", expect.stringContaining("is not public"))
      nothingWasDialled()
    }
  })

  it("would have been caught: the trap and the record see a connection", async () => {
    assert.strictEqual(
      (await send({ url: `http://127.0.0.1:${portOf(trap)}/`, allowCidrs: [parseCidr("127.0.0.1")!] }))._tag,
      "Delivered"
    )
    assert.deepStrictEqual([trapped, dials], [1, [`127.0.0.1:${portOf(trap)}`]])
  })

  it.each(["localhost.", "LocalHost.", "metadata.test", "10-0-0-1.nip.test"])(
    "name %s, wherever it leads inside",
    async (name) => {
      for (const address of [
        "127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "::1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "fe80::1%lo"
      ]) {
        const found = async () => [
          { address: publicHost, family: 4 },
          { address, family: net.isIPv6(address) ? 6 : 4 }
        ]
        assert.strictEqual((await send({ url: `http://${name}:${portOf(trap)}/` }, found))._tag, "Permanent", address)
      }
      nothingWasDialled()
    }
  )

  it.each([
    "http:\\\\127.0.0.1:P\\",
    "http:127.0.0.1:P/",
    "http:///127.0.0.1:P/",
    "http://example.org@127.0.0.1:P/",
    "http://:@127.0.0.1:P/",
    " http://127.0.0.1:P/",
    "http://example.org%40127.0.0.1:P/",
    "//127.0.0.1:P/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:P/_",
    "unix:/run/x.sock",
    "ftp://127.0.0.1:P/",
    "http://[::1%25lo]:P/",
    "http://[::1]]:P/"
  ])("odd spelling %s", async (url) => {
    assert.strictEqual((await send({ url: url.replace("P", String(portOf(trap))) }))._tag, "Permanent")
    nothingWasDialled()
  })
})

describe("names that change their mind", () => {
  /** Returns these addresses in turn, then always the last one. */
  const changing = (...answers: ReadonlyArray<string>) => {
    const asked: Array<string> = []
    const lookup: Lookup = async (host) => {
      asked.push(host)
      return [{ address: answers[Math.min(asked.length, answers.length) - 1]!, family: 4 }]
    }
    return { asked, lookup }
  }

  it("are dialled at the address that was checked, and not asked again", async () => {
    const { asked, lookup } = changing(receiverHost, "127.0.0.1")
    const tried = recordingLookups()
    const outcome = await send({ url: `http://rebind.test:${portOf(receiver)}/end`, allowCidrs: admitted }, lookup)
    // The socket got exactly the checked address for the name.
    assert.deepStrictEqual([outcome._tag, asked, tried()], ["Delivered", ["rebind.test"], [receiverHost]])
  })

  it("are judged anew for the next request and for a redirect to themselves", async () => {
    const next = changing(receiverHost, "127.0.0.1")
    const url = `http://rebind.test:${portOf(receiver)}`
    assert.strictEqual((await send({ url: `${url}/end`, allowCidrs: admitted }, next.lookup))._tag, "Delivered")
    const second = changing(receiverHost, "127.0.0.1")
    location = `${url}/end`
    const outcome = await send({ url, allowCidrs: admitted }, second.lookup)
    expect(outcome).toMatchObject({
      _tag: "Permanent",
      reason: expect.stringContaining("127.0.0.1 is not public") as string
    })
    assert.deepStrictEqual([second.asked.length, received.map(({ path }) => path)], [2, ["/end", "/"]])
    assert.strictEqual(trapped, 0)
  })

  /** Records the addresses that sockets got for their names. */
  const recordingLookups = () => {
    const tried: Array<string> = []
    const emit = net.Socket.prototype.emit
    net.Socket.prototype.emit = function (this: net.Socket, event: string | symbol, ...args: Array<unknown>) {
      if (event === "lookup") tried.push(String(args[1]))
      return Reflect.apply(emit, this, [event, ...args]) as boolean
    }
    return () => {
      net.Socket.prototype.emit = emit
      return tried
    }
  }
})

describe("redirects", () => {
  const receiverUrl = () => `http://${receiverHost}:${portOf(receiver)}/`

  /** The receiver redirects to `to`. Only the receiver itself may be contacted, once. */
  const refused = async (to: string, why: string) => {
    location = to
    const outcome = await send({ url: receiverUrl(), allowCidrs: admitted })
    assert.strictEqual(outcome._tag, "Permanent", JSON.stringify(outcome))
    expect(outcome).toHaveProperty("reason", expect.stringContaining(why))
    assert.deepStrictEqual(
      received.map(({ path }) => path),
      ["/"]
    )
    nothingWasDialled([`${receiverHost}:${portOf(receiver)}`])
    return outcome
  }

  // Only hosts that a header can carry unchanged. A server sends the others in their escaped form, which is in the list
  // too.
  it.each(rows.filter(([, host]) => /^[\x20-\x7e]+$/.test(host)))("%s: %s", async (_, host) => {
    await refused(`http://${host}:${portOf(receiver)}/`, "is not public")
  })

  it.each(["25", "22", "6379", "8080"])("to port %s, of the receiver itself and of a public one", async (port) => {
    await refused(`http://${receiverHost}:${port}/`, "another port")
    received = []
    dials = []
    await refused(`http://${publicHost}:${port}/`, "another port")
  })

  it.each(["http://user:hunter2@127.0.0.3:P/end", "http://user:hunter2@8.8.8.8/", "http://hunter2@127.0.0.1:P/"])(
    "with credentials: %s",
    async (to) => {
      expect(JSON.stringify(await refused(to.replace("P", String(portOf(receiver))), "user name"))).not.toContain(
        "hunter2"
      )
    }
  )

  it.each(["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/_", "javascript:0", "data:,x"])(
    "to another scheme: %s",
    async (to) => {
      await refused(to, "only http and https")
    }
  )

  it("out of TLS", async () => {
    const secureUrl = `https://secure.test:${portOf(secure)}`
    const here: Lookup = async () => [{ address: receiverHost, family: 4 }]
    for (const to of [`http://secure.test:${portOf(secure)}/end`, `http://secure.test/end`, receiverUrl()]) {
      location = to
      received = []
      const outcome = await send({ url: `${secureUrl}/`, allowCidrs: admitted }, here)
      expect(outcome).toMatchObject({ _tag: "Permanent", reason: expect.stringContaining("it leaves TLS") as string })
      assert.deepStrictEqual(
        received.map(({ path }) => path),
        ["/"]
      )
    }
    // The same server with the same certificate over https works, so only the scheme was refused.
    location = `${secureUrl}/end`
    assert.strictEqual((await send({ url: `${secureUrl}/`, allowCidrs: admitted }, here))._tag, "Delivered")
  })

  it("from the public internet into an admitted network", async () => {
    // Uses the receiver's port, so that only the network differs.
    const url = `http://${publicHost}:${portOf(receiver)}/`
    location = `${receiverUrl()}end`
    const outcome = await send({ url, allowCidrs: admitted })
    expect(outcome).toMatchObject({
      _tag: "Permanent",
      reason: expect.stringContaining("into an admitted network") as string
    })
    assert.deepStrictEqual([received.map(({ path }) => path), dials], [["/"], [`${publicHost}:${portOf(receiver)}`]])
    location = `http://${publicHost}:${portOf(receiver)}/end`
    assert.strictEqual((await send({ url, allowCidrs: admitted }))._tag, "Delivered")
  })
})

describe("signatures", () => {
  it("go with every hop, over the same bytes, and never show the secret", async () => {
    location = "/end"
    const outcome = await send({
      url: `http://${receiverHost}:${portOf(receiver)}/`,
      allowCidrs: admitted,
      secrets: [Redacted.make("hunter2")]
    })
    assert.strictEqual(outcome._tag, "Delivered")
    assert.lengthOf(received, 2)
    const [first, second] = received.map(({ body, headers }) => [
      body,
      headers["x-signalbox-timestamp"],
      headers["x-signalbox-signature"],
      headers["idempotency-key"]
    ])
    assert.deepStrictEqual(first, second)
    expect(JSON.stringify([received, outcome])).not.toContain("hunter2")
  })
})
