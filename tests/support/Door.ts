/**
 * A TCP proxy on a loopback port that simulates failures of the server behind it. It can refuse connections, accept
 * bytes and stay silent, or answer like a failing reverse proxy. A change of mode cuts all open connections, except a
 * change to `mute`: the connections then stay open and carry nothing.
 */
import { Effect, type Scope } from "effect"
import { connect, createServer, type Server, type Socket } from "node:net"
import { freePort } from "./peers/Loopback.ts"

/** Mode of the door. `answers`: sends these bytes to every request, then closes. */
export type DoorWay = "open" | "shut" | "mute" | { readonly answers: string }

/** The server behind the door: its loopback port or its Unix socket. */
export type Behind = { readonly port: number } | { readonly path: string }

export interface Door {
  readonly port: number
  readonly set: (way: DoorWay) => Effect.Effect<void>
  /** Bytes that clients have sent through the door so far. */
  readonly carried: () => number
}

/** Answer of a reverse proxy that cannot reach its server. */
export const badGateway: DoorWay = {
  answers:
    "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 24\r\nConnection: close\r\n\r\n<html>Bad Gateway</html>"
}

/** Makes a door that is open at first. Its port never changes. The end of the scope closes it. */
export const make = (behind: Behind): Effect.Effect<Door, never, Scope.Scope> =>
  Effect.gen(function* () {
    const port = yield* freePort
    return yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const door = new Doorkeeper(port, behind)
        await door.turn("open")
        return door
      }),
      (door) => Effect.promise(() => door.turn("shut"))
    )
  })

class Doorkeeper implements Door {
  readonly port: number
  readonly #behind: Behind
  readonly #sockets = new Set<Socket>()
  #way: DoorWay = "shut"
  #carried = 0
  #server: Server | undefined

  constructor(port: number, behind: Behind) {
    this.port = port
    this.#behind = behind
  }

  set = (way: DoorWay) => Effect.promise(() => this.turn(way))

  carried = () => this.#carried

  async turn(way: DoorWay): Promise<void> {
    this.#way = way
    if (way !== "mute") for (const socket of this.#sockets) socket.destroy()
    if (way === "shut") {
      const server = this.#server
      this.#server = undefined
      if (server !== undefined) await new Promise<void>((resolve) => server.close(() => resolve()))
    } else if (this.#server === undefined) {
      const server = createServer((socket) => this.#welcome(socket))
      this.#server = server
      await new Promise<void>((resolve, reject) => server.once("error", reject).listen(this.port, "127.0.0.1", resolve))
    }
  }

  #welcome(client: Socket): void {
    this.#keep(client)
    const way = this.#way
    if (typeof way === "object") {
      client.once("data", () => client.end(way.answers))
      return
    }
    if (way !== "open") return void client.resume()
    const server = this.#keep(
      connect("port" in this.#behind ? { port: this.#behind.port, host: "127.0.0.1" } : { path: this.#behind.path })
    )
    client.on("data", (chunk: Buffer) => (this.#carried += chunk.length))
    pass(client, server, () => this.#way === "open")
    pass(server, client, () => this.#way === "open")
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket)
    socket.on("error", () => socket.destroy())
    socket.on("close", () => this.#sockets.delete(socket))
    return socket
  }
}

/** Forwards bytes and the end of the stream while the door is open; drops bytes otherwise. */
const pass = (from: Socket, to: Socket, open: () => boolean): void => {
  from.on("data", (chunk: Buffer) => {
    if (open() && !to.write(chunk)) {
      from.pause()
      to.once("drain", () => from.resume())
    }
  })
  from.on("close", () => {
    if (open()) to.destroy()
  })
}
