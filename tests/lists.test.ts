/** Hand-written lists that name every daemon or command, compared with the daemons themselves. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { commands } from "../daemons/Commands.ts"
import { daemons } from "../daemons/Suite.ts"
import { readSourceTree } from "#support/SourceTree.ts"

const root = join(import.meta.dirname, "..")
const text = (path: string) => readFileSync(join(root, path), "utf8")
const names = daemons.map(({ name }) => name)

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

it("the command line has the commands of every feature", () => {
  const listed = text("daemons/Commands.ts")
  const files = readSourceTree(root).map(({ path }) => path)
  // A daemon whose features share one command gathers them in a file of its own.
  const gathered = files.filter((path) => /^daemons\/[^/]+\/Commands\.ts$/.test(path))
  for (const path of gathered) expect(listed, path).toContain(`"./${path.slice("daemons/".length)}"`)
  for (const path of files.filter((path) => /^daemons\/[^/]+\/[^/]+\/Commands\.ts$/.test(path))) {
    const own = gathered.find((one) => path.startsWith(one.slice(0, -"Commands.ts".length)))
    if (own === undefined) expect(listed, path).toContain(`"./${path.slice("daemons/".length)}"`)
    else expect(text(own), path).toContain(`"./${path.split("/").slice(2).join("/")}"`)
  }
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length)
})
