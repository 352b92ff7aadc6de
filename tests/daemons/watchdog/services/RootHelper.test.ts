/** The shipped root helper in a booted systemd, called by the client of the daemon over its socket. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { readEntry } from "#daemons/watchdog/services/Journal.ts"
import { readUnits } from "#daemons/watchdog/services/Units.ts"
import { BootedSystemd, describeBooted } from "#support/BootedSystemd.ts"
import { untilWithin } from "#support/Within.ts"

const shipped = (name: string) => readFileSync(join(import.meta.dirname, "../../../../systemd", name), "utf8")

/** Runs as the user and sends one request line to the socket; prints the answer. */
const client = (line: string) => `const s = require("net").connect("/run/signalbox-watchdog-root.sock")
s.on("error", (e) => { console.log(e.code); process.exit(3) })
s.on("data", (d) => process.stdout.write(d)); s.on("close", () => process.exit(0))
s.write(${JSON.stringify(line)} + "\\n")`

const install = Effect.gen(function* () {
  const system = yield* BootedSystemd
  yield* system.writeFile("/etc/sysusers.d/signalbox.conf", shipped("signalbox.sysusers.conf"))
  assert.strictEqual((yield* system.run("systemd-sysusers", "signalbox.conf")).code, 0)
  yield* system.writeFile("/etc/signalbox/watchdog.env", "WATCHDOG_RESTARTABLE=good.service,loop.service\n")
  yield* system.installUnit("good.service", service("/bin/sh -c 'echo started; exec sleep 600'"))
  yield* system.installUnit("ill.service", service("/bin/false"))
  yield* system.installUnit("loop.service", service("/bin/false", "Restart=always", "RestartSec=3600"))
  yield* system.installUnit("signalbox-watchdog-root@.service", shipped("signalbox-watchdog-root@.service"))
  yield* system.installUnit("signalbox-watchdog-root.socket", shipped("signalbox-watchdog-root.socket"))
  yield* system.systemctl("start", "signalbox-watchdog-root.socket")
  const node = "/opt/signalbox/bin/pinned-node"
  const ask = (user: string, line: string) =>
    Effect.map(
      system.run("setpriv", `--reuid=${user}`, "--regid=signalbox", "--clear-groups", node, "-e", client(line)),
      ({ stdout }) => stdout
    )
  return {
    system,
    ask: (request: unknown) =>
      Effect.map(ask("signalbox", JSON.stringify(request)), (text) => JSON.parse(text.split("\n", 1)[0]!)),
    raw: ask
  }
})

const service = (command: string, ...lines: ReadonlyArray<string>) =>
  ["[Unit]", "DefaultDependencies=no", "[Service]", `ExecStart=${command}`, ...lines, ""].join("\n")

describeBooted("the root helper in a booted systemd", () => {
  it.live(
    "restarts and reads what the settings list, for the user of the daemon only",
    () =>
      Effect.gen(function* () {
        const { ask, raw, system } = yield* install
        yield* system.systemctl("start", "good.service")
        yield* system.systemctl("start", "--no-block", "ill.service", "loop.service")

        // Restart: a new process, and only listed units.
        const { MainPID: before } = yield* system.show("good.service", "MainPID")
        assert.deepStrictEqual(yield* ask({ verb: "restart_unit", unit: "good.service" }), { ok: true })
        const { ActiveState, MainPID: after } = yield* system.show("good.service", "MainPID", "ActiveState")
        assert.strictEqual(ActiveState, "active")
        assert.notStrictEqual(after, before)
        for (const unit of ["ill.service", "signalbox-watchdog-root.socket", "basic.target", "--now"])
          assert.strictEqual((yield* ask({ verb: "restart_unit", unit })).ok, false, unit)

        // State: failed, in a restart loop, running, and one that does not exist.
        const shown = yield* ask({
          verb: "show_units",
          units: ["good.service", "ill.service", "loop.service", "none.service"]
        })
        const units = readUnits(shown.value, { wall: Date.now(), monotonic: Number(process.hrtime.bigint() / 1_000n) })
        assert.deepStrictEqual(
          units.map(({ name, state }) => `${name} ${state}`),
          ["good.service running", "ill.service failed", "loop.service failed"]
        )
        assert.match(units[2]!.status, /auto-restart/)

        // Journal: lines of the unit as root reads them.
        const journal = yield* raw(
          "signalbox",
          JSON.stringify({ verb: "journal", unit: "good.service", lines: 50, follow: false })
        )
        const lines = journal
          .split("\n")
          .slice(1)
          .flatMap((line) => readEntry(line === "" ? "{}" : line) ?? [])
        assert.isTrue(
          lines.some(({ text }) => text === "started"),
          journal
        )
        assert.strictEqual(
          (yield* ask({ verb: "journal", unit: "systemd-journald.service", lines: 1, follow: false })).code,
          "not_listed"
        )

        // Other users reach neither the socket nor, past it, the helper.
        assert.match(yield* raw("nobody", JSON.stringify({ verb: "list_units" })), /EACCES/)
        yield* system.run("chmod", "666", "/run/signalbox-watchdog-root.sock")
        assert.notMatch(yield* raw("nobody", JSON.stringify({ verb: "list_units" })), /"ok"/)

        // Bounded: a request that is too long or no JSON is refused; what root alone may read stays unread.
        assert.match(yield* raw("signalbox", "x".repeat(70_000)), /bad_request/)
        assert.match(yield* raw("signalbox", "not json"), /bad_request/)
        yield* system.writeFile(
          "/etc/ssl/key-only.pem",
          "-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----\n"
        )
        assert.deepStrictEqual(yield* ask({ verb: "read_certificate", path: "/etc/ssl/key-only.pem" }), {
          ok: false,
          code: "failed",
          detail: "no certificate can be read at this path"
        })
        // The unit of a request ends soon after its answer.
        const left = system.systemctl("list-units", "--all", "--plain", "--no-legend", "signalbox-watchdog-root@*")
        yield* untilWithin(
          30,
          "no request leaves a unit behind",
          Effect.map(left, (names) => names.trim() === "")
        )
      }).pipe(Effect.provide(BootedSystemd.layer)),
    240_000
  )
})
