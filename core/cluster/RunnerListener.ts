/**
 * Server of the cluster port. Strangers cannot use it: nothing of a connection is decoded before the handshake has
 * proven the key (RunnerTls.ts), and places and time before that are limited.
 */
import { NodeSocket } from "@effect/platform-node"
import { Effect, Exit, Fiber, Result, Scope } from "effect"
import { RunnerAddress } from "effect/cluster"
import { inetAddressFromIpString } from "effect/net/NetAddress"
import { Socket, SocketServer } from "effect/socket"
import { type AddressInfo, createServer } from "node:net"
import { type TlsOptions, TLSSocket } from "node:tls"
import { type ListenFailed, listenFailed } from "../http/Listener.ts"
import { identityOf, secureContext } from "./RunnerTls.ts"

/** Limits of the port. Tests set smaller ones. */
export interface RunnerLimits {
  /**
   * Connections without a completed handshake; the oldest one makes room for a new one. Reason: a handshake of the
   * fleet takes milliseconds, and strangers must not keep its places.
   */
  readonly handshakes: number
  /** Connections of the fleet. Reason: each process opens two to every other one. */
  readonly connections: number
  /** Time limit for a handshake. Unit: milliseconds. Reason: the other side gives up earlier (RunnerDialer.ts). */
  readonly handshakeTimeout: number
  /** Limit without traffic. Unit: milliseconds. Reason: the other side sends a ping every 5 s. */
  readonly idleTimeout: number
}

export const runnerLimits: RunnerLimits = {
  handshakes: 64,
  connections: 256,
  handshakeTimeout: 5_000,
  idleTimeout: 60_000
}

/** Interval between log lines about refused connections. Unit: milliseconds. Reason: a flood must not fill the log. */
const logInterval = 60_000

export interface RunnerListenerOptions {
  readonly host: string
  /** Port 0: a free one. */
  readonly port: number
  readonly key: Uint8Array
  readonly limits?: Partial<RunnerLimits>
}

/** Listens until the scope ends. `address`: the host that was asked for, with the actual port. */
export const make = Effect.fnUntraced(function* (options: RunnerListenerOptions) {
  const { host, key } = options
  const limits = { ...runnerLimits, ...options.limits }
  const log = Effect.runForkWith(yield* Effect.context<never>())
  const handshaking = new Set<TLSSocket>()
  const connected = new Set<TLSSocket>()
  let take = (_socket: TLSSocket): void => undefined

  let loggedAt = -Infinity
  let refused = 0
  const refuse = (socket: TLSSocket, why: string): void => {
    refused += 1
    const now = performance.now()
    if (now - loggedAt >= logInterval) {
      loggedAt = now
      log(Effect.logWarning(`the cluster port refused ${refused} connections, the last one because ${why}`))
      refused = 0
    }
    socket.destroy()
  }

  const tls: TlsOptions & { readonly isServer: true } = {
    isServer: true,
    secureContext,
    pskCallback: (_socket, identity) => (identity === identityOf(address()) ? key : null)
  }
  const server = createServer((raw) => {
    const socket = new TLSSocket(raw, tls)
    if (handshaking.size >= limits.handshakes) {
      refuse(handshaking.values().next().value!, `${limits.handshakes} others had no key yet`)
    }
    handshaking.add(socket)
    const late = setTimeout(() => refuse(socket, "its handshake took too long"), limits.handshakeTimeout)
    socket.on("error", () => {
      if (handshaking.has(socket)) refuse(socket, "it has not the key of this process")
    })
    socket.once("close", () => {
      clearTimeout(late)
      handshaking.delete(socket)
      connected.delete(socket)
    })
    socket.once("secure", () => {
      clearTimeout(late)
      handshaking.delete(socket)
      if (connected.size >= limits.connections) return refuse(socket, `there are ${limits.connections} others`)
      connected.add(socket)
      socket.disableRenegotiation()
      socket.setTimeout(limits.idleTimeout, () => socket.destroy())
      socket.pause()
      take(socket)
    })
  })

  const address = () => {
    const bound = server.address()
    return RunnerAddress.make(host, typeof bound === "object" && bound !== null ? bound.port : options.port)
  }

  yield* Effect.acquireRelease(
    Effect.callback<void, ListenFailed>((resume) => {
      const failed = (error: NodeJS.ErrnoException) =>
        resume(Effect.fail(listenFailed({ ...options, setting: "SIGNALBOX_CLUSTER_PORT" }, error)))
      server.once("error", failed)
      server.listen({ host, port: options.port, exclusive: true }, () => {
        server.off("error", failed)
        // Usually the process has no file descriptors left; later connections can succeed.
        server.on("error", (error) => log(Effect.logWarning("a connection to the cluster port failed", error.message)))
        resume(Effect.void)
      })
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of [...handshaking, ...connected]) socket.destroy()
      })
  )

  /** Handles connections in fibers of their own, until it is interrupted. */
  const run: SocketServer.SocketServer["Service"]["run"] = Effect.fnUntraced(function* <R, E, A>(
    handler: (socket: Socket.Socket) => Effect.Effect<A, E, R>
  ) {
    const scope = yield* Scope.make()
    const track = Fiber.runIn(scope)
    const fork = Effect.runForkWith(yield* Effect.context<R>())
    take = (socket) =>
      void track(
        fork(
          NodeSocket.fromDuplex(opened(socket)).pipe(
            Effect.flatMap(handler),
            Effect.ignoreCause({ log: "Debug", message: "a connection to the cluster port failed" })
          )
        )
      )
    for (const socket of connected) take(socket)
    return yield* Effect.onExit(Effect.never, () => {
      take = () => undefined
      return Scope.close(scope, Exit.void)
    })
  })

  const bound = server.address() as AddressInfo
  const inet = Result.getOrThrow(inetAddressFromIpString(bound.address, bound.port))
  return { address: address(), server: SocketServer.SocketServer.of({ address: inet, run }) }
})

/** The connection as long as the reader's scope is open. */
const opened = (socket: TLSSocket) =>
  Effect.acquireRelease(
    Effect.suspend(() =>
      socket.destroyed
        ? Effect.fail(new Socket.SocketError({ reason: new Socket.SocketCloseError({ code: 1000 }) }))
        : Effect.succeed(socket)
    ),
    () => Effect.sync(() => socket.destroySoon())
  )
