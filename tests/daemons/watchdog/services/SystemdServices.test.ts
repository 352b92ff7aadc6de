/**
 * watchdog as shipped in a booted systemd, with its root helper: critical units, a unit in a restart loop, a followed
 * journal, and restarts of our own daemons, also of watchdog itself.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { BootedSystemd, describeBooted } from "#support/BootedSystemd.ts"
import { openDoor } from "#support/MachineDoor.ts"
import { untilWithin } from "#support/Within.ts"

const shipped = (name: string) => readFileSync(join(import.meta.dirname, "../../../../systemd", name), "utf8")

const service = (command: string, ...lines: ReadonlyArray<string>) =>
  [
    "[Unit]",
    "DefaultDependencies=no",
    "StartLimitIntervalSec=0",
    "[Service]",
    `ExecStart=${command}`,
    ...lines,
    ""
  ].join("\n")

const node = "/opt/signalbox/bin/pinned-node"
const own = "signalbox@watchdog.service"

/** Longest wait. Unit: seconds. Reason: three starts of daemons on a loaded machine. */
const patience = 120

/** Pause before each look. Unit: milliseconds. Reason: for each look at a unit watchdog starts its root helper. */
const pause = 400

const settings = `WATCHDOG_CRITICAL=web.service(db.service), db.service, loop.service
WATCHDOG_RESTARTABLE=watchdog,identity
WATCHDOG_RESTART_INTERVAL=2
WATCHDOG_RESTART_AFTER=0
WATCHDOG_RESTART_PATIENCE=3
WATCHDOG_RESTART_BUDGET=2
WATCHDOG_UNITS=talker.service,web.service,db.service,loop.service
`

/** Prints the first `count` lines of the followed log of a service, each with its time of arrival. */
const follow = (path: string, count: number) => `
const answer = await fetch("http://127.0.0.1:8115" + ${JSON.stringify(path)}, {
  headers: { "x-service-token": process.argv[1] }
})
let text = ""
for await (const chunk of answer.body) {
  text += Buffer.from(chunk).toString()
  const lines = [...text.matchAll(/^data: (\\{"at".*)$/gm)].map(([, data]) => data)
  if (lines.length >= ${count}) { console.log(lines.join("\\n")); process.exit(0) }
}
console.error(answer.status, text)`

