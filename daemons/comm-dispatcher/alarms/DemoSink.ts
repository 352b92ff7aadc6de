/** A webhook receiver on a free loopback port, for `signalbox alarm send --demo`. */
import { Effect, type Scope } from "effect"
import { createServer } from "node:http"

export interface Arrived {
  readonly path: string
  readonly key: string
  readonly body: string
  readonly run_id: unknown
}

export interface Sink {
  readonly url: string
  /** `127.0.0.1:<port>`, the form that `admit` takes. */
  readonly host: string
  readonly arrived: () => ReadonlyArray<Arrived>
}

/** Longest body that is kept. Unit: bytes. Reason: an alarm's text has at most 64 Ki characters. */
const maxBody = 512 * 1024

/** Opens the receiver. The scope closes it. */
export const openSink: Effect.Effect<Sink, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.callback<Sink & { readonly close: () => void }>((resume) => {
      const arrived: Array<Arrived> = []
      const server = createServer((request, response) => {
        let body = ""
        request
          .setEncoding("utf8")
          .on("data", (chunk: string) => {
            if (body.length < maxBody) body += chunk
          })
          .on("end", () => {
            arrived.push({
              path: request.url ?? "",
              key: String(request.headers["idempotency-key"] ?? ""),
              body,
              run_id: runIdIn(body)
            })
            response.writeHead(204).end()
          })
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
        resume(
          Effect.succeed({
            url: `http://${host}/demo`,
            host,
            arrived: () => arrived,
            close: () => {
              server.close()
              server.closeAllConnections()
            }
          })
        )
      })
    }),
    (sink) => Effect.sync(sink.close)
  ),
  (sink) => sink
)

const runIdIn = (body: string): unknown => {
  try {
    return (JSON.parse(body) as { readonly run_id?: unknown }).run_id
  } catch {
    return undefined
  }
}
