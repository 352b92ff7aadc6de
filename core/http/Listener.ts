/**
 * A node HTTP server with every bound set: header size and time, request time, connections, body by its declared length.
 * It also decides who the client is and strips what only we may say: identity headers always, forwarded headers unless
 * the peer is a trusted proxy. It routes nothing.
 */
import { Effect, Schema, type Scope } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import ipaddr from "ipaddr.js"
import type { BodyBound } from "./BodyBounds.ts"
import { rawProblem, sendProblem } from "./NodeProblem.ts"

/** Longest header block. Unit: bytes. Source: node's own default, kept as a named bound. */
export const maxHeaderSize = 16 * 1024
/** A client must have sent its headers by then. Unit: milliseconds. */
export const headersTimeout = 10_000
/** A client must have sent its whole request by then. Unit: milliseconds. */
export const requestTimeout = 30_000
/** An idle kept connection is closed after this. Unit: milliseconds. Longer than nginx's 60 s, so that it closes first. */
export const keepAliveTimeout = 65_000
/** Connections at once. Unit: connections. Reason: a flood must not take the descriptors the mail side needs. */
export const maxConnections = 4096
/** How often node looks for clients past their time. Unit: milliseconds. Reason: its own 30 s would outlast the bounds. */
const checkInterval = 1_000
/** Longest body of an ordinary call. Unit: bytes. Uploads declare their own. */
export const maxBodySize = 1024 * 1024
/** An upload (a body that may be longer than `maxBodySize`) must have come by then. Unit: milliseconds. Reason: 25 MiB over 256 kbit/s take 14 min. */
export const uploadTimeout = 900_000
/** An upload of which nothing came for this long is cut off. Unit: milliseconds. Reason: as an ordinary request. */
export const uploadSilence = 30_000
/** How long open requests may finish when the listener closes. Unit: milliseconds. */
const closeTimeout = 5_000
/** How often a closing listener looks whether only upgraded sockets are left. Unit: milliseconds. */
const lookInterval = 50

export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void
export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** The bounds on time, for tests that cannot wait that long. Unit: milliseconds. */
export interface Patience {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly checkInterval: number
  readonly uploadTimeout?: number
  readonly uploadSilence?: number
}

/** The port is taken, or may not be bound. */
export class ListenFailed extends Schema.TaggedError<ListenFailed>()("ListenFailed", {
  address: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `cannot listen on ${this.address}: ${this.reason}`
  }
}

