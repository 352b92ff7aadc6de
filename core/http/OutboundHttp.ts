/**
 * HTTP requests to user-chosen URLs (webhooks, push endpoints, files by URL). Not for peers that an operator
 * configured, which need no checks.
 *
 * - The host is resolved once, AddressGuard.ts checks every address of the answer, and the socket connects only to
 *   these. One forbidden address refuses the request. Pooled sockets are keyed by their checked addresses, so a socket
 *   opened under a wider `allowCidrs` or an older answer is not reused.
 * - Ports: 80, 443 and unprivileged ones, because other ports could interpret a body as SMTP or another protocol.
 *   Networks in `allowCidrs` may be reached on any port.
 * - Redirects: at most `maxRedirects`, each target checked again. 307 and 308 repeat the request; 301, 302 and 303 are
 *   followed for GET and HEAD only, because after a POST they mean a GET. Never from https to http. Only to the same
 *   port or the default port of the scheme. Never from the public internet into `allowCidrs`: the author of the URL may
 *   reach those networks, a remote server may not. Credential headers are sent to their origin only.
 * - Proxy variables of the environment are ignored, because a proxy would connect without these checks.
 * - One time-out covers name resolution, waiting for a socket, every hop and the body. Interruption destroys the
 *   socket, and nothing is sent after it.
 * - A request is sent again only when no byte of it was written, or when it is GET or HEAD, which change nothing. A
 *   receiver may have processed any other request whose connection ended, with or without an Idempotency-Key.
 *
 * The library undici 8.12.4 pools sockets by origin, so a socket to an address that is no longer allowed would be
 * reused. A bare request of undici takes 0.3 times the time (500 bytes to a local server, Node 24).
 */
import { lookup as systemLookup, type LookupAddress } from "node:dns"
import * as http from "node:http"
import * as https from "node:https"
import { isIP } from "node:net"
import { Context, Duration, Effect, Layer, Semaphore } from "effect"
import { mostPerHost } from "../limits/HostSlots.ts"
import { type Cidr, judge } from "./AddressGuard.ts"
import { OutboundHttpError, type OutboundHttpReason } from "./OutboundHttpError.ts"

export interface OutboundRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: string
  /** `host` and framing headers are set here and dropped from this record. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Time limit of the whole request. Default: `defaultTimeout`. */
  readonly timeout?: Duration.Duration
  /** Maximum length of the response body. Unit: bytes. Default: `defaultResponseBytes`; the rest is not read. */
  readonly maxResponseBytes?: number
  /** Networks that are allowed although they are not public. */
  readonly allowCidrs?: ReadonlyArray<Cidr>
  /** Maximum number of redirects. Default: 3. With 0 a redirect is returned like any other response. */
  readonly maxRedirects?: number
}

export interface OutboundResponse {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Uint8Array
  /** The body was longer than `maxResponseBytes`. */
  readonly truncated: boolean
  /** Whether all addresses of the server are public, also when `allowCidrs` has them. */
  readonly isPublic: boolean
}

/** What one exchange received. */
type Received = Omit<OutboundResponse, "isPublic">

/** Resolves a name to all its addresses; the system's by default. */
export type Lookup = (host: string) => Promise<ReadonlyArray<LookupAddress>>

/**
 * Default time limit. Reason: far above the response time of a healthy receiver (below 1 s), and far below the pause of
 * one minute before an alarm is retried.
 */
export const defaultTimeout = Duration.seconds(10)

/** Default response limit. Unit: bytes. Reason: operators read only excerpts of responses. */
export const defaultResponseBytes = 64 * 1024

/** Default number of redirects. Reason: http → https → canonical host, and one spare. */
export const defaultMaxRedirects = 3

/** Maximum number of concurrent requests of this process. Reason: bounds file descriptors and memory (64 KiB each). */
const maxInFlight = 256

/**
 * How long an idle socket is kept. Unit: milliseconds. Reason: less than the 5 s after which Node servers close idle
 * sockets, so requests rarely meet a closed one.
 */
