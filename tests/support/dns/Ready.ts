// Readiness check of a DNS server.

import packet from "dns-packet"
import { createSocket } from "node:dgram"

/** Sends one query over UDP. True when an answer other than SERVFAIL arrives within 250 ms. */
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
    // SERVFAIL comes from servers whose zones are not loaded yet, or never load.
    socket.once("message", (message) => end((message[3]! & 0x0f) !== 2))
    socket.send(packet.encode({ id: 1, questions: [{ name, type: "SOA" }] }), port, address)
  })
