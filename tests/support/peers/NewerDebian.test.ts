import { spawn } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { poll } from "./Loopback.ts"
import { chooseMirror } from "./NewerDebian.ts"
import { planInstall } from "./install.ts"
import { decideAvailability } from "./Peers.ts"

describe("chooseMirror", () => {
  const unknown = "$(ORIGIN)"
  it.each([
    [
      "the release's own, not what is beside it",
      `http://s/debian-security/ bookworm-security main Debian\nhttp://m/debian/ bookworm-updates main Debian\nhttp://m/debian/ bookworm main Debian`,
      "http://m/debian/"
    ],
    ["by the name of the suite, too", "https://m/d/ stable main Debian", "https://m/d/"],
    [
      "Debian's before another archive of the same name",
      "http://x/ stable main Somebody\nhttp://m/debian/ bookworm main Debian",
      "http://m/debian/"
    ],
    ["while the lists are not there yet", `http://m/debian/ bookworm main ${unknown}`, "http://m/debian/"],
    ["no foreign archive", "http://x/ nodistro main Somebody\nhttp://x/ bookworm main Somebody", undefined],
    ["none", "", undefined]
  ])("%s", (_, listed, mirror) => {
    expect(chooseMirror(`${listed}\n`, "bookworm")).toBe(mirror)
  })
})

describe("a peer of a newer Debian", () => {
  it("is made by what this machine's own Debian has", () => {
    expect(planInstall(["dovecot24"], { isRoot: true, isDebian: true })).toEqual({
      _tag: "Install",
      packages: ["debian-archive-keyring", "mmdebstrap"]
    })
  })

  it("is a reason to skip that says what to do", () => {
    const reason =
      "dovecot24 is not installed: npm test as root on Debian makes /var/cache/signalbox-tests/dovecot-2.4-pgsql"
    expect(decideAvailability("dovecot24", undefined, true)).toEqual({ available: false, reason })
    expect(planInstall(["dovecot24", "swaks"], { isRoot: false, isDebian: true })).toMatchObject({
      sentence: expect.stringContaining(
        "apt-get install --no-install-recommends swaks; npm test as root on Debian makes"
      )
    })
  })
})

// Uses a fake mmdebstrap. Checks which folder exists after success, failure or a kill of the script.
describe.skipIf(!existsSync("/usr/bin/apt-config"))("newerDebian.sh", () => {
  let home = ""
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "signalbox-newer-"))
  })
  afterEach(() => {
    rmSync(home, { recursive: true, force: true })
  })

  /**
   * Runs newerDebian.sh with a fake mmdebstrap that logs its call, creates the folder and runs `body`; `$target` is the
   * folder.
   */
  const make = (body: string) => {
    const bin = join(home, "bin")
    mkdirSync(bin, { recursive: true })
    const maker = `#!/bin/sh\nset -e\necho called >> ${home}/calls\nfor word; do case $word in *.new) target=$word; esac; done\nmkdir -p "$target/bin"; touch "$target/begun"\n${body}\n`
    writeFileSync(join(bin, "mmdebstrap"), maker)
    chmodSync(join(bin, "mmdebstrap"), 0o755)
    const child = spawn(
      join(import.meta.dirname, "newerDebian.sh"),
      [join(home, "sid"), "sid", "http://mirror.invalid/", "bin/thing", "thing"],
      { env: { ...process.env, PATH: `${bin}:${process.env["PATH"]}` }, stdio: "ignore" }
    )
    return { child, ended: new Promise<number | null>((resolve) => child.once("exit", resolve)) }
  }
  const complete = `printf '#!/bin/sh\\n' > "$target/bin/thing"; chmod +x "$target/bin/thing"`
  const calls = () => readFileSync(join(home, "calls"), "utf8").trim().split("\n").length
  const left = () =>
    readdirSync(home)
      .filter((name) => name.startsWith("sid"))
      .sort()

  it("makes the folder once, for two who ask at the same time and for whoever comes later", async () => {
    const slow = `while [ ! -e ${home}/go ]; do sleep 0.05; done\n${complete}`
    const [first, second] = [make(slow), make(slow)]
    await poll(async () => (existsSync(join(home, "calls")) ? true : undefined), 10_000)
    expect(existsSync(join(home, "sid"))).toBe(false)
    writeFileSync(join(home, "go"), "")
    expect(await Promise.all([first.ended, second.ended, make("exit 1").ended])).toEqual([0, 0, 0])
    expect(calls()).toBe(1)
    expect(left()).toEqual(["sid", "sid.lock"])
  })

  it("takes the place of one that lacks the program", async () => {
    mkdirSync(join(home, "sid/old"), { recursive: true })
    expect(await make(complete).ended).toBe(0)
    expect(readdirSync(join(home, "sid")).sort()).toEqual(["begun", "bin"])
  })

  it("leaves nothing that counts when the making fails or ends half done", async () => {
    expect(await make("exit 3").ended).not.toBe(0)
    expect(await make("exit 0").ended).not.toBe(0)
    expect(existsSync(join(home, "sid"))).toBe(false)
    expect(await make(complete).ended).toBe(0)
    expect(left()).toEqual(["sid", "sid.lock"])
  })

  it("waits for what a killed run still has going, and then begins anew", async () => {
    const killed = make(`while [ ! -e ${home}/go ]; do sleep 0.05; done; touch "$target/late"`)
    await poll(async () => (existsSync(join(home, "calls")) ? true : undefined), 10_000)
    killed.child.kill("SIGKILL")
    await killed.ended
    const next = make(`[ ! -e "$target/late" ]\n${complete}`)
    writeFileSync(join(home, "go"), "")
    expect(await next.ended).toBe(0)
    expect(existsSync(join(home, "sid/late"))).toBe(false)
    expect(left()).toEqual(["sid", "sid.lock"])
  })
})
