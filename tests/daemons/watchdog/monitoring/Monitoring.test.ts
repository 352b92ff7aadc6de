/** The monitoring as a whole: checks of operators, their endpoints, and two processes. */
import { it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { expect } from "vitest"
import * as Door from "#support/Door.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { host, startMonitoring } from "./MonitoringSuite.ts"

const target = Effect.gen(function* () {
  let status = 200
  const server = createServer((_request, response) => void response.writeHead(status).end("all is well"))
  const port = yield* Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<number>((resolve) => {
          server.listen(0, "127.0.0.1", () => resolve((server.address() as { readonly port: number }).port))
        })
    ),
    () => Effect.sync(() => void server.close())
  )
  return { port, url: `http://127.0.0.1:${port}/`, answer: (wanted: number) => Effect.sync(() => (status = wanted)) }
})

it.live(
  "HTTP, TCP and command checks fire once, recover once, and are quiet in between",
  () =>
    Effect.gen(function* () {
      const web = yield* target
      const door = yield* Door.make({ port: web.port })
      const commands = join(yield* temporaryDirectory(), "checks")
      mkdirSync(commands)
      const script = (code: number) => {
        writeFileSync(
          join(commands, "plugin"),
          `#!/bin/sh\necho "RAID $1 \${DATABASE_URL:-clean} | disks=4"\nexit ${code}\n`
        )
        chmodSync(join(commands, "plugin"), 0o755)
      }
      script(0)
      const place = yield* startMonitoring({ env: { SIGNALBOX_MONITOR_COMMANDS: commands } })
      const added = yield* place.add({ name: "web", definition: { type: "http", url: web.url, contains: "is well" } })
      expect(added).toMatchObject({ key: "check web", origin: "operator", group: "host 127.0.0.1", status: "pending" })
      yield* place.add({ name: "door", definition: { type: "tcp", host: "127.0.0.1", port: door.port } })
      yield* place.add({ name: "raid", host, definition: { type: "command", program: "plugin", arguments: ["$(id)"] } })
      const keys = ["check web", "check door", "check raid"]
      yield* Effect.forEach(keys, (key) => place.shows(key, "ok"), { concurrency: 3 })
      expect(yield* place.check("check raid")).toMatchObject({ value: 4, detail: "RAID $(id) clean" })
      expect(place.alerts.told).toEqual([])

      yield* web.answer(503)
      yield* door.set("shut")
      script(2)
      yield* Effect.forEach(keys, (key) => place.shows(key, "critical"), { concurrency: 3 })
      yield* Effect.forEach(keys, (key) => place.hears(key, "opened"))
      expect(place.alerts.told.find(({ key }) => key === "check web")?.report).toMatchObject({
        group: "host 127.0.0.1",
        severity: "critical",
        summary: "check web: answered 503"
      })
      // Nothing changes, so nothing is told.
      yield* place.runs("check web", 2)
      yield* Effect.forEach(keys, (key) => place.hears(key, "opened"))
      const metrics = (yield* place.call("GET", "/metrics", { token: yield* place.token })).text
      expect(metrics).toMatch(/signalbox_check_status\{[^}]*key="check web"[^}]*\} 2/)

      yield* web.answer(200)
      yield* door.set("open")
      script(0)
      yield* Effect.forEach(keys, (key) => place.hears(key, "opened", "closed"), { concurrency: 3 })
      yield* Effect.forEach(keys, (key) => place.shows(key, "ok"))

      const shown = (yield* place.send("GET", `/${added.id}?hours=1`)).json
      expect(shown.resolution_s).toBe(0)
      expect(shown.history.map(({ status }: any) => status)).toEqual(expect.arrayContaining(["ok", "critical"]))
      const hourly = (yield* place.send("GET", `/${added.id}?hours=100`)).json
      expect(hourly.resolution_s).toBe(3_600)
      // The test may run over the end of an hour.
      expect(hourly.history.map(({ status }: any) => status)).toContain("critical")
      const [sum] = yield* place.sql<{
        samples: number
        checks: number
      }>`select (select count(*)::int from watchdog.monitoring_sample) as samples, sum(checks)::int as checks
        from watchdog.monitoring_hour`
      expect(sum!.checks).toBe(sum!.samples)
    }).pipe(Effect.scoped),
  400_000
)

