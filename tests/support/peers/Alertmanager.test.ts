import { it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect } from "vitest"
import * as Alertmanager from "./Alertmanager.ts"
import { describePeers } from "./DescribePeers.ts"
import { poll } from "./Loopback.ts"

/** An HTTP receiver that keeps received bodies. */
const sink = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly url: string; readonly bodies: Array<string>; readonly close: () => void }>((resolve) => {
        const bodies: Array<string> = []
        const server = createServer((request, response) => {
          let body = ""
          request
            .on("data", (chunk: Buffer) => (body += chunk.toString()))
            .on("end", () => {
              bodies.push(body)
              response.end()
            })
        })
        server.listen(0, "127.0.0.1", () =>
          resolve({
            url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
            bodies,
            close: () => {
              server.closeAllConnections()
              server.close()
            }
          })
        )
      })
  ),
  (opened) => Effect.sync(opened.close)
)

describePeers(["alertmanager"], "Alertmanager", () => {
  it.live(
    "calls the webhook once for each alert, also after it was killed and started again",
    () =>
      Effect.gen(function* () {
        const receiver = yield* sink
        const manager = yield* Alertmanager.make({ webhookUrl: receiver.url })
        const named = (name: string) =>
          Effect.promise(() => poll(async () => receiver.bodies.find((body) => body.includes(name)), 10_000))
        yield* manager.post([{ labels: { alertname: "one" } }, { labels: { alertname: "two" } }])
        expect(yield* named("one")).not.toContain("two")
        expect(yield* named("two")).toContain(`"status":"firing"`)
        yield* manager.kill9
        expect(yield* Effect.flip(manager.post([]))).toMatchObject({ reason: "CommandFailed" })
        yield* manager.restart
        yield* manager.post([{ labels: { alertname: "three" } }])
        expect(yield* named("three")).toContain("three")
      }),
    120_000
  )
})
