/** `npm run package`: the same bytes from two builds, and a tarball that runs. */
import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { version } from "#core/config/Version.ts"
import { buildPackages } from "./Packages.ts"

/** Longest run of a test. Unit: milliseconds. Reason: a loaded machine reads 600 MB and starts three programs. */
const patience = 300_000

const folder = mkdtempSync(join(tmpdir(), "signalbox-package-"))
// Postgres runs as another user, which passes through it.
chmodSync(folder, 0o711)
const [first, second] = [join(folder, "first"), join(folder, "second")] as const
let names: ReadonlyArray<string> = []
beforeAll(async () => {
  names = await buildPackages(first)
  await buildPackages(second, [], { TZ: "Asia/Tokyo", LC_ALL: "C", HOME: folder })
}, 240_000)
afterAll(() => rmSync(folder, { recursive: true }))

describe("npm run package", () => {
  it("makes a tarball, a Debian package and their checksums", { timeout: patience }, () => {
    expect(names).toEqual([
      "SHA256SUMS",
      expect.stringMatching(new RegExp(`^signalbox-${version}-linux-(x64|arm64)\\.tar$`)),
      expect.stringMatching(new RegExp(`^signalbox_${version}_(amd64|arm64)\\.deb$`))
    ])
    execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: first })
  })

  it("makes the same bytes again, in another time zone, locale and home", () => {
    expect(readFileSync(join(second, "SHA256SUMS"), "utf8")).toBe(readFileSync(join(first, "SHA256SUMS"), "utf8"))
  })
})

describe("the tarball", () => {
  const program = join(folder, `signalbox-${version}`)
  beforeAll(() => {
    execFileSync("tar", [
      "-C",
      folder,
      "-xf",
      join(
        first,
        names.find((name) => name.endsWith(".tar"))!
      )
    ])
  })

  it(
    "contains Node, Postgres and the runtime of wake words, and runs without anything else",
    { timeout: patience },
    () => {
      const run = (...args: ReadonlyArray<string>) =>
        spawnSync(join(program, "bin/signalbox"), args, {
          encoding: "utf8",
          env: { PATH: "/usr/bin:/bin", SIGNALBOX_ENV_DIR: "", SIGNALBOX_DATA_DIR: join(folder, "data") }
        })
      expect(run("--version").stdout).toContain(version)
      const migrated = run("migrate")
      expect(migrated.stdout, migrated.stderr).toContain("comm_dispatcher")
      const loaded = execFileSync(
        join(program, "bin/pinned-node"),
        ["-p", "Object.keys(require('onnxruntime-node')).includes('InferenceSession')"],
        { cwd: program, encoding: "utf8" }
      )
      expect(loaded.trim()).toBe("true")
    }
  )

  it("has a manual page for every command, which groff reads without complaint", () => {
    const pages = readdirSync(join(program, "share/man/man1"))
    expect(pages).toContain("signalbox.1")
    expect(pages).toContain("signalbox-alarm.1")
    expect(pages.length).toBeGreaterThan(30)
    // One groff for all pages. A complaint names its page.
    const { stderr, status } = spawnSync("groff", ["-man", "-ww", "-Tutf8", ...pages], {
      cwd: join(program, "share/man/man1"),
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024
    })
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
  })

  it("names the licences of everything that it contains", () => {
    const bom = JSON.parse(readFileSync(join(program, "sbom.cdx.json"), "utf8"))
    expect(bom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { version } } })
    const components: ReadonlyArray<{ readonly name: string; readonly version: string }> = bom.components
    expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(["effect", "preact", "pg-boss"]))
    expect(components.map(({ name }) => name)).not.toContain("vitest")
    const notices = readFileSync(join(program, "THIRD-PARTY-NOTICES.txt"), "utf8")
    for (const name of ["effect", "preact", "ical.js"]) expect(notices).toMatch(new RegExp(`^${name} \\d`, "m"))
    expect(notices).toContain("Mozilla Public License")
    expect(notices).toContain("PostgreSQL License")
  })

  it("can be read by all users and written by its owner only", () => {
    const modes = readdirSync(program, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isSymbolicLink())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o777)
    expect(new Set(modes)).toEqual(new Set([0o644, 0o755]))
  })
})
