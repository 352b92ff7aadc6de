// A real Redis for a test, on its own loopback port, without persistence.

import { Effect, type Scope } from "effect"
import { connect } from "node:net"
import { requirePeer } from "./install.ts"
import { freePort, scratchFolder } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"
import * as ServerProcess from "./ServerProcess.ts"

export interface Redis extends ServerProcess.ServerProcess {
  readonly port: number
  /** Address of the server, `redis://127.0.0.1:PORT`. */
  readonly url: string
}

/** Starts a Redis; it ends with the scope. */
export const make: Effect.Effect<Redis, PeerError, Scope.Scope> = Effect.gen(function* () {
  const found = requirePeer("redis")
  if (!found.available) return yield* new PeerError({ peer: "redis", reason: "NotInstalled", message: found.reason })
  const port = yield* freePort
  const folder = yield* scratchFolder("redis")
  const server = yield* ServerProcess.make({
    peer: "redis",
    command: found.path,
    args: ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder],
    cwd: folder,
    isReady: () => ping(port),
    log: () => ""
  })
  return { ...server, port, url: `redis://127.0.0.1:${port}` }
})

/** Whether Redis answers an inline PING. */
const ping = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => socket.write("PING\r\n"))
    const finish = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.setTimeout(1_000, () => finish(false))
    socket.once("error", () => finish(false))
    socket.once("data", (data) => finish(data.toString().startsWith("+PONG")))
  })
