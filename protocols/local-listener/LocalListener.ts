/**
 * Binds a server to a TCP port or a unix socket. It removes a unix socket file that a killed process left behind, but
 * not one on which a process still listens.
 */
import { Effect } from "effect"
import { chmodSync, unlinkSync } from "node:fs"
import { connect, type Server } from "node:net"
import { PostfixPolicyError } from "./PostfixPolicyError.ts"

/** Address to bind. `port` 0: any free port. */
export type Place = { readonly host: string; readonly port: number } | { readonly path: string }

/**
 * Mode of a unix socket. Unit: permission bits. Reason: Postfix runs as another user; the permissions of the folder
 * limit access.
 */
const socketMode = 0o666

export const bind = (server: Server, place: Place): Effect.Effect<void, PostfixPolicyError> =>
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
      return new PostfixPolicyError({ reason: { _tag: "Listen", address, why: error.code ?? "unknown" } })
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
