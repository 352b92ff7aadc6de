/** A TCP peer that sends any bytes a test wants, for behaviour that no real switch shows. */
import { Effect, type Scope } from "effect"
import { type AddressInfo, createServer, type Socket } from "node:net"

export interface RawSwitch {
  readonly port: number
  /** All text that clients sent. */
  readonly received: () => string
  readonly sockets: ReadonlyArray<Socket>
}

/** Starts the peer, which sends `greeting` first. `onText` gets each received piece of text. */
export const rawSwitch = (
  greeting: string,
  onText: (text: string, socket: Socket) => void
): Effect.Effect<RawSwitch, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<RawSwitch & { readonly close: () => void }>((resolve) => {
          const sockets: Array<Socket> = []
          let received = ""
          const server = createServer((socket) => {
            sockets.push(socket)
            socket.on("error", () => undefined)
            socket.setEncoding("utf8")
            socket.on("data", (text: string) => {
              received += text
              onText(text, socket)
            })
            socket.write(greeting)
          })
          server.listen(0, "127.0.0.1", () =>
            resolve({
              port: (server.address() as AddressInfo).port,
              received: () => received,
              sockets,
              close: () => {
                for (const socket of sockets) socket.destroy()
                server.close()
              }
            })
          )
        })
    ),
    ({ close }) => Effect.sync(close)
  )

export const authRequest = "Content-Type: auth/request\n\n"
export const reply = (text: string): string => `Content-Type: command/reply\nReply-Text: ${text}\n\n`
export const response = (body: string): string =>
  `Content-Type: api/response\nContent-Length: ${Buffer.byteLength(body)}\n\n${body}`
export const event = (headers: Readonly<Record<string, string>>): string => {
  const body = JSON.stringify(headers)
  return `Content-Length: ${Buffer.byteLength(body)}\nContent-Type: text/event-json\n\n${body}`
}

/** Handler that accepts any password and subscription. `onCommand` gets all other commands. */
export const accepting =
  (onCommand: (command: string, socket: Socket) => void) =>
  (text: string, socket: Socket): void => {
    for (const command of text.split("\n\n").filter((each) => each !== "")) {
      if (command.startsWith("auth ")) socket.write(reply("+OK accepted"))
      else if (command.startsWith("event ")) socket.write(reply("+OK event listener enabled json"))
      else onCommand(command, socket)
    }
  }
