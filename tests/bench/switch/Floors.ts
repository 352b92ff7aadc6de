/**
 * Baselines for sip-config, each in a separate process, chosen by the argument. `fixed` is node:http that reads the
 * body and returns a constant. `read` is node:http with one indexed Postgres query per request.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { keepAliveTimeout } from "#core/http/Listener.ts"
import type { ConnectionTarget } from "#core/postgres/ConnectionTarget.ts"
import { toPgPool } from "#core/postgres/ConnectionTarget.ts"

/** The used part of package pg, which comes with the job engine and has no types. */
interface Pool {
  readonly query: (query: {
    readonly name: string
    readonly text: string
    readonly values: ReadonlyArray<unknown>
  }) => Promise<{ readonly rows: ReadonlyArray<unknown> }>
}
const pg = createRequire(import.meta.url)("pg") as { readonly Pool: new (options: object) => Pool }

/** Data with which a baseline starts. */
export interface FloorOrder {
  readonly answer: string
  readonly target: ConnectionTarget
}

/** Reads the body as one string, in the cheapest way of node:http. */
const body = (request: IncomingMessage, done: (body: string) => void) => {
  let text = ""
  request.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")))
  request.on("end", () => done(text))
}

const send = (response: ServerResponse, text: string) => {
  response.writeHead(200, {
    "content-type": "text/xml",
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(text)
  })
  response.end(text)
}

const servers: Readonly<
  Record<string, (order: FloorOrder) => (request: IncomingMessage, response: ServerResponse) => void>
> = {
  fixed:
    ({ answer }) =>
    (request, response) =>
      body(request, () => send(response, answer)),
  read: ({ answer, target }) => {
    const pool = new pg.Pool({ ...toPgPool(target), max: 10 })
    return (request, response) =>
      body(request, async (text) => {
        const [, user, domain] = /&user=([^&]*)&domain=d(\d+)/.exec(text)!
        const { rows } = await pool.query({
          name: "one",
          text: "select name, password from sip_config.extension where domain_id = $1 and lower(extension) = $2",
          values: [Number(domain), user]
        })
        send(response, rows.length === 1 ? answer : "none")
      })
  }
}

process.once("message", (order: FloorOrder) => {
  const server = createServer(servers[process.argv[2]!]!(order))
  server.keepAliveTimeout = keepAliveTimeout
  server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }))
})
process.on("disconnect", () => process.exit(0))
