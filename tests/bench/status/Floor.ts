/**
 * Baseline for prepared answers: bare node:http in a separate process that answers the same bytes and headers from
 * memory.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { keepAliveTimeout } from "#core/http/Listener.ts"
import type { FloorOrder } from "../load/Sample.ts"

process.once("message", ({ body, headers, status = 200 }: FloorOrder) => {
  const [bytes, lines] = [Buffer.from(body), [...headers]]
  const server = createServer((_, response) => {
    response.writeHead(status, lines)
    response.end(bytes)
  })
  server.keepAliveTimeout = keepAliveTimeout
  server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }))
})
process.on("disconnect", () => process.exit(0))
