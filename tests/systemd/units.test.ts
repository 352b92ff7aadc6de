// Checks the shipped unit files with systemd-analyze, without a running systemd.

import { assert, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll } from "vitest"
import { describePeers } from "#support/peers/DescribePeers.ts"

const repository = resolve(import.meta.dirname, "../..")
const source = join(repository, "systemd")

/** Highest allowed exposure. Unit: tenths of a point, as in --threshold. */
const threshold = 20

/** The installed units, with this repository's path, because `verify` checks that the executable exists. */
const folder = mkdtempSync(join(tmpdir(), "units-"))
afterAll(() => rmSync(folder, { recursive: true }))
for (const name of [
  "signalbox.service",
  "signalbox@.service",
  "signalbox-failed@.service",
  "signalbox.target",
  "signalbox-watchdog-root@.service",
  "signalbox-watchdog-root.socket"
]) {
  writeFileSync(
    join(folder, name),
    readFileSync(join(source, name), "utf8").replaceAll("/opt/signalbox/", `${repository}/`)
  )
}
// A separate file, so that the tools see an instance instead of the template.
cpSync(join(folder, "signalbox@.service"), join(folder, "signalbox@alarm-bridge.service"))

cpSync(join(folder, "signalbox-failed@.service"), join(folder, "signalbox-failed@alarm-bridge.service"))

cpSync(join(folder, "signalbox-watchdog-root@.service"), join(folder, "signalbox-watchdog-root@1-2-3.service"))

const services = ["signalbox.service", "signalbox@alarm-bridge.service", "signalbox-failed@alarm-bridge.service"]

const verify = (...units: ReadonlyArray<string>) => {
  const { status, stderr } = spawnSync(
    "systemd-analyze",
    ["verify", "--man=no", "--recursive-errors=no", ...units.map((unit) => join(folder, unit))],
    { encoding: "utf8" }
  )
  return { status, stderr: stderr.trim() }
}

const shared = (name: string) => {
  const text = readFileSync(join(source, name), "utf8")
  const from = text.indexOf("# --- from here on identical")
  assert.isAbove(from, 0)
  return text.slice(from, text.indexOf("[Install]"))
}

describePeers(["systemd-analyze"], "shipped units", () => {
  it.each([...services, "signalbox.target"])("%s: verify has nothing to say", (unit) => {
    assert.deepStrictEqual(verify(unit), { status: 0, stderr: "" })
  })

  it("verify would say it: an unknown key is reported (with exit 0)", () => {
    writeFileSync(join(folder, "broken.service"), "[Service]\nExecStart=/bin/true\nWatchdogSecs=20\n")
    assert.match(verify("broken.service").stderr, /Unknown key.*WatchdogSecs/)
  })

  it("the root helper: verify has nothing to say, exposure at most 4.0", () => {
    const helper = "signalbox-watchdog-root@1-2-3.service"
    assert.deepStrictEqual(verify(helper), { status: 0, stderr: "" })
    assert.deepStrictEqual(verify("signalbox-watchdog-root.socket"), { status: 0, stderr: "" })
    execFileSync("systemd-analyze", [
      "security",
      "--offline=true",
      "--no-pager",
      "--threshold=40",
      join(folder, helper)
    ])
  })

  it.each(services)("%s: exposure at most 2.0", (unit) => {
    const report = execFileSync(
      "systemd-analyze",
      ["security", "--offline=true", "--no-pager", `--threshold=${threshold}`, join(folder, unit)],
      { encoding: "utf8" }
    )
    const exposure = /Overall exposure level for \S+: ([\d.]+)/.exec(report)?.[1]
    assert.isAtMost(Number(exposure), threshold / 10, report)
  })

  it.each(readdirSync(join(source, "drop-ins")))(
    "drop-in %s: verify has nothing to say, exposure at most 2.0",
    (name) => {
      // Drop-ins contain commented examples: a line with # and an assignment is activated.
      const text = readFileSync(join(source, "drop-ins", name), "utf8").replace(/^#(?=[A-Z][A-Za-z]+=\S)/gm, "")
      const merged = join(folder, `with-${name.replace(".conf", "")}.service`)
      writeFileSync(merged, `${readFileSync(join(folder, "signalbox.service"), "utf8")}\n${text}`)
      const unit = merged.slice(folder.length + 1)
      assert.deepStrictEqual(verify(unit), { status: 0, stderr: "" })
      execFileSync(
        "systemd-analyze",
        ["security", "--offline=true", "--no-pager", `--threshold=${threshold}`, merged],
        { stdio: ["ignore", "ignore", "pipe"] }
      )
    }
  )

  it("the switch's drop-in: verify has nothing to say", () => {
    const text = readFileSync(join(import.meta.dirname, "../../config/switch/after-signalbox.conf"), "utf8")
    writeFileSync(join(folder, "freeswitch.service"), `${text}\n[Service]\nExecStart=/bin/true\n`)
    assert.deepStrictEqual(verify("freeswitch.service"), { status: 0, stderr: "" })
  })

  it("both layouts run in the same sandbox, word for word", () => {
    assert.strictEqual(shared("signalbox@.service"), shared("signalbox.service"))
  })

  it("the user file is one systemd-sysusers understands", () => {
    const root = join(folder, "root")
    mkdirSync(join(root, "etc"), { recursive: true })
    const { status, stderr } = spawnSync(
      "systemd-sysusers",
      [`--root=${root}`, join(source, "signalbox.sysusers.conf")],
      { encoding: "utf8" }
    )
    assert.strictEqual(status, 0, stderr)
    assert.match(
      readFileSync(join(root, "etc/passwd"), "utf8"),
      /^signalbox:x:\d+:\d+:Signalbox daemons:\/var\/lib\/signalbox:\/usr\/sbin\/nologin$/m
    )
  })
})
