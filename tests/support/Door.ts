/**
 * A TCP port of loopback before a server, that can be away in the ways a server is: nobody listens, or it takes
 * connections and bytes and says nothing, or a proxy answers in its place. Everything that was open is cut when the way
 * changes, but for a door that falls silent: there the line stands and nothing comes any more.
 */
import { Effect, type Scope } from "effect"
import { connect, createServer, type Server, type Socket } from "node:net"
import { freePort } from "./peers/Loopback.ts"

/** `answers`: these bytes to every request, then the end. */
export type DoorWay = "open" | "shut" | "mute" | { readonly answers: string }

/** The server behind: its port of loopback, or its Unix socket. */
export type Behind = { readonly port: number } | { readonly path: string }

export interface Door {
  readonly port: number
  readonly set: (way: DoorWay) => Effect.Effect<void>
  /** What clients sent through it so far. Unit: bytes. */
  readonly carried: () => number
}

/** What a reverse proxy says that finds nothing behind it. */
export const badGateway: DoorWay = {
  answers:
    "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 24\r\nConnection: close\r\n\r\n<html>Bad Gateway</html>"
}

/** Open at once, always on the same port; gone with the scope. */
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

/** Hands bytes and ends on, as long as the door is open; what comes meanwhile is lost. */
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