const install = Effect.gen(function* () {
  const system = yield* BootedSystemd
  yield* system.writeFile("/etc/sysusers.d/signalbox.conf", shipped("signalbox.sysusers.conf"))
  yield* system.run("systemd-sysusers", "signalbox.conf")
  yield* system.writeFile("/etc/signalbox/watchdog.env", settings)
  for (const name of [
    "signalbox@.service",
    "signalbox-failed@.service",
    "signalbox.target",
    "signalbox-watchdog-root@.service",
    "signalbox-watchdog-root.socket"
  ])
    yield* system.installUnit(name, shipped(name))
  yield* system.installUnit("talker.service", service("/bin/sh -c 'while read line; do echo $line; done < /run/talk'"))
  yield* system.installUnit("db.service", service("/bin/sleep 6000"))
  yield* system.installUnit("web.service", service("/bin/sleep 6000"))
  yield* system.installUnit("loop.service", service("/bin/false", "Restart=always", "RestartSec=50ms"))
  yield* system.systemctl("start", "signalbox-watchdog-root.socket", "db.service", "web.service")
  const started = yield* system.run("systemctl", "start", own, "signalbox@identity.service")
  assert.strictEqual(started.code, 0, yield* system.journal(own))
  const cli = (...args: ReadonlyArray<string>) =>
    system.run(
      ...(["setpriv", "--reuid=signalbox", "--regid=signalbox", "--clear-groups", "env"] as const),
      "SIGNALBOX_DATA_DIR=/var/lib/signalbox",
      ...settings.trim().split("\n"),
      "/opt/signalbox/bin/signalbox",
      ...args
    )
  const created = yield* cli("token", "create", "--name", "test", "--scope", "platform", "--json")
  const { token } = JSON.parse(created.stdout) as { readonly token: string }
  const script = (code: string) => system.run(node, "--input-type=module", "-e", code, token)
  const request = yield* openDoor(8115)
  const headers = { "x-service-token": token, "content-type": "application/json" }
  const call = (method: string, path: string, body?: unknown) =>
    Effect.map(
      request({ method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
      ({ status, text }): { status: number; json: any } => ({ status, json: status === 0 ? text : JSON.parse(text) })
    )
  const until = (what: string, look: Effect.Effect<boolean, unknown>) =>
    untilWithin(patience, what, Effect.delay(look, pause))
  const pidOf = (unit: string) => Effect.map(system.show(unit, "MainPID"), ({ MainPID }) => MainPID)
  return { system, cli, script, call, until, pidOf }
})

describeBooted("watchdog in a booted systemd", () => {
  it.live(
    "keeps critical units running, gives up a loop, follows a journal, and restarts daemons and itself",
    () =>
      Effect.gen(function* () {
        const { call, cli, pidOf, script, system, until } = yield* install
        /** The details of a service. While a daemon restarts, there may be no answer for a moment. */
        const show = Effect.fnUntraced(function* (name: string) {
          let details: any
          yield* until(
            `watchdog answers about ${name}`,
            Effect.map(call("GET", `/api/v1/system/services/${name}`), ({ json, status }) => {
              details = json
              return status === 200
            })
          )
          return details
        })
        const restartsOf = (name: string) =>
          Effect.map(show(name), ({ recent_restarts }) =>
            (recent_restarts as ReadonlyArray<any>).map(({ requested_by, state }) => `${requested_by} ${state}`)
          )

        // A critical unit that was killed runs again, dependencies first; others stay as they are.
        const before = yield* pidOf("db.service")
        yield* system.systemctl("kill", "--signal=KILL", "db.service", "web.service")
        yield* until(
          "both units run again",
          // systemd may notice the ends late.
          Effect.gen(function* () {
            const { ActiveState } = yield* system.show("web.service", "ActiveState")
            const pid = yield* pidOf("db.service")
            return ActiveState === "active" && pid !== before && pid !== "0"
          })
        )
        assert.notStrictEqual(yield* pidOf("db.service"), before)
        yield* until(
          "both restarts have ended",
          Effect.map(Effect.all([restartsOf("db.service"), restartsOf("web.service")]), (all) =>
            all.every(([newest]) => newest === "watchdog succeeded")
          )
        )
        const [db, web] = yield* Effect.all([show("db.service"), show("web.service")])
        assert.deepStrictEqual(
          [db, web].map(({ recent_restarts }) => recent_restarts.length),
          [1, 1]
        )
        assert.isBelow(Date.parse(db.recent_restarts[0].requested_at), Date.parse(web.recent_restarts[0].requested_at))

        // A unit that ends again and again: two restarts, then a person is called, once.
        yield* system.run("systemctl", "start", "loop.service")
        yield* until(
          "the loop is given up",
          Effect.map(show("loop.service"), ({ gave_up }) => gave_up === true)
        )
        assert.strictEqual((yield* restartsOf("loop.service")).length, 2)
        const alerts = Effect.map(call("GET", "/api/v1/monitoring/alerts?group=loop.service"), ({ json }) => json.items)
        const [alert, ...others] = yield* alerts
        assert.deepStrictEqual(others, [])
        assert.deepInclude(alert, { key: "restart loop.service", severity: "critical", state: "open" })
        assert.match(alert.summary, /still fails after 2 restarts in 60 minutes; .* a person is needed/)
        assert.match(alert.summary_de, /ein Mensch muss nachsehen/)
        // A person repairs it: the alert ends, and no restart came after the budget.
        yield* system.installUnit("loop.service", service("/bin/sleep 6000"))
        yield* system.systemctl("restart", "loop.service")
        yield* until(
          "its alert is over",
          Effect.map(alerts, ([one]) => one?.state === "closed")
        )
        assert.strictEqual((yield* restartsOf("loop.service")).length, 2)

        // Lines of a journal arrive while they are written.
        yield* system.run("mkfifo", "/run/talk")
        yield* system.systemctl("start", "--no-block", "talker.service")
        const [followed] = yield* Effect.all(
          [
            script(follow("/api/v1/system/services/talker.service/logs/follow?lines=10", 3)),
            system.run("sh", "-c", "exec 3> /run/talk; echo one >&3; sleep 0.3; echo two >&3; echo three >&3; sleep 1")
          ],
          { concurrency: 2 }
        )
        assert.strictEqual(followed.stderr, "")
        const lines = followed.stdout.trim().split("\n")
        assert.deepStrictEqual(
          lines
            .map((line) => JSON.parse(line).text)
            .filter((text) => /^(one|two|three)$/.test(text))
            .slice(0, 2),
          ["one", "two"]
        )
        const printed = yield* cli("service", "logs", "talker.service", "-n", "20", "--json")
        assert.include(printed.stdout, '"text":"three"', printed.stderr)

        // Another daemon of ours.
        const identity = yield* pidOf("signalbox@identity.service")
        const asked = yield* call("POST", "/api/v1/system/services/identity/restart", { reason: "by hand" })
        assert.strictEqual(asked.status, 202, JSON.stringify(asked.json))
        yield* until(
          "identity was restarted",
          Effect.map(restartsOf("identity"), ([newest]) => newest?.endsWith("succeeded") === true)
        )
        assert.notStrictEqual(yield* pidOf("signalbox@identity.service"), identity)
        assert.strictEqual((yield* call("POST", "/api/v1/system/services/talker.service/restart", {})).status, 409)

        // Watchdog itself: the answer is complete before it stops, and the new process records the success.
        const watchdog = yield* pidOf(own)
        const answer = yield* call("POST", "/api/v1/system/services/watchdog/restart", { reason: "new settings" })
        assert.strictEqual(answer.status, 202, JSON.stringify(answer.json))
        assert.deepInclude(answer.json, { service: "watchdog", reason: "new settings" })
        yield* until(
          "the new watchdog answers",
          Effect.map(
            call("GET", "/api/v1/system/services/watchdog"),
            ({ json, status }) => status === 200 && json.recent_restarts[0]?.state === "succeeded"
          )
        )
        assert.notStrictEqual(yield* pidOf(own), watchdog)
        assert.deepInclude(yield* system.show(own, "Result", "NRestarts"), { Result: "success", NRestarts: "0" })
        // The budget of the loop survived it.
        assert.strictEqual((yield* restartsOf("loop.service")).length, 2)
      }).pipe(Effect.provide(BootedSystemd.layer)),
    400_000
  )
})
