/** Order of restarts over an engine of the test, in which a dependency fails within a round of looks. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:http"
import { join } from "node:path"
import { expect } from "vitest"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import { until } from "#support/Frame.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"

/** An engine with containers `db` and `web`. `web` has failed. `db` fails after the first look that found it well. */
const engine = Effect.gen(function* () {
  const socketPath = join(yield* temporaryDirectory(), "engine.sock")
  const running = new Map([
    ["db", true],
    ["web", false]
  ])
  const looks: Array<string> = []
  const restarts: Array<string> = []
  const server = createServer((request, response) => {
    const [, name = "", verb] = /\/containers\/(\w+)\/(json|restart)/.exec(request.url ?? "") ?? []
    if (verb === "restart") {
      restarts.push(name)
      running.set(name, true)
      response.writeHead(204).end()
      return
    }
    const isRunning = running.get(name)
    if (isRunning === undefined) {
      response.writeHead(404).end("{}")
      return
    }
    if (looks.push(name) === 1) running.set("db", false)
    const State = { Status: isRunning ? "running" : "exited", Running: isRunning, ExitCode: 1, OOMKilled: false }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ State }))
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(socketPath, resolve))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  return { socketPath, looks, restarts }
})

it.live(
  "a dependency that fails after the round's look at it is restarted before the service that needs it",
  () =>
    Effect.gen(function* () {
      const { looks, restarts, socketPath } = yield* engine
      yield* startSuite({
        daemons: [watchdog],
        env: {
          SIGNALBOX_CONTAINER_SOCKET: socketPath,
          WATCHDOG_ROOT_SOCKET: "/nonexistent/helper.sock",
          WATCHDOG_CRITICAL: "db, web(db)",
          WATCHDOG_RESTART_INTERVAL: "1",
          WATCHDOG_RESTART_AFTER: "0",
          WATCHDOG_RESTART_PATIENCE: "5",
          SIGNALBOX_WATCHDOG_SECOND_MS: "200"
        }
      })
      yield* until(
        "both are restarted",
        Effect.sync(() => restarts.length >= 2)
      )
      // The first round saw `db` well before it saw that `web` had failed.
      expect(looks.slice(0, 2)).toEqual(["db", "web"])
      expect(restarts).toEqual(["db", "web"])
    }),
  120_000
)