const idleSocket = 4_000

export class OutboundHttp extends Context.Service<
  OutboundHttp,
  {
    /** Sends the request. Every HTTP status is a success; fails only when there is no response. */
    readonly request: (request: OutboundRequest) => Effect.Effect<OutboundResponse, OutboundHttpError>
  }
>()("signalbox/core/OutboundHttp") {
  /** `lookup`: for tests, and for hosts with their own resolver. */
  static readonly layerWith = (options: { readonly lookup?: Lookup }): Layer.Layer<OutboundHttp> =>
    Layer.effect(
      OutboundHttp,
      Effect.suspend(() => make(options.lookup ?? allAddresses))
    )

  static readonly layer: Layer.Layer<OutboundHttp> = OutboundHttp.layerWith({})
}

/** The part of a URL that logs, traces and errors may show: the origin. Paths of webhooks hold secrets. */
const shownUrl = (url: URL): string => `${url.protocol}//${url.host}`

const allAddresses: Lookup = (host) =>
  new Promise((resolve, reject) =>
    systemLookup(host, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)))
  )

const make = (lookup: Lookup) =>
  Effect.map(Effect.acquireRelease(Effect.sync(makeAgents), closeAgents), (agents) =>
    OutboundHttp.of({ request: makeRequest(agents, lookup) })
  )

type Agents = ReturnType<typeof makeAgents>

const makeAgents = () => {
  const pooled = { keepAlive: true, maxSockets: mostPerHost, timeout: idleSocket }
  return {
    pooled: { "http:": pinned(new http.Agent(pooled)), "https:": pinned(new https.Agent(pooled)) },
    fresh: { "http:": new http.Agent(), "https:": new https.Agent() }
  }
}

const closeAgents = ({ fresh, pooled }: Agents) =>
  Effect.sync(() => [...Object.values(pooled), ...Object.values(fresh)].forEach((agent) => agent.destroy()))

/** Adds the checked addresses to the key of the agent's pool. */
const pinned = <A extends http.Agent>(agent: A): A => {
  const getName = agent.getName.bind(agent)
  agent.getName = (options) =>
    `${getName(options)}:${(options as (https.RequestOptions & Pinned) | undefined)?.pinnedAddresses ?? ""}`
  return agent
}

interface Pinned {
  readonly pinnedAddresses?: string
}

/** State of one request, for the error after a time-out or failure. */
interface Journey {
  shown: string
  sent: boolean
}

const makeRequest = (agents: Agents, lookup: Lookup) => {
  const inFlight = Semaphore.makeUnsafe(maxInFlight)
  return Effect.fn("OutboundHttp.request")(function* (request: OutboundRequest) {
    const journey: Journey = { shown: "(no URL)", sent: false }
    const timeout = request.timeout ?? defaultTimeout
    const milliseconds = Duration.toMillis(timeout)
    return yield* follow(agents, lookup, request, journey).pipe(
      inFlight.withPermit,
      Effect.timeoutOrElse({ duration: timeout, orElse: () => failure(journey, { _tag: "TimedOut", milliseconds }) })
    )
  })
}

const failure = (journey: Journey, reason: OutboundHttpReason) =>
  Effect.fail(new OutboundHttpError({ reason, url: journey.shown, requestSent: journey.sent }))

