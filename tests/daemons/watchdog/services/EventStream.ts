/** Reads server-sent events of a test's request. Ends with the scope. */
import { Effect, type Scope } from "effect"
import { type IncomingMessage, request } from "node:http"

export interface EventStream {
  readonly status: number
  readonly contentType: string
  /** Waits for the next event with this name. */
  readonly next: (name: string) => Effect.Effect<any>
}

export const openEvents = (url: string, token: string): Effect.Effect<EventStream, never, Scope.Scope> =>
  Effect.gen(function* () {
    const waiting: Array<{ name: string; data: unknown }> = []
    const listeners = new Set<() => void>()
    let text = ""
    const { answer } = yield* Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<{ answer: IncomingMessage; outgoing: ReturnType<typeof request> }>((resolve, reject) => {
            const outgoing = request(url, { headers: { "x-service-token": token } }, (answer) =>
              resolve({ answer, outgoing })
            )
            outgoing.on("error", reject)
            outgoing.end()
          })
      ),
      ({ outgoing }) => Effect.sync(() => outgoing.destroy())
    )
    answer.on("error", () => {})
    answer.setEncoding("utf8")
    answer.on("data", (chunk: string) => {
      text += chunk
      for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        const name = /^event: (\w+)$/m.exec(block)?.[1]
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (name !== undefined) waiting.push({ name, data: JSON.parse(data ?? "null") })
      }
      for (const listener of listeners) listener()
    })
    const next = (name: string) =>
      Effect.callback<any>((resume) => {
        const look = () => {
          const at = waiting.findIndex((event) => event.name === name)
          if (at === -1) return
          listeners.delete(look)
          resume(Effect.succeed(waiting.splice(at, 1)[0]!.data))
        }
        listeners.add(look)
        look()
        return Effect.sync(() => listeners.delete(look))
      })
    return { status: answer.statusCode ?? 0, contentType: answer.headers["content-type"] ?? "", next }
  })
