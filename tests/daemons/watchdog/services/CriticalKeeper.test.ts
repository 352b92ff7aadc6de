/** Restarts by the watchdog over a real Podman: dependencies first, a budget, then a person. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Podman from "#support/peers/Podman.ts"
import { startSuite } from "#support/TestSuite.ts"

describePeers(["podman", "busybox-static"], "restarts of critical services", () => {
  it.live(
    "restarts what fails in dependency order, leaves the rest alone, and stops after the budget",
    () =>
      Effect.gen(function* () {
        const podman = yield* Podman.make
        yield* podman.run("db")
        yield* podman.run("web")
        yield* podman.run("other")
        // Ends at once, so a restart never helps.
        yield* podman.run("doomed", { script: "exit 7" })
        for (const name of ["web", "db", "other"]) yield* podman.stop(name)
        const suite = yield* startSuite({
          daemons: [watchdog],
          env: {
            SIGNALBOX_CONTAINER_SOCKET: podman.socketPath,
            WATCHDOG_ROOT_SOCKET: "/nonexistent/helper.sock",
            WATCHDOG_CRITICAL: "web(db), db, doomed",
            WATCHDOG_RESTART_INTERVAL: "1",
            WATCHDOG_RESTART_AFTER: "0",
            // The doomed container must have ended before the second look, a second after the first one.
            WATCHDOG_RESTART_PATIENCE: "1",
            WATCHDOG_RESTART_BUDGET: "2"
          }
        })
        const token = yield* suite.token
        const show = (name: string) =>
          Effect.map(suite.call("GET", `/api/v1/system/services/${name}`, { token }), ({ json }) => json)

        yield* until(
          "the budget of the doomed container is used up",
          Effect.map(show("doomed"), ({ gave_up }) => gave_up),
          90
        )
        // It is stored and told after that.
        const alerts = Effect.map(
          suite.call("GET", "/api/v1/monitoring/alerts?group=doomed", { token }),
          ({ json }) => json.items
        )
        yield* until(
          "a person is called",
          Effect.map(alerts, ({ length }) => length > 0),
          30
        )
        const restarts = yield* suite.sql<{ name: string; state: string; requested_by: string }>`
          select name, state, requested_by from watchdog.service_restart order by id`
        const named = (name: string) => restarts.filter((restart) => restart.name === name)
        expect(restarts[0]).toEqual({ name: "db", state: "succeeded", requested_by: "watchdog" })
        expect(restarts[1]).toEqual({ name: "web", state: "succeeded", requested_by: "watchdog" })
        expect(named("doomed").map(({ state }) => state)).toEqual(["failed", "failed"])
        expect(named("other")).toEqual([])
        expect(yield* show("web")).toMatchObject({ state: "running", critical: true, may_restart: true })
        expect(yield* show("other")).toMatchObject({ state: "stopped", critical: false, may_restart: false })
        // The state of the decision survives a restart of the watchdog.
        const [kept] = yield* suite.sql<{ restarts: number; gave_up: boolean }>`
          select cardinality(restarts) as restarts, gave_up_at is not null as gave_up
            from watchdog.critical_service where name = 'doomed'`
        expect(kept).toEqual({ restarts: 2, gave_up: true })
        // A person is called, once, in both languages, and the alert is of the service.
        expect(yield* alerts).toMatchObject([
          {
            key: "restart doomed",
            severity: "critical",
            state: "open",
            summary:
              "doomed still fails after 2 restarts in 60 minutes; the watchdog has stopped, and a person is needed",
            summary_de: expect.stringContaining("ein Mensch muss nachsehen")
          }
        ])
        const audit = yield* suite.sql`select 1 from core.audit
          where action = 'service.restarted' and actor = 'watchdog' and entity_id = 'doomed'`
        expect(audit).toHaveLength(2)
      }),
    180_000
  )
})
