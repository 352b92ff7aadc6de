/** Baseline for the event socket: the WebSocket library alone, which sends a text to every client in a loop. */
import type { AddressInfo } from "node:net"
import { type WebSocket, WebSocketServer } from "ws"

/** Order to send `text` this many times to all clients. */
export interface Broadcast {
  readonly text: string
  readonly times: number
}

const clients = new Set<WebSocket>()
const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false })
server.on("connection", (socket) => {
  clients.add(socket)
  socket.on("error", () => undefined)
  socket.on("close", () => clients.delete(socket))
})

process.on("message", (order: Broadcast | "port") => {
  if (order === "port") return void process.send!({ port: (server.address() as AddressInfo).port })
  for (let round = 0; round < order.times; round++) for (const socket of clients) socket.send(order.text)
  process.send!("sent")
})
