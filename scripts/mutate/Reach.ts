// Finds the test files that a source file reaches through the import graph, nearest first. Pure. A process that a test
// starts by a path counts as an import: `bin/signalbox`, and source files named in a string.

import { posix } from "node:path"
import { importTarget, type SourceText } from "../../tests/support/Arrows.ts"
import { importsOf } from "../../tests/support/Imports.ts"

type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Modules that start processes. */
const spawners = new Set(["node:child_process", "playwright-core"])

/** Folders of tests that start many processes and take minutes. They come last. */
const slow = /^tests\/(crash|outage|storm)\//

export interface Reach {
  /** Paths of the test files whose imports lead to `file`. */
  readonly testsOf: (file: string) => ReadonlyArray<string>
}

export const makeReach = (files: ReadonlyArray<SourceText>): Reach => {
  const known = new Set(files.map(({ path }) => path))
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const imports: Graph = new Map(
    files.map(({ path, text }) => [
      path,
      new Set(importsOf(text).map(({ specifier }) => importTarget(path, specifier) ?? specifier))
    ])
  )
  const testSupport = new Map([...imports].map(([path, to]) => [path, path.startsWith("tests/") ? to : []]))
  const tests = [...known].filter((path) => path.startsWith("tests/") && path.endsWith(".test.ts"))
  const runsProcess = (path: string) =>
    path.startsWith("tests/") && [...distancesFrom(testSupport, path).keys()].some((to) => spawners.has(to))
  const processes = new Set([...known].filter(runsProcess))
  const importers = new Map<string, Set<string>>()
  for (const [from, to] of imports) {
    const started = processes.has(from) ? startedBy(from, texts.get(from)!, known) : []
    for (const one of [...to, ...started]) {
      if (!importers.has(one)) importers.set(one, new Set())
      importers.get(one)!.add(from)
    }
  }
  return {
    testsOf: (file) => {
      const distances = distancesFrom(importers, file)
      const keyed = tests
        .filter((test) => distances.has(test))
        .map((test) => ({
          test,
          key: keyOf(file, test, slow.test(test) ? 2 : processes.has(test) ? 1 : 0, distances.get(test)!)
        }))
      return keyed.sort((one, other) => compare(one.key, other.key)).map(({ test }) => test)
    }
  }
}

/** Sort key: the mirrored test, its folder, its feature; tests without processes; then by folder and by imports. */
const keyOf = (file: string, test: string, effort: number, distance: number): ReadonlyArray<number | string> => {
  const mirrored = `tests/${file.replace(/\.ts$/, ".test.ts")}`
  const wanted = posix.dirname(mirrored).split("/")
  const folders = posix.dirname(test).split("/")
  const parting = wanted.findIndex((folder, index) => folders[index] !== folder)
  const shared = parting === -1 ? wanted.length : parting
  const place = test === mirrored ? 0 : folders.join("/") === wanted.join("/") ? 1 : shared >= featureDepth ? 2 : 3
  return [place, effort, -shared, distance, test]
}

/** Folders of a feature's path: tests, daemons, daemon, feature. */
const featureDepth = 4

const compare = (one: ReadonlyArray<number | string>, other: ReadonlyArray<number | string>): number => {
  const at = one.findIndex((value, index) => value !== other[index])
  return at === -1 ? 0 : one[at]! < other[at]! ? -1 : 1
}

/** Number of steps to each node. */
const distancesFrom = (graph: ReadonlyMap<string, Iterable<string>>, start: string): ReadonlyMap<string, number> => {
  const distances = new Map([[start, 0]])
  // A map also visits the entries that its loop adds.
  for (const [from, distance] of distances)
    for (const to of graph.get(from) ?? []) if (!distances.has(to)) distances.set(to, distance + 1)
  return distances
}

/** Source files that a file of tests names in its strings. */
const startedBy = (path: string, text: string, known: ReadonlySet<string>): ReadonlyArray<string> => {
  const named = [...text.matchAll(/["'`]([\w./-]+\.ts)["'`]/g)].flatMap(([, name]) =>
    [posix.dirname(path), "tests/support", ""].map((folder) => posix.normalize(posix.join(folder, name!)))
  )
  return [...named, ...(text.includes("bin/signalbox") ? ["daemons/main.ts"] : [])].filter((one) => known.has(one))
}
