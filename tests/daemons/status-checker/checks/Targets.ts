/**
 * Servers on loopback that do what a test says, honest and hostile ones. Gone with the scope, with all their
 * connections.
 */
import { Effect } from "effect"
import { createServer as createHttp, type RequestListener } from "node:http"
import { createServer as createRaw, type AddressInfo, type Server, type Socket } from "node:net"
import { createServer as createTls } from "node:tls"
import type { Certificate } from "./Certificates.ts"

const listening = <S extends Server>(make: () => S) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly port: number; readonly close: () => void }>((resolve) => {
          const open = new Set<Socket>()
          const server = make()
          server.on("connection", (socket: Socket) => {
            open.add(socket)
            socket.on("error", () => {}).once("close", () => open.delete(socket))
          })
          server.listen(0, "127.0.0.1", () =>
            resolve({
              port: (server.address() as AddressInfo).port,
              close: () => {
                server.close()
                for (const socket of open) socket.destroy()
              }
            })
          )
        })
    ),
    ({ close }) => Effect.sync(close)
  )

/** Its port. */
export const http = (listener: RequestListener) =>
  Effect.map(
    listening(() => createHttp(listener) as unknown as Server),
    ({ port }) => port
  )

/** `talk` has the connection for itself. */
export const raw = (talk: (socket: Socket) => void) =>
  Effect.map(
    listening(() => createRaw(talk)),
    ({ port }) => port
  )

export const tls = ({ cert, key }: Certificate) =>
  Effect.map(
    listening(() => createTls({ cert, key }, (socket) => void socket.on("error", () => {})) as unknown as Server),
    ({ port }) => port
  )

/** Writes for as long as anybody takes it. */
export const endlessly = (socket: Socket, chunk: string): void => {
  const go = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on("drain", go)
  go()
}

/** Writes a little now and again. */
export const trickle = (socket: Socket, chunk: string): void => {
  const timer = setInterval(() => socket.write(chunk), 20)
  socket.once("close", () => clearInterval(timer))
}
