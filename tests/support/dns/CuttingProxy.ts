/**
 * HTTP proxy between dns-verifier and a provider's API. It reports each change twice: before the provider gets it, and
 * after the provider made it but before dns-verifier gets the answer. Tests kill dns-verifier at these moments. The
 * proxy can also refuse changes.
 */
import { Effect, type Scope } from "effect"
import { HttpDouble } from "../HttpDouble.ts"

export interface CuttingProxy {
  readonly url: string
  /** Number of changes so far. */
  readonly changes: () => number
  /** Runs at both moments of each change; the first change has number 1. True: the request gets no answer. */
  onChange: (number: number, moment: "before" | "after") => boolean
  /** Status with which changes are refused; undefined: none are refused. */
  refusing: number | undefined
}

/** Starts a proxy in front of `target`; ends with the scope. */
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
