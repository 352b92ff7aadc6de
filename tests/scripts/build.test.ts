import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { ensureBuilt } from "#support/Executable.ts"
import { inputsOf, isUpToDate } from "../../scripts/buildInputs.ts"
import { publishBuild, runningFrom } from "../../scripts/publishBuild.ts"

const folders: Array<string> = []
const checkout = () => {
  const root = mkdtempSync(join(tmpdir(), "signalbox-build-"))
  folders.push(root)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const read = (path: string) => readFileSync(join(root, path), "utf8")
  /** Publishes a build of these files. */
  const publish = (inputs: string, files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) write(`fresh/${path}`, text)
    publishBuild({ root, fresh: join(root, "fresh"), target: join(root, "dist"), inputs, entries: ["signalbox.js"] })
  }
  const has = (path: string) => existsSync(join(root, "dist", path))
  return { root, write, read, publish, has }
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

it("the bundle is in ASCII, apart from small parts: V8 keeps other files in two bytes for each character", () => {
  ensureBuilt()
  const dist = join(import.meta.dirname, "../../dist")
  const { files } = JSON.parse(readFileSync(join(dist, "build.json"), "utf8")) as { files: ReadonlyArray<string> }
  const large = files.filter((file) => /^[^/]+\.js$/.test(file) && statSync(join(dist, file)).size > 50_000)
  expect(large.length).toBeGreaterThan(5)
  const letters = large.flatMap((file) =>
    Array.from(
      readFileSync(join(dist, file), "utf8").matchAll(/.{0,40}[^\0-\x7f].{0,20}/g),
      ([text]) => `${file}: ${text}`
    )
  )
  expect(letters).toEqual([])
}, 120_000)

it("the root helper starts without Node's HTTP client, which costs as much as the rest of its start", () => {
  ensureBuilt()
  const loaded = 'process.on("exit", () => console.error(process.moduleLoadList.some((name) => /undici/.test(name))))'
  const preload = `data:text/javascript,${encodeURIComponent(loaded)}`
  const helper = join(import.meta.dirname, "../../dist/watchdog-root.js")
  const ran = spawnSync(process.execPath, ["--import", preload, helper, "1-2-0"], { encoding: "utf8", input: "" })
  expect(ran.stdout).toContain("no request of one line arrived")
  expect(ran.stderr).toBe("false\n")
}, 120_000)

describe("a build is up to date", () => {
  it("while contents, names and the lockfile are the same, and all its files exist", () => {
    const { publish, root, write } = checkout()
    const target = join(root, "dist")
    write("core/a.ts", "1")
    write("package-lock.json", "{}")
    const first = inputsOf(root)
    expect(isUpToDate(target, first)).toBe(false)
    publish(first, { "signalbox.js": "", "console/index.html": "" })
    write("core/a.ts", "1")
    write("tests/b.ts", "2")
    expect(isUpToDate(target, inputsOf(root))).toBe(true)
    rmSync(join(target, "console/index.html"))
    expect(isUpToDate(target, first)).toBe(false)

    const seen = new Set([first])
    for (const [path, text] of [
      ["core/a.ts", "2"],
      ["core/b.ts", "1"],
      ["package-lock.json", '{"x":1}'],
      ["console/x/y.css", "a"]
    ] as const) {
      write(path, text)
      seen.add(inputsOf(root))
    }
    expect(seen.size).toBe(5)
  })
})

describe("a new build", () => {
  it("keeps the parts of the build before, and removes older ones", () => {
    const { has, publish, read } = checkout()
    publish("1", { "signalbox.js": "one", "chunk-1.js": "", "console/assets/1.js": "" })
    publish("2", { "signalbox.js": "two", "chunk-2.js": "", "console/assets/2.js": "" })
    expect(read("dist/signalbox.js")).toBe("two")
    expect(["chunk-1.js", "console/assets/1.js", "chunk-2.js", "console/assets/2.js"].every(has)).toBe(true)
    publish("3", { "signalbox.js": "three", "chunk-3.js": "" })
    expect(["chunk-1.js", "console/assets/1.js"].some(has)).toBe(false)
    expect(["chunk-2.js", "console/assets/2.js", "chunk-3.js"].every(has)).toBe(true)
    expect(has("../fresh")).toBe(false)
  })

  it("removes nothing while a program runs from dist", async () => {
    const { has, publish, root } = checkout()
    publish("1", { "signalbox.js": "setInterval(() => {}, 1e6); console.log('up')", "chunk-1.js": "" })
    const server = spawn(process.execPath, [join(root, "dist/signalbox.js"), "up"])
    try {
      await once(server.stdout, "data")
      expect(runningFrom(root)).toEqual([server.pid])
      publish("2", { "signalbox.js": "", "chunk-2.js": "" })
      publish("3", { "signalbox.js": "", "chunk-3.js": "" })
      expect(["chunk-1.js", "chunk-2.js", "chunk-3.js"].every(has)).toBe(true)
    } finally {
      server.kill("SIGKILL")
      await once(server, "close")
    }
    publish("4", { "signalbox.js": "", "chunk-4.js": "" })
    expect([has("chunk-1.js"), has("chunk-3.js")]).toEqual([false, true])
  })
})
