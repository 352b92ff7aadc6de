/** A component that was never checked: API, badges, `/api/v2` and page agree that nothing is known to work. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { until } from "#support/Frame.ts"
import { startPlace } from "./StartedPage.ts"

it.live(
  "is unknown everywhere, and the name of its container nowhere",
  () =>
    Effect.gen(function* () {
      // Without an engine no check has an outcome.
      const { ask, folder, writeIncidents } = yield* startPlace({
        SIGNALBOX_CONTAINER_SOCKET: "/nonexistent/engine.sock"
      })
      const shop = { id: "shop", name: "Laden", name_en: "Shop", container: "secret-container-7" }
      writeIncidents([])
      writeFileSync(join(folder, "services.json"), JSON.stringify({ services: [shop] }))
      yield* until(
        "the files are read",
        Effect.map(
          Effect.all([ask("/api/v1/components"), ask("/api/v1/incidents")]),
          ([components, incidents]) => components.json.components[0]?.id === "shop" && incidents.json.total === 0
        ),
        30
      )
      const status = yield* ask("/api/v1/status")
      assert.deepStrictEqual(
        [status.json.status, status.json.components.map((one: any) => one.status)],
        ["unknown", ["unknown"]]
      )
      assert.strictEqual((yield* ask("/api/v1/components/shop")).json.status, "unknown")
      // The original has no word for unknown; clients read every other word as healthy.
      const summary = yield* ask("/api/v2/summary.json")
      assert.deepStrictEqual(
        [summary.json.status.indicator, summary.json.components.map((one: any) => one.status)],
        ["minor", ["degraded_performance"]]
      )
      assert.include((yield* ask("/badge.svg?lang=en")).text, "unknown")
      assert.include((yield* ask("/badge/shop.svg?lang=en")).text, "Shop: unknown")
      const page = yield* ask("/?lang=en")
      assert.include(page.text, "Waiting for the first check")
      assert.notInclude(page.text, "All systems are operational")
      for (const path of [
        "/api/v1/status",
        "/api/v1/components",
        "/api/v1/uptime",
        "/api/v2/summary.json",
        "/",
        "/feed.atom"
      ])
        assert.notInclude((yield* ask(path)).text, shop.container, path)
    }).pipe(Effect.scoped),
  120_000
)
