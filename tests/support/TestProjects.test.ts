import { join } from "node:path"
import { expect, it } from "vitest"
import { importGraph, reachedFrom } from "./ImportGraph.ts"
import { readSourceTree } from "./SourceTree.ts"
import { divideTests, isTest, partsModules } from "./TestProjects.ts"

const files = readSourceTree(join(import.meta.dirname, "../.."))

/** Reads all sources. Unit: milliseconds. Reason: 1 s on an idle machine, 25 s on a loaded one. */
const patience = 120_000

it(
  "puts every test file into exactly one project, and nothing that opens a port into unit",
  { timeout: patience },
  () => {
    const graph = importGraph(files)
    const projects = divideTests(files, graph)
    const all = Object.values(projects).flat()
    expect(all.toSorted()).toEqual(files.map(({ path }) => path).filter(isTest))
    expect(new Set(all).size).toBe(all.length)
    for (const path of projects.unit) {
      const opened = [...reachedFrom(graph, path)].filter((module) => partsModules.has(module))
      expect(opened, path).toEqual([])
    }
    expect(projects.unit.length).toBeGreaterThan(100)
    expect(projects.unit).toContain("tests/core/words/Language.test.ts")
    expect(projects.parts).toContain("tests/core/postgres/EmbeddedPostgres.test.ts")
    expect(projects.whole).toContain("tests/console/pages.test.ts")
  }
)

it.each([
  ["a process behind another file", `import { b } from "#core/B.ts"`, `import "node:child_process"`, "parts"],
  ["only a type of a port", `import type { Server } from "node:net"`, "", "unit"],
  ["a name that opens nothing", `import { isIP, type Socket } from "node:net"`, "", "unit"],
  ["a server beside such a name", `import { isIP, createServer } from "node:net"`, "", "parts"],
  ["a whole module", `import net from "node:net"`, "", "parts"],
  ["a browser", `import { chromium } from "playwright-core"; import "node:net"`, "", "whole"]
])("%s", (_, test, support, project) => {
  const divided = divideTests([
    { path: "core/B.ts", text: support },
    { path: "tests/a.test.ts", text: test }
  ])
  expect(divided).toMatchObject({ [project]: ["tests/a.test.ts"] })
})