/** Opens the server; the scope closes it: no new connections, open requests get some seconds. Answers the real port. */
export const listen = (options: {
  readonly host: string
  readonly port: number
  readonly listener: NodeListener
  readonly upgrade?: UpgradeListener
  readonly trusted: Trusted
  readonly patience?: Patience
  /** Longest body by target. Default: `maxBodySize`. */
  readonly maxBody?: BodyBound
}): Effect.Effect<{ readonly port: number; readonly server: Server }, ListenFailed, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<
      { readonly port: number; readonly server: Server; readonly handedOver: ReadonlySet<Duplex> },
      ListenFailed
    >((resume) => {
      const patience = options.patience ?? { headersTimeout, requestTimeout, checkInterval }
      const maxBody = options.maxBody ?? (() => maxBodySize)
      const server = createServer(
        {
          maxHeaderSize,
          headersTimeout: patience.headersTimeout,
          requestTimeout: patience.requestTimeout,
          connectionsCheckingInterval: patience.checkInterval,
          keepAliveTimeout
        },
        (request, response) => {
          admit(request, options.trusted).answer = response
          const declared = request.headers["content-length"]
          if (declared !== undefined && Number(declared) > maxBodySize) {
            const bound = maxBody(request.url ?? "/")
            if (Number(declared) > bound) {
              sendProblem(response, 413, `At most ${bound} bytes.`)
              return
            }
          }
          options.listener(request, response)
        }
      )
      server.maxConnections = maxConnections
      const handedOver = new Set<Duplex>()
      server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
        const answer = (socket as PeerSocket)[peerKey]?.answer
        // In the middle of an answer more bytes would only garble it.
        if (!socket.writable || error.code === "ECONNRESET" || (answer?.headersSent && !answer.writableFinished)) {
          return socket.destroy()
        }
        if (
          error.code === "ERR_HTTP_REQUEST_TIMEOUT" &&
          answer !== undefined &&
          !answer.req.complete &&
          maxBody(answer.req.url ?? "/") > maxBodySize
        ) {
          return waitForUpload(answer, patience)
        }
        socket.end(
          rawProblem(error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400)
        )
      })
      if (options.upgrade !== undefined) {
        const { upgrade } = options
        server.on("upgrade", (request, socket, head) => {
          // Node hands the bare socket over; without a listener a reset connection would end the process.
          socket.on("error", () => socket.destroy())
          handedOver.add(socket)
          socket.once("close", () => handedOver.delete(socket))
          admit(request, options.trusted)
          upgrade(request, socket, head)
        })
      }
      server.once("error", (error: NodeJS.ErrnoException) =>
        resume(
          Effect.fail(
            new ListenFailed({
              address: `${options.host}:${options.port}`,
              reason: error.code === "EADDRINUSE" ? "the port is in use by another program" : error.message
            })
          )
        )
      )
      server.listen(options.port, options.host, () => {
        const address = server.address()
        resume(
          Effect.succeed({
            server,
            handedOver,
            port: typeof address === "object" && address !== null ? address.port : 0
          })
        )
      })
    }),
    ({ handedOver, server }) =>
      Effect.callback<void>((resume) => {
        const timer = setTimeout(() => server.closeAllConnections(), closeTimeout)
        const done = () => {
          clearTimeout(timer)
          clearInterval(look)
          resume(Effect.void)
        }
        // Upgraded sockets are not waited for: whoever took them ends them, and is stopped after us.
        const look = setInterval(
          () => server.getConnections((_, open) => open <= handedOver.size && done()),
          lookInterval
        )
        server.close(done)
        server.closeIdleConnections()
      })
  )

/** Node says once that a request takes too long, and asks no more; an upload has longer, as long as something comes. */
const waitForUpload = (answer: ServerResponse, patience: Patience): void => {
  const { socket } = answer.req
  const end = Date.now() + (patience.uploadTimeout ?? uploadTimeout) - patience.requestTimeout
  let read = socket.bytesRead
  answer.shouldKeepAlive = false
  const timer = setInterval(() => {
    if (socket.bytesRead > read && Date.now() < end) {
      read = socket.bytesRead
      return
    }
    clearInterval(timer)
    if (answer.headersSent) socket.destroy()
    else socket.end(rawProblem(408))
  }, patience.uploadSilence ?? uploadSilence)
  const done = () => clearInterval(timer)
  answer.req.once("end", done)
  answer.once("close", done)
  socket.once("close", done)
}

/** Whether a hop may speak for its client. */
export type Trusted = (address: string) => boolean

/** Builds the test from CIDRs (`SIGNALBOX_TRUSTED_PROXIES`). An address that cannot be read is not trusted. */
export const trustedFrom = (cidrs: ReadonlyArray<string>): Trusted => {
  const ranges = cidrs.map((cidr) => ipaddr.parseCIDR(cidr))
  return (address) => {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range as never, bits))
  }
}

/** The loopback ranges: what is trusted when nothing is configured. */
export const loopback: ReadonlyArray<string> = ["127.0.0.0/8", "::1/128"]

const clientKey = Symbol("client")
const peerKey = Symbol("peer")

/** What stays the same for a connection is found out once: parsing its address costs more than a whole fast answer. */
interface Peer {
  readonly address: string
  readonly mayForward: boolean
  /** Whom it spoke for last, and by which words. */
  chain: string | undefined
  client: string
  /** The latest answer on the connection. */
  answer: ServerResponse | undefined
}

type PeerSocket = Duplex & { [peerKey]?: Peer }
type AdmittedRequest = IncomingMessage & { [clientKey]?: string }

