/**
 * TLS relay for a phone that speaks plain TCP. It keeps one TLS connection to the server while the phone's own
 * connections come and go. Messages that arrive without a phone connection go to the port where the phone listens.
 */
import { Effect, type Scope } from "effect"
import { readFileSync } from "node:fs"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import * as Tls from "node:tls"

export interface TlsRelayOptions {
  /** Loopback port of the server, whose certificate the authority must have signed. */
  readonly port: number
  readonly authorityFile: string
  /** TCP port on which the phone listens. */
  readonly phonePort: number
}

/** Pause between two attempts to reach the phone. Unit: milliseconds. */
const pause = 50

/** Starts the relay. Returns its TCP port. */
export const make = (options: TlsRelayOptions): Effect.Effect<number, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<Relay>((resolve) => {
            const relay = relayOf(options)
            relay.server.listen(0, "127.0.0.1", () => resolve(relay))
          })
      ),
      ({ close }) => Effect.sync(close)
    ),
    ({ server }) => (server.address() as AddressInfo).port
  )

interface Relay {
  readonly server: Server
  readonly close: () => void
}

const relayOf = ({ authorityFile, phonePort, port }: TlsRelayOptions): Relay => {
  let closed = false
  let phone: Socket | undefined
  let secure: Tls.TLSSocket | undefined
  let trying = false
  const waiting: Array<Buffer> = []

  const opened = (): Tls.TLSSocket => {
    if (secure !== undefined) return secure
    const made = Tls.connect({ host: "127.0.0.1", port, ca: readFileSync(authorityFile) })
    made.on("data", (data: Buffer) => {
      waiting.push(data)
      deliver()
    })
    made.on("error", () => made.destroy()).on("close", () => ((secure = undefined), phone?.destroy()))
    return (secure = made)
  }
  const take = (socket: Socket) => {
    phone = socket
    socket.on("data", (data) => opened().write(data))
    socket.on("error", () => socket.destroy()).on("close", () => phone === socket && (phone = undefined))
    deliver()
  }
  const deliver = () => {
    if (phone !== undefined) {
      for (const data of waiting.splice(0)) phone.write(data)
    } else if (!trying && waiting.length > 0) {
      trying = true
      reach()
    }
  }
  const reach = () => {
    const socket = connect({ host: "127.0.0.1", port: phonePort })
    socket.once("connect", () => {
      trying = false
      take(socket)
    })
    socket.once("error", () => setTimeout(() => closed || reach(), pause))
  }
  const server = createServer(take)
  return {
    server,
    close: () => {
      closed = true
      server.close()
      phone?.destroy()
      secure?.destroy()
    }
  }
}