it.live(
  "a removed or disabled check closes its alert, and a changed one begins anew",
  () =>
    Effect.gen(function* () {
      const place = yield* startMonitoring()
      const closed = { type: "tcp", host: "127.0.0.1", port: 1 }
      const first = yield* place.add({ name: "first", definition: closed })
      const second = yield* place.add({ name: "second", definition: closed })
      const third = yield* place.add({ name: "third", definition: closed, failures: 1 })
      const keys = ["check first", "check second", "check third"]
      yield* Effect.forEach(keys, (key) => place.hears(key, "opened"), { concurrency: 3 })
      expect((yield* place.send("DELETE", `/${first.id}`)).status).toBe(204)
      expect((yield* place.send("PUT", `/${second.id}`, { enabled: false })).json).toMatchObject({
        enabled: false,
        status: "pending",
        alerting: false
      })
      const web = yield* target
      yield* place.send("PUT", `/${third.id}`, { definition: { type: "http", url: web.url }, warning: 60_000 })
      yield* place.shows("check third", "ok")
      expect(yield* place.check("check third")).toMatchObject({
        kind: "http",
        unit: "milliseconds",
        thresholds: { warning: 60_000 }
      })
      yield* place.runs("check third", 2)
      for (const key of keys) yield* place.hears(key, "opened", "removed")
      expect(yield* place.check("check first")).toBeUndefined()
      expect((yield* place.send("GET", `/${first.id}`)).status).toBe(404)
      expect((yield* place.send("POST", `/${second.id}/run`)).json.code).toBe("check_disabled")
      // Enabled again, it fires again.
      yield* place.send("PUT", `/${second.id}`, { enabled: true })
      yield* place.hears("check second", "opened", "removed", "opened")
      const { text } = yield* place.call("GET", "/metrics", { token: yield* place.token })
      expect(text).not.toContain(`key="check first"`)
    }).pipe(Effect.scoped),
  400_000
)

it.live(
  "endpoints are for the provider, refuse what is wrong, and run a check at once",
  () =>
    Effect.gen(function* () {
      const place = yield* startMonitoring({ env: { SIGNALBOX_MONITOR_INTERVAL: "3600" } })
      const web = yield* target
      const definition = { type: "http", url: web.url }
      const check = yield* place.add({ name: "Prüfung", definition })
      yield* place.shows("check Prüfung", "ok")
      const refusals: ReadonlyArray<readonly [object, number]> = [
        [{ name: "Prüfung", definition }, 409],
        [{ name: "x", definition: { type: "http", url: "ftp://a/" } }, 422],
        [{ name: "x", definition: { type: "http", url: "http://user:secret@a/" } }, 422],
        [{ name: "x", definition: { type: "tcp", host: "a b", port: 1 } }, 422],
        [{ name: "x", definition: { type: "command", program: "../../bin/sh" } }, 422],
        [{ name: "x", definition: { type: "command", program: ".." } }, 422],
        [{ name: "x\u0000", definition }, 422],
        [{ name: "x", definition, timeout_s: 9_999 }, 422],
        [{ name: "x", definition, interval_s: 9 }, 422],
        [{ name: "x", definition, warning: 5, critical: 4 }, 422],
        [{ name: "x", definition: { type: "certificate", host: "a", port: 1 }, warning: 5, critical: 6 }, 422]
      ]
      for (const [body, status] of refusals)
        expect([body, (yield* place.send("POST", "", body)).status]).toEqual([body, status])
      const often = { name: "as often as possible", definition, interval_s: 10 }
      expect((yield* place.send("POST", "", often)).status).toBe(201)
      // A user of a customer has no access, whatever the permissions; neither has one without the permission.
      for (const who of ["user:2:*", "user:1:mail.read"])
        for (const [method, path] of [
          ["GET", ""],
          ["GET", `/${check.id}`],
          ["POST", ""],
          ["PUT", `/${check.id}`],
          ["DELETE", `/${check.id}`],
          ["POST", `/${check.id}/run`]
        ] as const)
          expect(
            (yield* place.send(
              method,
              path,
              method === "PUT" || (path === "" && method === "POST") ? { name: "y", definition } : undefined,
              who
            )).status
          ).toBe(403)
      expect((yield* place.send("GET", "", undefined, "user:1:system.read")).status).toBe(200)
      expect((yield* place.send("PUT", `/${check.id}`, {})).status).toBe(422)
      expect((yield* place.send("PUT", `/${check.id}`, { warning: 9, critical: 1 })).status).toBe(422)

      const before = (yield* place.check("check Prüfung")).checked_at
      const run = yield* place.send("POST", `/${check.id}/run`)
      expect(run.status).toBe(202)
      yield* place.until(
        "it ran",
        Effect.map(place.check("check Prüfung"), (found) => found.checked_at > before)
      )
      expect(
        (yield* place.send("GET", "?q=prüf&kind=http&status=ok&origin=operator&alerting=false")).json.items
      ).toHaveLength(1)
      expect((yield* place.send("GET", "?q=nothing")).json.items).toHaveLength(0)
      const audit = yield* place.sql<{ action: string }>`select action from core.audit order by id`
      const added = "monitoring_check.added"
      expect(audit.map(({ action }) => action)).toEqual([added, added, "monitoring_check.run"])
    }).pipe(Effect.scoped),
  400_000
)

