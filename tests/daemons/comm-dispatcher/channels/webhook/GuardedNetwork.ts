/**
 * Servers for webhooks to forbidden addresses. Two checks for each: a trap on every local address of both families that
 * must get no connection, and a record of every connection attempt of this process.
 */
import * as http from "node:http"
import * as https from "node:https"
import * as net from "node:net"
import * as tls from "node:tls"
import { Duration, Effect } from "effect"
import { afterAll, assert, beforeAll, beforeEach } from "vitest"
import { parseCidr } from "#core/http/AddressGuard.ts"
import { type Lookup, OutboundHttp } from "#core/http/OutboundHttp.ts"
import { deliver, type WebhookDelivery } from "#daemons/comm-dispatcher/channels/webhook/Webhook.ts"
import { selfSigned } from "#support/SelfSigned.ts"

/** The only allowed address, on which the redirecting receiver listens. */
export const receiverHost = "127.0.0.3"
export const admitted = [parseCidr(receiverHost)!]

/** Simulates a server on the public internet; its connections are routed to the receiver. */
export const publicHost = "8.8.8.8"

/** What reached the servers, and where the receiver redirects to. Reset before each test, except `location`. */
export const seen = {
  /** Connections to the trap. */
  trapped: 0,
  /** Target of the receiver's redirects. */
  location: "",
  /** Requests that the receiver got. */
  received: [] as Array<{ readonly path: string; readonly body: string; readonly headers: http.IncomingHttpHeaders }>,
  /** Every `connect` of a socket of this process, as `host:port`. */
  dials: [] as Array<string>
}

/** Listens on every local address. No webhook may reach it. */
export const trap = net.createServer((socket) => {
  seen.trapped++
  socket.on("error", () => {})
  socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
})

const redirecting: http.RequestListener = (request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    seen.received.push({ path: request.url ?? "", body, headers: request.headers })
    if (request.url === "/end") response.end()
    else response.writeHead(307, { location: seen.location }).end()
  })
}
/** The receiver on the admitted address. It redirects every request except those for /end. */
export const receiver = http.createServer(redirecting)
let secure: https.Server

/** Port of the same receiver behind TLS. */
export const securePort = () => portOf(secure)

/** Port of a listening server. */
export const portOf = (server: net.Server) => (server.address() as net.AddressInfo).port
const listen = (server: net.Server, host: string) => new Promise<void>((resolve) => server.listen(0, host, resolve))

const connect = net.Socket.prototype.connect
const recording = function (this: net.Socket, ...args: Array<unknown>) {
  const [first] = args
  const options = (Array.isArray(first) ? (first as ReadonlyArray<unknown>)[0] : first) as {
    host?: string
    port?: number | string
    lookup?: unknown
  }
  seen.dials.push(`${options.host}:${options.port}`)
  if (options.host === publicHost) Object.assign(options, { host: receiverHost, port: portOf(receiver) })
  return Reflect.apply(connect, this, args) as net.Socket
}

/** Starts the servers and records connections, for the tests of a file. */
export const guardNetwork = () => {
  beforeAll(async () => {
    const { cert, key } = selfSigned("secure.test")
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
    seen.trapped = 0
    seen.received = []
    seen.dials = []
  })
}

/** Delivers a webhook. */
export const send = (delivery: Partial<WebhookDelivery> & { readonly url: string }, lookup?: Lookup) =>
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

/** Asserts that nothing was connected to, except `beside`. */
export const nothingWasDialled = (beside: ReadonlyArray<string> = []) => {
  assert.strictEqual(seen.trapped, 0)
  assert.deepStrictEqual(seen.dials, beside)
}
