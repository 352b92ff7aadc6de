/**
 * Listens on a TCP port or a unix socket for programs of this machine, and closes all connections with the scope. It
 * removes a unix socket file that a killed process left behind, but not one on which a process still listens.
 */
import { Effect, Schema, type Scope } from "effect"
import { chmodSync, unlinkSync } from "node:fs"
import { connect, type Server, type Socket } from "node:net"

/** Address to listen on. `port` 0: any free port. */
export type Place = { readonly host: string; readonly port: number } | { readonly path: string }

/**
 * Mode of a unix socket. Unit: permission bits. Reason: a connecting program needs the right to write. In a folder with
 * the setgid bit, the socket has the folder's group.
 */
const socketMode = 0o660

/** The port or socket is in use or may not be bound. `why` is a system error code. A later try can succeed. */
export class LocalListenError extends Schema.TaggedError<LocalListenError>()("LocalListenError", {
  address: Schema.String,
  why: Schema.String
}) {
  override get message(): string {
    return `cannot listen on ${this.address}: ${this.why}`
  }
}

export interface ListenOptions {
  readonly place: Place
  /** Further connections are closed at once. */
  readonly maxConnections: number
  /** Hears about connections that could not be accepted. */
  readonly trouble: (what: string, detail: string) => void
}

/** Opens the server; the scope closes it and its connections. Returns the bound port, 0 for a unix socket. */
export const listen = (
  server: Server,
  { maxConnections, place, trouble }: ListenOptions
): Effect.Effect<{ readonly port: number }, LocalListenError, Scope.Scope> =>
  Effect.gen(function* () {
    const sockets = new Set<Socket>()
    server.on("connection", (socket: Socket) => {
      sockets.add(socket)
      socket.once("close", () => sockets.delete(socket))
    })
    server.maxConnections = maxConnections
    server.on("drop", () => trouble("found no room", `${maxConnections} connections`))
    yield* Effect.acquireRelease(bind(server, place), () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
    )
    // Usually the process has no file descriptors left; later connections can succeed.
    server.on("error", (error) => trouble("could not be taken", error.message))
    const address = server.address()
    return { port: typeof address === "object" && address !== null ? address.port : 0 }
  })

const bind = (server: Server, place: Place): Effect.Effect<void, LocalListenError> =>
  listening(server, place).pipe(
    Effect.catchIf(
      (error) => "path" in place && error.code === "EADDRINUSE",
      (error) =>
        Effect.flatMap(abandoned("path" in place ? place.path : ""), (gone) => {
          if (!gone || !("path" in place)) return Effect.fail(error)
          unlinkSync(place.path)
          return listening(server, place)
        })
    ),
    Effect.mapError((error) => {
      const address = "path" in place ? place.path : `${place.host}:${place.port}`
      return new LocalListenError({ address, why: error.code ?? "unknown" })
    })
  )

const listening = (server: Server, place: Place): Effect.Effect<void, NodeJS.ErrnoException> =>
  Effect.callback<void, NodeJS.ErrnoException>((resume) => {
    const failed = (error: NodeJS.ErrnoException) => resume(Effect.fail(error))
    server.once("error", failed)
    server.listen("path" in place ? { path: place.path } : { ...place, exclusive: true }, () => {
      server.off("error", failed)
      if ("path" in place) chmodSync(place.path, socketMode)
      resume(Effect.void)
    })
  })

/** Whether the socket file exists but no process listens on it. */
const abandoned = (path: string): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const socket = connect({ path })
    socket.once("connect", () => {
      socket.destroy()
      resume(Effect.succeed(false))
    })
    socket.once("error", (error: NodeJS.ErrnoException) => resume(Effect.succeed(error.code === "ECONNREFUSED")))
  })