const follow = Effect.fnUntraced(function* (
  agents: Agents,
  lookup: Lookup,
  request: OutboundRequest,
  journey: Journey
) {
  const limit = request.maxRedirects ?? defaultMaxRedirects
  let headers = ownHeaders(request.headers ?? {}, request.body)
  let url: URL | null = URL.parse(request.url)
  let came: { readonly status: number; readonly byList: boolean } | undefined
  for (let hop = 0; ; hop++) {
    if (url === null) return yield* failure(journey, { _tag: "InvalidUrl", why: "it is no absolute URL" })
    journey.shown = shownUrl(url)
    const { addresses, byList, isPublic } = yield* judged(lookup, url, request.allowCidrs ?? [], journey)
    if (came !== undefined && byList && !came.byList) {
      return yield* failure(journey, {
        _tag: "RedirectRefused",
        status: came.status,
        why: "it leads from the public internet into an admitted network"
      })
    }
    yield* Effect.annotateCurrentSpan({ "http.request.method": request.method, "server.address": url.host })
    const response = yield* exchange(agents, request, url, headers, addresses, journey)
    const location = response.headers.location
    if (limit === 0 || location === undefined || !redirects.has(response.status)) return { ...response, isPublic }
    const refuse = (why: string) => failure(journey, { _tag: "RedirectRefused", status: response.status, why })
    if (response.status < 307 && request.method !== "GET" && request.method !== "HEAD")
      return yield* refuse(`it would turn ${request.method} into GET`)
    if (hop === limit) return yield* failure(journey, { _tag: "TooManyRedirects", limit })
    const next: URL | null = URL.parse(location, url.href)
    if (next === null) return yield* refuse("it names no URL")
    if (url.protocol === "https:" && next.protocol !== "https:") return yield* refuse("it leaves TLS")
    if (portOf(next) !== portOf(url) && next.port !== "") return yield* refuse("it names another port")
    came = { status: response.status, byList }
    if (next.origin !== url.origin) headers = withoutCredentials(headers)
    url = next
  }
})

/** An empty `port` means the default port of the scheme. */
const portOf = (url: URL): number => Number(url.port) || (url.protocol === "https:" ? 443 : 80)

const redirects = new Set([301, 302, 303, 307, 308])

const ownHeaders = (
  headers: Readonly<Record<string, string>>,
  body: OutboundRequest["body"]
): Record<string, string> => {
  const dropped = ["host", "connection", "content-length", "transfer-encoding", "expect", "upgrade"]
  const kept = Object.entries(headers).filter(([name]) => !dropped.includes(name.toLowerCase()))
  return {
    ...Object.fromEntries(kept),
    ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) })
  }
}

const withoutCredentials = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !["authorization", "cookie", "proxy-authorization"].includes(name.toLowerCase())
    )
  )

/** All addresses of the URL's host, checked. `byList`: an address is not public, but in an allowed network. */
const judged = Effect.fnUntraced(function* (
  lookup: Lookup,
  url: URL,
  allowCidrs: ReadonlyArray<Cidr>,
  journey: Journey
) {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return yield* failure(journey, { _tag: "InvalidUrl", why: "only http and https are served" })
  if (url.username !== "" || url.password !== "")
    return yield* failure(journey, { _tag: "InvalidUrl", why: "user name and password may not stand in it" })
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const literal = isIP(host)
  const addresses =
    literal > 0
      ? [{ address: host, family: literal }]
      : yield* Effect.tryPromise({
          try: () => lookup(host),
          catch: (error) =>
            new OutboundHttpError({
              reason: { _tag: "Unresolvable", code: codeOf(error) },
              url: journey.shown,
              requestSent: journey.sent
            })
        })
  if (addresses.length === 0) return yield* failure(journey, { _tag: "Unresolvable", code: "ENODATA" })
  const port = Number(url.port)
  let byList = false
  for (const { address } of addresses) {
    const verdict = judge(address, allowCidrs)
    if ("forbidden" in verdict)
      return yield* failure(journey, { _tag: "ForbiddenAddress", address, range: verdict.forbidden })
    byList ||= verdict.admitted === "byList"
    const servedPort = url.port === "" || port === 80 || port === 443 || port >= 1024
    if (verdict.admitted === "public" && !servedPort) return yield* failure(journey, { _tag: "ForbiddenPort", port })
  }
  return { addresses, byList, isPublic: addresses.every(({ address }) => "admitted" in judge(address)) }
})

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "unknown"

