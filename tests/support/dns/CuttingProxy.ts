/**
 * Stands between dns-verifier and a provider's HTTP interface and says when a change passes by: before it is made, or
 * when it is made and nobody was told yet. Whoever asked may be killed there. It can also refuse.
 */
import { Effect, type Scope } from "effect"
import { HttpDouble } from "../HttpDouble.ts"

export interface CuttingProxy {
  readonly url: string
  /** Changes that came so far, counting from 1. */
  readonly changes: () => number
  /** Runs at each change; true: it gets no answer any more. */
  onChange: (number: number, moment: "before" | "after") => boolean
  /** Refuses changes with this status while it is set. */
  refusing: number | undefined
}

/** In front of `target`; it is gone with the scope. */
export const make = (target: string): Effect.Effect<CuttingProxy, never, Scope.Scope> =>
  Effect.gen(function* () {
    let changes = 0
    const double = new HttpDouble(({ body, request, response }) => {
      void (async () => {
        const isChange = request.method !== "GET"
        const number = isChange ? ++changes : 0
        if (isChange && proxy.refusing !== undefined) {
          response
            .writeHead(proxy.refusing, { "content-type": "application/json" })
            .end(JSON.stringify({ error: "refused by the test" }))
          return
        }
        if (isChange && proxy.onChange(number, "before")) return
        const answer = await fetch(target + request.url!, {
          method: request.method!,
          headers: { "x-api-key": String(request.headers["x-api-key"]), "content-type": "application/json" },
          ...(body === "" ? {} : { body })
        })
        const text = await answer.text()
        if (isChange && proxy.onChange(number, "after")) return
        response
          .writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" })
          .end(answer.status === 204 ? undefined : text)
      })().catch(() => response.destroy())
    })
    const url = yield* Effect.acquireRelease(
      Effect.promise(() => double.start()),
      () => Effect.promise(() => double.stop())
    )
    const proxy: CuttingProxy = { url, changes: () => changes, onChange: () => false, refusing: undefined }
    return proxy
  })