it.live(
  "of two processes on a machine one runs the checks, and the other takes over",
  () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const database = yield* freshDatabase
      const first = yield* Scope.provide(startMonitoring({ database }), scope)
      yield* first.add({ name: "dead", definition: { type: "tcp", host: "127.0.0.1", port: 1 } })
      yield* first.hears("check dead", "opened")
      const second = yield* startMonitoring({ database })
      yield* first.runs("check dead", 2)
      const noteOf = ({ call }: typeof second) =>
        Effect.map(
          call("GET", "/health"),
          ({ json }) => json.actors.find(({ name }: any) => name === "checks of the installation")?.note
        )
      yield* second.until(
        "the second one waits",
        Effect.map(noteOf(second), (note) => note === "another process runs these checks")
      )
      yield* Scope.close(scope, Exit.void)
      yield* second.until(
        "the second one took over",
        Effect.map(noteOf(second), (note) => note === "1 checks")
      )
      yield* second.runs("check dead", 2)
      // It knows from the database that the alert is open.
      expect(second.alerts.told).toEqual([])
    }).pipe(Effect.scoped),
  400_000
)

it.live(
  "containers stay checked when monitoring starts while their engine is away",
  () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const socket = join(yield* temporaryDirectory(), "engine.sock")
      const start = (containers: string) =>
        startMonitoring({
          database,
          only: ["container", "engine"],
          env: { SIGNALBOX_CONTAINER_SOCKET: socket, SIGNALBOX_MONITOR_CONTAINERS: containers }
        })
      const scope = yield* Scope.make()
      const key = `${host} container web`
      const first = yield* Scope.provide(start("web"), scope)
      yield* first.shows(key, "unknown")
      yield* first.hears(`${host} container engine`, "opened")
      const before = yield* first.check(key)
      yield* Scope.close(scope, Exit.void)
      // No setting names the container any more: only the database knows that there is one.
      const second = yield* start("")
      yield* second.until(
        "the check runs again or is removed",
        Effect.map(second.check(key), (found) => found === undefined || found.checked_at > before.checked_at)
      )
      expect(yield* second.check(key)).toMatchObject({ status: "unknown" })
      yield* second.shows(`${host} container engine`, "critical")
      expect(second.alerts.told).toEqual([])
    }).pipe(Effect.scoped),
  400_000
)