/** The client's address: the peer's, or what trusted proxies say it is. Never an unchecked header. */
export const clientAddress = (request: IncomingMessage): string =>
  (request as AdmittedRequest)[clientKey] ?? plain(request.socket.remoteAddress ?? "unknown")

const forwarded = /^(forwarded$|x-forwarded-|x-original-|x-real-ip$)/
const identity = /^(x-auth-|remote-(user|name|email|groups)$)/

/**
 * Whether a name of the raw list, in any case, begins as those do that have to be stripped: with `rem` or `x-a`, of whom may not speak for others also
 * with `f` or `x-`. What a trusted proxy sends with every request is not looked at twice.
 */
const suspicious = (name: string, mayForward: boolean): boolean => {
  // Setting the bit makes an ASCII letter lower case.
  const letter = name.charCodeAt(0) | 0x20
  if (letter === 0x78) return !mayForward || (name.charCodeAt(2) | 0x20) === 0x61
  // `rem`: `Referer` is sent by every browser.
  return (letter === 0x72 && (name.charCodeAt(2) | 0x20) === 0x6d) || (letter === 0x66 && !mayForward)
}

const admit = (request: IncomingMessage, trusted: Trusted): Peer => {
  const peer = peerOf(request.socket, trusted)
  const target = request.url ?? "/"
  if (!target.startsWith("/")) request.url = originForm(target)
  const names = request.rawHeaders
  for (let index = 0; index < names.length; index += 2) {
    if (!suspicious(names[index]!, peer.mayForward)) continue
    strip(request, peer.mayForward)
    break
  }
  const chain = peer.mayForward ? request.headers["x-forwarded-for"] : undefined
  ;(request as AdmittedRequest)[clientKey] = chain === undefined ? peer.address : clientOf(peer, String(chain), trusted)
  return peer
}

/** A proxy's connection carries one client after the other, and mostly the same for a while. */
const clientOf = (peer: Peer, chain: string, trusted: Trusted): string => {
  if (peer.chain !== chain) {
    peer.client = resolveClient(peer.address, chain, trusted)
    peer.chain = chain
  }
  return peer.client
}

const peerOf = (socket: PeerSocket & { readonly remoteAddress?: string | undefined }, trusted: Trusted): Peer => {
  const known = socket[peerKey]
  if (known !== undefined) return known
  const address = plain(socket.remoteAddress ?? "unknown")
  return (socket[peerKey] = {
    address,
    mayForward: trusted(address),
    chain: undefined,
    client: address,
    answer: undefined
  })
}

const strip = (request: IncomingMessage, mayForward: boolean) => {
  const headers = request.headers
  let stripped = false
  for (const name in headers) {
    if (!identity.test(name) && (mayForward || !forwarded.test(name))) continue
    delete headers[name]
    stripped = true
  }
  if (stripped) stripRaw(request, mayForward)
}

/** The raw list keeps pairs; what is read from it must not see what was stripped. */
const stripRaw = (request: IncomingMessage, mayForward: boolean) => {
  request.rawHeaders = request.rawHeaders.filter((_, index, raw) => {
    const name = raw[index - (index % 2)]!.toLowerCase()
    return !identity.test(name) && (mayForward || !forwarded.test(name))
  })
}

/** A target in absolute form is the same request as its path. Source: RFC 9112 §3.2.2. */
const originForm = (target: string): string => target.replace(/^https?:\/\/[^/?#]*\/?/i, "/")

/** Walks the chain from the nearest hop outward and stops at the first that is not trusted. Pure. */
export const resolveClient = (
  peer: string,
  chain: string | ReadonlyArray<string> | undefined,
  trusted: Trusted
): string => {
  const hops = String(chain ?? "")
    .split(",")
    .map((hop) => plain(hop.trim()))
    .filter((hop) => hop !== "")
  let client = peer
  for (const hop of hops.reverse()) {
    if (!trusted(client) || !ipaddr.isValid(hop)) break
    client = hop
  }
  return client
}

/** IPv4 in IPv6 clothes is IPv4. */
const plain = (address: string): string =>
  address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address
