/** Hand-written lists of daemons, commands and files, compared with the daemons and the files themselves. */
import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { commands, daemonOf } from "../daemons/Commands.ts"
import { daemons } from "../daemons/Suite.ts"
import { all, type Permission, Requires } from "#core/auth/Permissions.ts"
import { top } from "#core/http/Api.ts"
import { readSourceTree } from "#support/SourceTree.ts"

const root = join(import.meta.dirname, "..")
const text = (path: string) => readFileSync(join(root, path), "utf8")
const names = daemons.map(({ name }) => name)
// Outside of the tests, because a loaded machine reads all sources for longer than the limit of a test.
const sources = readSourceTree(root)

describe("README.md", () => {
  it.each(daemons.map(({ name, port }) => [name, port] as const))("lists %s with port %i", (name, port) => {
    expect(text("README.md")).toMatch(
      new RegExp(`^\\| \\[${name}\\]\\(daemons/${name}/README\\.md\\) \\|.*\\| ${port} \\|$`, "m")
    )
  })

  it("lists no daemon that does not exist", () => {
    const listed = [...text("README.md").matchAll(/\(daemons\/([\w-]+)\/README\.md\) \|/g)].map(([, name]) => name)
    expect(listed.toSorted()).toEqual(names.toSorted())
  })
})

it("systemd/README.md enables every daemon", () => {
  const enabled = [...text("systemd/README.md").matchAll(/(?<=^systemctl enable .*)signalbox@([\w-]+)\.service/gm)]
  expect(enabled.map(([, name]) => name).toSorted()).toEqual(names.toSorted())
})

describe("the READMEs of core and protocols", () => {
  const files = sources.map(({ path }) => path)
  const protocols = new Set(files.flatMap((path) => /^protocols\/[^/]+/.exec(path) ?? []))

  it.each([...protocols])("%s/README.md lists exactly the files of its folder", (folder) => {
    const table = text(`${folder}/README.md`)
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => line.split(" | ")[0])
    const listed = table.flatMap((cell) =>
      Array.from(cell!.matchAll(/`(\w+\.ts)`/g), ([, name]) => `${folder}/${name}`)
    )
    expect(listed.toSorted()).toEqual(files.filter((path) => path.startsWith(`${folder}/`)))
  })

  it("core/README.md lists every folder and no missing file", () => {
    const readme = text("core/README.md")
    for (const folder of new Set(files.flatMap((path) => /^core\/([^/]+)\//.exec(path)?.[1] ?? [])))
      expect(readme).toContain(`${folder}/`)
    for (const [, name] of readme.matchAll(/`([\w/-]+\.ts)`/g))
      // The list of limits names files of daemons too.
      expect(
        files.some((path) => path.endsWith(`/${name}`)),
        name
      ).toBe(true)
  })
})

it("the command line has the commands of every feature", () => {
  const listed = text("daemons/Commands.ts")
  const files = sources.map(({ path }) => path)
  // A daemon whose features share one command gathers them in a file of its own.
  const gathered = files.filter((path) => /^daemons\/[^/]+\/Commands\.ts$/.test(path))
  for (const path of gathered) expect(listed, path).toContain(`"./${path.slice("daemons/".length)}"`)
  for (const path of files.filter((path) => /^daemons\/[^/]+\/[^/]+\/Commands\.ts$/.test(path))) {
    const own = gathered.find((one) => path.startsWith(one.slice(0, -"Commands.ts".length)))
    if (own === undefined) expect(listed, path).toContain(`"./${path.slice("daemons/".length)}"`)
    else expect(text(own), path).toContain(`"./${path.split("/").slice(2).join("/")}"`)
  }
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length)
  // A group reads the environment file of its daemon.
  const imported = new Map(
    Array.from(listed.matchAll(/^import \{ ([\w, ]+) \} from "\.\/([\w-]+)\//gm)).flatMap(([, words, daemon]) =>
      words!.split(", ").map((word) => [word, daemon!] as const)
    )
  )
  const kebab = (word: string) => word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  expect(daemonOf).toEqual(Object.fromEntries(Array.from(imported, ([word, daemon]) => [kebab(word), daemon])))
  expect(Object.keys(daemonOf).toSorted()).toEqual(commands.map(({ name }) => name).toSorted())
})

/** Permissions that endpoints require. */
const required = new Set<string>()
for (const { api } of daemons)
  HttpApi.reflect(top(api), {
    onGroup: () => {},
    onEndpoint: ({ mergedAnnotations }) => {
      const permission = Context.get(mergedAnnotations, Requires)
      if (permission !== undefined) required.add(permission)
    }
  })

/** Permissions of daemons that do not exist yet. Source of the names: interface documents 1 to 3, §5. */
const planned: ReadonlyArray<Permission> = [
  "hosting.read",
  "hosting.manage",
  "ocr.read",
  "ocr.process",
  "coder.use",
  "spaces.use"
]

/** Permissions that handlers require for single fields of a body, or for some of their values. */
const forFields: ReadonlyArray<Permission> = ["sip.credentials.write", "alarms.urgent", "calls.any"]

it("every permission is required by an endpoint, except those of planned daemons", () => {
  const unused = all.filter((permission) => !required.has(permission) && !forFields.includes(permission))
  expect(unused).toEqual(planned)
})

it("pages of the console are shown by permissions that endpoints require", () => {
  const needed = ["Pages", "BankPages"].flatMap((name) =>
    Array.from(text(`console/app/${name}.ts`).matchAll(/needs: "([a-z._]+)"/g), ([, permission]) => permission!)
  )
  expect(needed.length).toBeGreaterThan(10)
  for (const permission of needed) expect(required).toContain(permission)
})

/** APIs without a page in the console: other servers call them, or the daemon has pages of its own. */
const withoutConsole = /^daemons\/(edge-auth|status-checker)\//

it("the console knows the types of every API that people use", () => {
  const known = text("console/lib/Endpoints.ts")
  const files = sources.filter(({ path, text }) => /^daemons\/.*\/Api\.ts$/.test(path) && /\bApi\.make\(/.test(text))
  expect(files.length).toBeGreaterThan(30)
  for (const { path } of files.filter(({ path }) => !withoutConsole.test(path)))
    expect(known, path).toContain(`"../../${path}"`)
})