/** One request and its answer, on one socket to one of `addresses`. */
const exchange = (
  agents: Agents,
  request: OutboundRequest,
  url: URL,
  headers: Record<string, string>,
  addresses: ReadonlyArray<LookupAddress>,
  journey: Journey
): Effect.Effect<Received, OutboundHttpError> =>
  Effect.callback<Received, OutboundHttpError>((resume) => {
    const protocol = url.protocol === "https:" ? "https:" : "http:"
    // Safe methods. Source: RFC 9110 §9.2.1.
    const isSafe = request.method === "GET" || request.method === "HEAD"
    const fail = (reason: OutboundHttpReason) => resume(failure(journey, reason))
    let current: http.ClientRequest | undefined

    const start = (agent: http.Agent) => {
      journey.sent = false
      let phase: "connecting" | "handshake" | "sent" = "connecting"
      const options: https.RequestOptions & Pinned = {
        agent,
        method: request.method,
        headers,
        servername: isIP(url.hostname.replace(/^\[|\]$/g, "")) > 0 ? "" : url.hostname.replace(/\.$/, ""),
        lookup: (_host, wanted, callback) => {
          const [first] = addresses
          if (wanted.all || first === undefined)
            (callback as (error: null, all: ReadonlyArray<LookupAddress>) => void)(null, addresses)
          else callback(null, first.address, first.family)
        },
        pinnedAddresses: addresses
          .map(({ address }) => address)
          .toSorted()
          .join(",")
      }
      const write = () => {
        if (current !== outgoing || outgoing.destroyed) return
        phase = "sent"
        journey.sent = true
        outgoing.end(request.body)
      }
      const outgoing = (protocol === "https:" ? https : http).request(url, options, (answer) =>
        collect(answer, request, resume, fail)
      )
      current = outgoing
      outgoing.once("socket", (socket) => {
        if (!socket.connecting) return afterPoll(write)
        socket.once("connect", () => (protocol === "https:" ? (phase = "handshake") : write()))
        socket.once("secureConnect", write)
      })
      outgoing.on("error", (error) => {
        if (current !== outgoing) return
        const code = codeOf(error)
        // The receiver closed the idle socket of the pool. Sockets of the other agent are never idle.
        const mayRepeat = phase === "connecting" || isSafe
        if (outgoing.reusedSocket && mayRepeat && agent === agents.pooled[protocol] && stale.has(code))
          return start(agents.fresh[protocol])
        if (phase === "handshake") return fail({ _tag: "TlsFailed", code })
        fail(code.startsWith("HPE_") ? { _tag: "InvalidResponse", code } : { _tag: "ConnectionFailed", code })
      })
      // The answer ended without end and error events, for example by an unrequested upgrade.
      outgoing.once("close", () => current === outgoing && fail({ _tag: "ConnectionFailed", code: "closed" }))
    }
    start(agents.pooled[protocol])
    return Effect.sync(() => {
      const last = current
      // Its error is not one of a stale socket.
      current = undefined
      last?.destroy()
    })
  })

const stale = new Set(["ECONNRESET", "EPIPE"])

/**
 * Runs `act` after the event loop has read from all sockets, so that a pooled socket that the receiver has closed is
 * seen as closed. The first turn may be the one that is reading now.
 */
const afterPoll = (act: () => void): void => void setImmediate(() => setImmediate(act))

const collect = (
  answer: http.IncomingMessage,
  request: OutboundRequest,
  resume: (result: Effect.Effect<Received>) => void,
  fail: (reason: OutboundHttpReason) => void
) => {
  const limit = request.maxResponseBytes ?? defaultResponseBytes
  const chunks: Array<Buffer> = []
  let size = 0
  const done = (truncated: boolean) =>
    resume(
      Effect.succeed({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        body: Buffer.concat(chunks),
        truncated
      })
    )
  answer.on("data", (chunk: Buffer) => {
    chunks.push(chunk.subarray(0, limit - size))
    size += chunk.length
    if (size <= limit) return
    done(true)
    answer.destroy()
  })
  answer.once("end", () => done(false))
  answer.on("error", (error) => fail({ _tag: "ConnectionFailed", code: codeOf(error) }))
}
