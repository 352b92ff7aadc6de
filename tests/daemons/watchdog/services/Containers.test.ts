/** The services API over a real Podman: list, details, logs, follow and restart. */
import { it } from "@effect/vitest"
import { Console, Effect, Exit, Fiber, Option } from "effect"
import { expect } from "vitest"
import { Fleet } from "#core/cli/Fleet.ts"
import { Environment } from "#core/config/Environment.ts"
import { recording } from "#support/CapturedOutput.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Podman from "#support/peers/Podman.ts"
import { startSuite } from "#support/TestSuite.ts"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import * as Operator from "#daemons/watchdog/services/Operator.ts"
import { openEvents } from "./EventStream.ts"

const secret = "s3cret-of-the-container"

/** Prints a line with every trap, then sleeps. */
const script = [
  String.raw`printf 'red \033[31mword\033[0m and \033]0;title\007bell\n'`,
  String.raw`printf 'gr\303\274n \342\200\256 \377 ok\n'`,
  String.raw`printf 'to stderr\n' >&2`,
  // Podman joins the line before a line that it had to split with that line.
  String.raw`printf 'before a long line\n'`,
  `printf '%020000d\\n' 0`,
  "sleep 600"
].join("; ")

describePeers(["podman", "busybox-static"], "services over Podman", () => {
  it.live(
    "lists, shows, logs, follows and restarts containers",
    () =>
      Effect.gen(function* () {
        const podman = yield* Podman.make
        yield* podman.run("web", { script, env: `TOKEN=${secret}` })
        yield* podman.run("checked", { checked: true })
        yield* podman.ail("checked")
        yield* podman.run("broken", { script: "exit 3" })
        const suite = yield* startSuite({
          daemons: [watchdog],
          verifier: fakeUsers,
          env: {
            SIGNALBOX_CONTAINER_SOCKET: podman.socketPath,
            WATCHDOG_ROOT_SOCKET: "/nonexistent/helper.sock",
            WATCHDOG_RESTARTABLE: "web, checked",
            SIGNALBOX_WATCHDOG_SECOND_MS: "200"
          }
        })
        const token = yield* suite.token
        const get = (path: string) => suite.call("GET", `/api/v1/system/services${path}`, { token })

        yield* until(
          "the broken container has ended",
          Effect.map(get("/broken"), ({ json }) => json.state === "failed"),
          30
        )

        // List: states as Podman reports them, never the environment.
        const listed = yield* get("?kind=container")
        expect(listed.status).toBe(200)
        expect(listed.json.items).toMatchObject([
          { name: "broken", state: "failed", may_restart: false },
          { name: "checked", state: "running", health: "unhealthy", may_restart: true },
          { name: "web", state: "running", health: "none", critical: false }
        ])
        expect(listed.json.sources).toContainEqual({ kind: "container", status: "ok", detail: null })
        const first = yield* get("?kind=container&limit=2")
        expect(first.json.next_before).toBe("checked")
        expect((yield* get("?kind=container&limit=2&before=checked")).json).toMatchObject({
          items: [{ name: "web" }],
          next_before: null
        })

        // Details.
        const details = yield* get("/web")
        expect(details.json).toMatchObject({ name: "web", exit_code: null, has_log: true })
        expect((yield* get("/broken")).json).toMatchObject({ state: "failed", exit_code: 3, pid: null })
        expect(JSON.stringify([listed.json, details.json])).not.toContain(secret)
        for (const name of ["none", "..%2Fetc", "--all", "a%2Fb", "nginx%0A"])
          expect((yield* get(`/${name}`)).status, name).toBe(404)

        // Logs: cleaned, cut, by stream.
        yield* until(
          "the container has written its lines",
          Effect.map(
            get("/web/logs"),
            ({ json }) => json.items.length >= 4 && json.items.some(({ cut }: { cut: boolean }) => cut)
          )
        )
        const logs = (yield* get("/web/logs")).json
        const byText = (part: string) => logs.items.find(({ text }: { text: string }) => text.includes(part))
        expect(byText("red")).toMatchObject({ text: "red word and bell", stream: "stdout", cut: false })
        expect(byText("red").at).toMatch(/^\d{4}-\d\d-\d\dT/)
        expect(byText("grün")).toMatchObject({ text: "grün  \uFFFD ok" })
        const long = logs.items.find(({ cut }: { cut: boolean }) => cut)
        expect(long.text).toContain("000")
        expect(long.text.length).toBeLessThanOrEqual(8 * 1024)
        expect(byText("to stderr")).toMatchObject({ stream: "stderr" })
        expect((yield* get("/web/logs?lines=1")).json.items).toHaveLength(1)
        for (const lines of ["0", "5001", "x", "1.5", "-1"])
          expect((yield* get(`/web/logs?lines=${lines}`)).status, lines).toBe(422)

        // Restart: only listed names; the outcome is in the details.
        const restart = (name: string, body: unknown = {}) =>
          suite.call("POST", `/api/v1/system/services/${name}/restart`, { token, body })
        expect(yield* restart("broken")).toMatchObject({
          status: 409,
          json: { code: "not_restartable", settings: ["WATCHDOG_RESTARTABLE", "WATCHDOG_CRITICAL"] }
        })
        const asked = yield* restart("web", { reason: "by hand" })
        expect(asked).toMatchObject({ status: 202, json: { service: "web", kind: "container", reason: "by hand" } })
        yield* until(
          "the restart has ended",
          Effect.map(get("/web"), ({ json }) => json.recent_restarts[0].finished_at !== null),
          60
        )
        const done = (yield* get("/web")).json
        expect(done.recent_restarts[0]).toMatchObject({ state: "succeeded", problem: null })
        expect(done.state).toBe("running")
        expect(new Date(done.started_at).getTime()).toBeGreaterThan(new Date(details.json.started_at).getTime())

        // Everything is audited.
        const audit = yield* suite.sql<{ action: string }>`select action from core.audit
          where entity_type = 'service' and entity_id = 'web' order by id`
        expect(audit.map(({ action }) => action)).toContain("service.restart_requested")
        expect(audit.map(({ action }) => action)).toContain("service.log_read")

        // Follow: earlier lines, then new ones.
        const events = yield* openEvents(`${suite.base()}/api/v1/system/services/web/logs/follow?lines=2`, token)
        const line = yield* events.next("line")
        expect(line).toMatchObject({ stream: expect.any(String), text: expect.any(String) })

        // The command line does the same on this machine.
        const out: Array<string> = []
        const ran = <A, E>(command: Effect.Effect<A, E, Fleet>) =>
          Effect.suspend(() => {
            out.length = 0
            return command.pipe(
              Effect.provideService(Environment, suite.env),
              Effect.provideService(Fleet, Fleet.of({ daemons: Effect.succeed([watchdog]) })),
              Effect.provideService(Console.Console, recording(out)),
              Effect.exit
            )
          })
        const printed = <A, E>(command: Effect.Effect<A, E, Fleet>) =>
          Effect.map(ran(command), (exit): any => {
            expect(Exit.isSuccess(exit), String(exit)).toBe(true)
            return JSON.parse(out.join("\n"))
          })
        const none = Option.none()
        const all = { kind: none, state: none, search: none, json: true }
        const namesOf = (more: object) =>
          Effect.map(printed(Operator.list({ ...all, ...more })), ({ items }) =>
            items.map(({ name }: { readonly name: string }) => name)
          )
        expect(yield* namesOf({ kind: Option.some("container") })).toEqual(["broken", "checked", "web"])
        expect(yield* namesOf({ state: Option.some("failed") })).toEqual(["broken"])
        expect(yield* namesOf({ search: Option.some("WE"), kind: Option.some("container") })).toEqual(["web"])
        yield* ran(Operator.list({ ...all, kind: Option.some("container"), json: false }))
        expect(out[0]).toMatch(/^NAME +KIND +STATE/)
        expect(out[1]).toMatch(/^broken +container +failed .* no$/)
        const named = { name: "web", json: true }
        expect(yield* printed(Operator.show(named))).toMatchObject({
          state: "running",
          may_restart: true,
          gave_up: false,
          recent_restarts: [{ state: "succeeded", reason: "by hand" }]
        })
        yield* ran(Operator.show({ name: "broken", json: false }))
        expect(out.join("\n")).toMatch(/exit_code +3/)
        for (const name of ["none", "-x", "a/b"])
          expect(Exit.isFailure(yield* ran(Operator.show({ name, json: false }))), name).toBe(true)
        yield* ran(Operator.logs({ ...named, lines: 50, follow: false, json: false }))
        expect(out.some((line) => line.endsWith("red word and bell"))).toBe(true)
        expect(out.some((line) => line.endsWith("…"))).toBe(true)
        expect(String(yield* ran(Operator.logs({ ...named, lines: 5_001, follow: false })))).toContain(
          "--lines must be"
        )
        // Followed until the person stops it.
        const following = yield* Effect.forkChild(ran(Operator.logs({ ...named, lines: 3, follow: true })))
        yield* until(
          "three lines are printed",
          Effect.sync(() => out.length === 3)
        )
        yield* Fiber.interrupt(following)
        for (const line of out)
          expect(JSON.parse(line)).toMatchObject({ text: expect.any(String), cut: expect.any(Boolean) })
        expect(String(yield* ran(Operator.restart({ name: "broken", reason: none, json: false })))).toContain(
          "broken may not be restarted: WATCHDOG_RESTARTABLE"
        )
        yield* ran(Operator.restart({ name: "web", reason: Option.some("from a terminal"), json: false }))
        expect(out).toEqual(["web: succeeded"])
        const [requested] = yield* suite.sql<{ actor: string; detail: any }>`select actor, detail from core.audit
          where action = 'service.restart_requested' order by id desc limit 1`
        expect(requested).toMatchObject({ actor: "operator", detail: { reason: "from a terminal" } })

        // A service of another tenant's user is nobody's business.
        expect(
          (yield* suite.call("GET", "/api/v1/system/services", { headers: { authorization: "Bearer user:2:*" } }))
            .status
        ).toBe(403)
      }),
    200_000
  )

  it.live(
    "an engine that hangs is told in the list and in the details, within the time limit",
    () =>
      Effect.gen(function* () {
        const podman = yield* Podman.make
        yield* podman.run("web")
        const suite = yield* startSuite({
          daemons: [watchdog],
          env: { SIGNALBOX_CONTAINER_SOCKET: podman.socketPath, WATCHDOG_ROOT_SOCKET: "/nonexistent/helper.sock" }
        })
        const token = yield* suite.token
        const pid = podman.service.pid()!
        yield* Effect.acquireRelease(
          Effect.sync(() => process.kill(pid, "SIGSTOP")),
          () => Effect.sync(() => process.kill(pid, "SIGCONT"))
        )
        const listed = yield* suite.call("GET", "/api/v1/system/services", { token })
        expect(listed.status).toBe(200)
        expect(listed.json.sources).toContainEqual({
          kind: "container",
          status: "down",
          detail: "the container engine did not answer within 5000 ms"
        })
        expect(yield* suite.call("GET", "/api/v1/system/services/web", { token })).toMatchObject({
          status: 503,
          json: { code: "source_unavailable", source: "container" }
        })
      }),
    120_000
  )
})
