// Whether a DNS server answers yet.

import packet from "dns-packet"
import { createSocket } from "node:dgram"

/** One question over UDP; true when an answer of whatever kind comes within a quarter of a second. */
export const answers = (address: string, port: number, name: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket(address.includes(":") ? "udp6" : "udp4")
    const end = (ready: boolean) => {
      clearTimeout(timer)
      socket.close()
      resolve(ready)
    }
    const timer = setTimeout(() => end(false), 250)
    socket.once("error", () => {})
    // A refusal is what a server says that has its zones not yet, or never will.
    socket.once("message", (message) => end((message[3]! & 0x0f) !== 2))
    socket.send(packet.encode({ id: 1, questions: [{ name, type: "SOA" }] }), port, address)
  })
