// The real program, `signalbox up`, with the shipped unit in a real systemd. Only the watchdog's time is overridden.

import { assert, describe } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describeBooted } from "#support/BootedSystemd.ts"
import { becomes, booted, start, stop, unit } from "./ShippedUnits.ts"

const title = "signalbox up in a booted systemd"

const health = [
  "/opt/signalbox/bin/pinned-node",
  "-e",
  "fetch('http://127.0.0.1:8080/health').then((r) => r.text()).then((t) => console.log(t))"
] as const

/** Command of systemd/README.md that creates a service token. */
const createToken =
  "runuser -u signalbox -- env SIGNALBOX_DATA_DIR=/var/lib/signalbox /opt/signalbox/bin/signalbox token create " +
  "--name test --scope platform --json"

/** A script that registers a domain and checks it at once. Prints both statuses and the check. */
const check = (token: string) => `
  const headers = { "content-type": "application/json", "x-service-token": ${JSON.stringify(token)} }
  const post = async (path, body) => {
    const answer = await fetch("http://127.0.0.1:8080/api/v1/domains" + path, { method: "POST", headers, body })
    return { status: answer.status, body: await answer.json() }
  }
  const made = await post("", JSON.stringify({ name: "shop.example.org", customer_id: 1 }))
  const seen = await post("/" + made.body.id + "/verify")
  console.log(JSON.stringify({ made: made.status, seen: seen.status, said: [made.body, seen.body] }))`

const body = () => {
  booted("checks a domain inside the sandbox", function* (system) {
    yield* system.writeFile("/etc/signalbox/signalbox.env", "SIGNALBOX_PLATFORM_IPV4=192.0.2.1\n")
    yield* start(unit)
    const { stdout } = yield* system.run("sh", "-c", createToken)
    const { token } = JSON.parse(stdout) as { readonly token: string }
    const ran = yield* system.run("/opt/signalbox/bin/pinned-node", "--input-type=module", "-e", check(token))
    const { made, said, seen } = JSON.parse(ran.stdout)
    assert.deepStrictEqual([made, seen], [201, 200], JSON.stringify(said))
    yield* stop(unit)
  })

  booted(
    "starts by Type=notify, is restarted when the watchdog starves, stops in bounds and leaves no process",
    function* (system) {
      yield* system.installUnit(`${unit}.d/test.conf`, "[Service]\nWatchdogSec=4\n")
      yield* start(unit)
      assert.match((yield* system.run(...health)).stdout, /"status":\s*"(ok|degraded)"/)
      const { MainPID: pid } = yield* system.show(unit, "MainPID")
      yield* system.run("kill", "-STOP", pid ?? "")
      yield* becomes(unit, { ActiveState: "active", NRestarts: "1" })
      assert.match(yield* system.journal(unit), /Watchdog timeout/)
      assert.match((yield* system.run(...health)).stdout, /"status":\s*"(ok|degraded)"/)
      assert.isBelow(yield* stop(unit), 20_000)
      assert.deepStrictEqual(yield* system.show(unit, "ActiveState", "Result"), {
        ActiveState: "inactive",
        Result: "success"
      })
      assert.deepStrictEqual(yield* system.processes(unit), [])
      // No process of that user remains, inside or outside the unit's cgroup.
      assert.strictEqual(
        (yield* system.run(
          "sh",
          "-c",
          "for p in /proc/[0-9]*; do stat -c %U $p; done | grep -c '^signalbox$'"
        )).stdout.trim(),
        "0"
      )
    }
  )

  booted("a wrong configuration is exit 78 and no restart", function* (system) {
    yield* system.writeFile("/etc/signalbox/signalbox.env", "SIGNALBOX_GATEWAY_PORT=banana\n")
    yield* system.run("systemctl", "start", unit)
    assert.deepStrictEqual(yield* system.show(unit, "ActiveState", "NRestarts", "ExecMainStatus"), {
      ActiveState: "failed",
      NRestarts: "0",
      ExecMainStatus: "78"
    })
  })
}

if (existsSync(join(import.meta.dirname, "../../dist/signalbox.js"))) describeBooted(title, body)
else describe.skip(`${title} (skipped: dist/signalbox.js is not there; run 'npm run prepare')`, body)
