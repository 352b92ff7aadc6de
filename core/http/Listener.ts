/**
 * A node HTTP server with limits on header size and time, request time, connections and declared body length. Each
 * request passes ClientAddress.ts. The server routes nothing.
 */
import { Effect, Schema, type Scope } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { type BodyBound, maxBodySize } from "./BodyBounds.ts"
import { admit, answerOf, type Trusted } from "./ClientAddress.ts"
import { clientKey } from "./ClientKey.ts"
import { inUse } from "./PortHolder.ts"
import { rawProblem, sendProblem } from "./NodeProblem.ts"

/** Longest header block. Unit: bytes. Source: Node's default, as a named limit. */
export const maxHeaderSize = 16 * 1024
/** Time limit for the headers of a request. Unit: milliseconds. */
export const headersTimeout = 10_000
/** Time limit for a whole request. Unit: milliseconds. */
export const requestTimeout = 30_000
/**
 * Idle time after which a kept-alive connection is closed. Unit: milliseconds. Longer than nginx's 60 s, so nginx
 * closes first.
 */
export const keepAliveTimeout = 65_000
/** Maximum number of connections. Reason: a flood must not use up the file descriptors. */
export const maxConnections = 4096
/**
 * Maximum number of connections of one client address (IPv6: of its /64). Reason: one client must not take all places;
 * an office of 80 people with 6 connections each stays below. Trusted proxies carry many clients and are exempt.
 */
export const maxPerAddress = 512
/**
 * Interval at which Node checks for expired requests. Unit: milliseconds. Reason: its default of 30 s would exceed the
 * limits.
 */
const checkInterval = 1_000
/**
 * Time limit for an upload, a body that may exceed `maxBodySize`. Unit: milliseconds. Reason: 25 MiB at 256 kbit/s take
 * 14 min.
 */
export const uploadTimeout = 900_000
/** Longest pause within an upload. Unit: milliseconds. Reason: same as an ordinary request. */
export const uploadSilence = 30_000
/** Time for open requests to finish when the listener closes. Unit: milliseconds. */
const closeTimeout = 5_000
/** Interval at which a closing listener checks whether only upgraded sockets are left. Unit: milliseconds. */
const lookInterval = 50

export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void
export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Time limits, for tests with shorter ones. Unit: milliseconds. */
export interface Patience {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly checkInterval: number
  readonly uploadTimeout?: number
  readonly uploadSilence?: number
}

/** The port is in use or may not be bound. */
export class ListenFailed extends Schema.TaggedError<ListenFailed>()("ListenFailed", {
  address: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `cannot listen on ${this.address}: ${this.reason}`
  }
}

/** The failure of a server that cannot listen. `setting`: the variable of the port. */
export const listenFailed = (
  { host, port, setting }: { readonly host: string; readonly port: number; readonly setting?: string | undefined },
  error: NodeJS.ErrnoException
): ListenFailed =>
  new ListenFailed({
    address: `${host}:${port}`,
    reason: error.code === "EADDRINUSE" ? inUse(port, setting) : error.message
  })

/**
 * Opens the server. The scope closes it: no new connections, and open requests get some seconds. Returns the actual
 * port.
 */
export const listen = (options: {
  readonly host: string
  readonly port: number
  /** Variable of the port, named when the port is in use. */
  readonly setting?: string
  readonly listener: NodeListener
  readonly upgrade?: UpgradeListener
  readonly trusted: Trusted
  readonly patience?: Patience
  /** For tests with a smaller limit. */
  readonly maxPerAddress?: number
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
          admit(request, options.trusted, response)
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
      limitPerAddress(server, options.trusted, options.maxPerAddress ?? maxPerAddress)
      const handedOver = new Set<Duplex>()
      server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
        const answer = answerOf(socket)
        // An answer has started; more bytes would corrupt it.
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
          // Node hands over the bare socket; without a listener a reset connection would end the process.
          socket.on("error", () => socket.destroy())
          handedOver.add(socket)
          socket.once("close", () => handedOver.delete(socket))
          admit(request, options.trusted)
          upgrade(request, socket, head)
        })
      }
      server.once("error", (error: NodeJS.ErrnoException) => resume(Effect.fail(listenFailed(options, error))))
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
        // Does not wait for upgraded sockets; their owners close them and stop later.
        const look = setInterval(
          () => server.getConnections((_, open) => open <= handedOver.size && done()),
          lookInterval
        )
        server.close(done)
        server.closeIdleConnections()
      })
  )

/** Closes connections of a client address beyond `limit` at once. */
const limitPerAddress = (server: Server, trusted: Trusted, limit: number): void => {
  const open = new Map<string, number>()
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || trusted(address)) return
    const key = clientKey(address)
    const count = (open.get(key) ?? 0) + 1
    if (count > limit) return socket.destroy()
    open.set(key, count)
    socket.once("close", () => {
      const left = open.get(key)! - 1
      if (left === 0) open.delete(key)
      else open.set(key, left)
    })
  })
}

/** Node reports an expired request only once. An upload may continue as long as data arrives, up to its own limit. */
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
