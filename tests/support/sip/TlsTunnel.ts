/** Adds TLS to the connections of a program that speaks plain TCP: one TLS connection for each of its connections. */
import { Effect, type Scope } from "effect"
import { readFileSync } from "node:fs"
import { type AddressInfo, createServer, type Socket } from "node:net"
import * as Tls from "node:tls"

export interface TlsTunnelOptions {
  /** Loopback port of the server, whose certificate for 127.0.0.1 the authority must have signed. */
  readonly port: number
  readonly authorityFile: string
}

/** Accepts plain TCP connections and forwards each to the server over TLS. Returns the port that it listens on. */
export const make = ({ authorityFile, port }: TlsTunnelOptions): Effect.Effect<number, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const ca = readFileSync(authorityFile)
        const sockets = new Set<Socket>()
        const server = createServer((plain) => {
          const secure = Tls.connect({ host: "127.0.0.1", port, ca })
          for (const [one, other] of [
            [plain, secure],
            [secure, plain]
          ] as const) {
            sockets.add(one)
            one.pipe(other)
            one.on("error", () => other.destroy())
            one.once("close", () => (sockets.delete(one), other.destroy()))
          }
        })
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        return { server, sockets }
      }),
      ({ server, sockets }) =>
        Effect.sync(() => {
          server.close()
          for (const socket of sockets) socket.destroy()
        })
    ),
    ({ server }) => (server.address() as AddressInfo).port
  )
