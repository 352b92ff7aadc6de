import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { planInstall, requirePeer } from "./install.ts"
import { decideAvailability } from "./Peers.ts"
import { withoutServiceStarts } from "./PolicyRcD.ts"

describe("planInstall", () => {
  it("does nothing when nothing is missing", () => {
    expect(planInstall([], { isRoot: true, isDebian: true })).toEqual({ _tag: "Nothing" })
  })

  it("installs as root on Debian, each package once", () => {
    expect(planInstall(["systemd", "systemd-analyze", "dovecot"], { isRoot: true, isDebian: true })).toEqual({
      _tag: "Install",
      packages: ["dovecot-imapd", "dovecot-lmtpd", "dovecot-pgsql", "libnss-systemd", "systemd"]
    })
  })

  it.each([
    { isRoot: false, isDebian: true },
    { isRoot: true, isDebian: false }
  ])("else names exactly what to install: %o", (host) => {
    expect(planInstall(["postfix", "swaks"], host)).toMatchObject({
      _tag: "Tell",
      sentence: expect.stringContaining("apt-get install --no-install-recommends postfix swaks")
    })
  })
})

describe("a missing peer", () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it("is a reason to skip that says what to type, and what only root can run is one too", () => {
    expect(decideAvailability("swaks", undefined, false)).toEqual({
      available: false,
      reason: "swaks is not installed: apt-get install --no-install-recommends swaks"
    })
    expect(decideAvailability("postfix", "/usr/sbin/postfix", false)).toMatchObject({
      available: false,
      reason: expect.stringContaining("root")
    })
    expect(decideAvailability("postfix", "/usr/sbin/postfix", true)).toEqual({
      available: true,
      path: "/usr/sbin/postfix"
    })
  })

  it("is a failure with CI set", () => {
    vi.stubEnv("PATH", "/nonexistent")
    vi.spyOn(process, "getuid").mockReturnValue(1_000)
    vi.stubEnv("CI", "")
    expect(requirePeer("postfix")).toMatchObject({ available: false })
    vi.stubEnv("CI", "true")
    expect(() => requirePeer("postfix")).toThrow("CI is set, so nothing is skipped: postfix")
    vi.restoreAllMocks()
  })
})

describe("withoutServiceStarts", () => {
  const inFolder = async (
    body: (paths: { readonly policy: string; readonly lock: string; readonly folder: string }) => Promise<void>
  ) => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-policy-"))
    try {
      await body({ policy: join(folder, "policy-rc.d"), lock: join(folder, "lock"), folder })
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  const forbids = (path: string) => readFileSync(path, "utf8").includes("exit 101")
  const permissive = "#!/bin/sh\nexit 0\n"

  it("forbids starts meanwhile and leaves no policy where none was", () =>
    inFolder(async (paths) => {
      await withoutServiceStarts(async () => expect(forbids(paths.policy)).toBe(true), paths)
      expect(readdirSync(paths.folder)).toEqual(["lock"])
    }))

  it("puts the former policy back, also after a failure", () =>
    inFolder(async (paths) => {
      writeFileSync(paths.policy, permissive, { mode: 0o755 })
      await expect(
        withoutServiceStarts(async () => {
          expect(forbids(paths.policy)).toBe(true)
          throw new Error("no network")
        }, paths)
      ).rejects.toThrow("no network")
      expect(readFileSync(paths.policy, "utf8")).toBe(permissive)
      expect(readdirSync(paths.folder).sort()).toEqual(["lock", "policy-rc.d"])
    }))

  it("mends what a killed run left behind", () =>
    inFolder(async (paths) => {
      writeFileSync(paths.policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 })
      writeFileSync(`${paths.policy}.absent-before-signalbox-tests`, "")
      await withoutServiceStarts(async () => {}, paths)
      expect(existsSync(paths.policy)).toBe(false)
    }))

  it("lets one run wait for the other", () =>
    inFolder(async (paths) => {
      const order: Array<string> = []
      const first = withoutServiceStarts(async () => {
        order.push("first begins")
        await new Promise((resolve) => setTimeout(resolve, 100))
        order.push("first ends")
      }, paths)
      while (order.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      await Promise.all([first, withoutServiceStarts(async () => void order.push("second"), paths)])
      expect(order).toEqual(["first begins", "first ends", "second"])
    }))
})
