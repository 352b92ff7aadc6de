/** Sends one DNS query over TCP and receives its answer, for answers that do not fit into UDP. Source: RFC 7766. */
import { createConnection } from "node:net"
import type { ServerAddress } from "./ServerAddress.ts"

/**
 * Sends a query. Resolves once, with the answer or the reason why there is none. `timeout` is in milliseconds; the
 * length field limits the answer to 65,535 octets.
 */
export const tcpExchange = (
  server: ServerAddress,
  query: Buffer,
  timeout: number
): Promise<Buffer | "timeout" | "unreachable" | "malformed"> =>
  new Promise((resolve) => {
    const socket = createConnection({
      host: server.address,
      port: server.port,
      family: server.address.includes(":") ? 6 : 4
    })
    const chunks: Array<Buffer> = []
    let received = 0
    let expected = -1
    const end = (answer: Buffer | "timeout" | "unreachable" | "malformed") => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(() => end("timeout"), Math.max(0, timeout))
    socket.on("error", () => end(received === 0 ? "unreachable" : "malformed"))
    socket.on("close", () => end(received === 0 ? "unreachable" : "malformed"))
    socket.on("connect", () => {
      const framed = Buffer.allocUnsafe(query.length + 2)
      framed.writeUInt16BE(query.length, 0)
      query.copy(framed, 2)
      socket.write(framed)
    })
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk)
      received += chunk.length
      if (expected < 0 && received >= 2) expected = Buffer.concat(chunks).readUInt16BE(0)
      if (expected >= 0 && received >= expected + 2) end(Buffer.concat(chunks).subarray(2, expected + 2))
    })
  })
