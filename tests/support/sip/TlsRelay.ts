/** What a program without TLS says, said by TLS: takes TCP on a loopback port and passes it on. */
import { Effect, type Scope } from "effect"
import { readFileSync } from "node:fs"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { connect } from "node:tls"

/** The server must be known to the authority. Answers the port it takes. */
export const make = (port: number, authorityFile: string): Effect.Effect<number, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => new Promise<{ readonly server: Server; readonly open: Set<Socket> }>((resolve) => {
        const open = new Set<Socket>()
        const server = createServer((plain) => {
          const secure = connect({ host: "127.0.0.1", port, ca: readFileSync(authorityFile) })
          open.add(plain)
          plain.on("error", () => plain.destroy()).on("close", () => (secure.destroy(), open.delete(plain)))
          secure.on("error", () => secure.destroy()).on("close", () => plain.destroy())
          plain.pipe(secure).pipe(plain)
        })
        server.listen(0, "127.0.0.1", () => resolve({ server, open }))
      })),
      ({ open, server }) => Effect.sync(() => {
        server.close()
        for (const socket of open) socket.destroy()
      })
    ),
    ({ server }) => (server.address() as AddressInfo).port
  )
