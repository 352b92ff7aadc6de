/**
 * The image for containers, in the long form only, because it takes minutes: it runs with a read-only root, without
 * capabilities and not as root; its health check passes, and an alarm is delivered.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { version } from "#core/config/Version.ts"
import { requirePeer } from "#support/peers/install.ts"
import { podmanIn, unbound } from "#support/peers/Podman.ts"
import { imageUser } from "../../../scripts/package/Image.ts"
import { blockWith } from "../../docs/Documents.ts"
import { buildPackages } from "./Packages.ts"

const runs = process.env["SIGNALBOX_TEST_LONG"] !== undefined && requirePeer("podman").available

describe.runIf(runs)("the image", () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-image-"))
  const podman = join(folder, "bin/podman")
  const name = "signalbox"
  const ran = (...args: ReadonlyArray<string>) =>
    spawnSync(podman, args, { encoding: "utf8", env: { ...process.env, DISABLE_HC_SYSTEMD: "true" } })

  beforeAll(async () => {
    mkdirSync(join(folder, "bin"))
    const real = requirePeer("podman")
    if (!real.available) throw new Error(real.reason)
    // By its path: this script is itself the first podman of PATH while the image is built.
    const words = podmanIn(folder).map((word) => `'${word === "podman" ? real.path : word}'`)
    writeFileSync(podman, `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`)
    chmodSync(podman, 0o755)
    await buildPackages(join(folder, "out"), ["--debian", "--image"], {
      PATH: `${join(folder, "bin")}:${process.env["PATH"]}`
    })
  }, 900_000)
  afterAll(() => {
    ran("rm", "--force", "--all", "--time=0")
    rmSync(folder, { recursive: true, force: true })
  }, 120_000)

  it("runs read-only, without capabilities and not as root", async () => {
    const [program, command, ...words] = blockWith("docs/quick-start.md", "podman run")
      .replaceAll("\\\n", " ")
      .trim()
      .split(/\s+/)
    expect([program, command]).toEqual(["podman", "run"])
    expect(words).toContain(`localhost/signalbox:${version}`)
    const started = ran("run", "--security-opt=no-new-privileges", ...unbound, ...words)
    expect(started.status, started.stderr).toBe(0)
    await vi.waitUntil(() => /^ready /m.test(ran("logs", name).stdout), { timeout: 180_000, interval: 1_000 })
    expect(ran("exec", name, "id", "-u").stdout.trim()).toBe(String(imageUser))
    // All five sets of PID 1, also the bounding set: no program inside can get a capability.
    const capabilities = ran("exec", name, "grep", "^Cap", "/proc/1/status").stdout.trim().split("\n")
    expect(capabilities).toHaveLength(5)
    expect(capabilities.filter((line) => !/^Cap\w+:\s*0+$/.test(line))).toEqual([])
    // The user may not write there anyway, so the option of the mount counts.
    expect(ran("exec", name, "grep", " / ", "/proc/mounts").stdout).toMatch(/^\S+ \/ \S+ ro[, ]/m)
    expect(ran("exec", name, "touch", "/var/lib/signalbox/file").status).toBe(0)
    expect(ran("healthcheck", "run", name).status).toBe(0)
    expect(ran("exec", name, "signalbox", "alarm", "send", "--demo").stdout).toContain("delivered: the receiver got")
  }, 300_000)

  it("is a file with a checksum", () => {
    execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: join(folder, "out") })
  })
})
