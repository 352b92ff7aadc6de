// Test files that a change can affect (`npm test -- --changed`): by the import graph, and by the dependencies below
// that are no imports. Pure.

import type { SourceText } from "./Arrows.ts"
import { importGraph, reachedFrom } from "./ImportGraph.ts"
import { isTest } from "./TestProjects.ts"

/** A dependency that is not an import: changes of `changed` affect tests whose path or reached files match. */
interface Dependency {
  readonly changed: RegExp
  /** Path of the test file. */
  readonly tests?: RegExp
  /** A file that the test reaches. */
  readonly reached?: RegExp
}

/** All dependencies that are not imports. */
export const dependencies: ReadonlyArray<Dependency> = [
  // The test run itself.
  { changed: /^(package(-lock)?\.json|tsconfig\.json|vitest\.config\.ts)$/, tests: /./ },
  { changed: /^tests\/support\/(globalSetup|setup|Postgres)\.ts$/, tests: /./ },
  // The bundle, and processes that run sources by path.
  {
    changed: /^(core|protocols|daemons|bin)\/|^scripts\/build\.js$/,
    reached: /^tests\/support\/(Executable|Fleet|FrameProcesses|BootedSystemd)\.ts$/
  },
  {
    changed: /^tests\/support\/(FrameProcess|PostgresHolder|Probe\w+|StuckStop|OutboxWriters)\.ts$/,
    reached: /^tests\/support\/Processes\.ts$/
  },
  { changed: /^(console\/|scripts\/buildConsole\.ts$)/, reached: /^tests\/support\/console\// },
  { changed: /\.md$|^(config|scripts\/guide)\//, tests: /^tests\/docs\// },
  // Workers started by a path that is built at run time, and migrations.
  { changed: /^daemons\/[^/]+\/.*(migrations\/|Worker\.ts$)/, tests: /^tests\/(daemons|crash|e2e|hostile)\// },
  // Lists of the repository's files.
  { changed: /./, tests: /^tests\/(arrows|lists)\.test\.ts$/ },
  { changed: /^systemd\//, tests: /^tests\/(systemd|whole)\// },
  { changed: /^config\/(dovecot|postfix|rspamd)\//, tests: /^tests\/whole\// },
  { changed: /^(scripts\/new|\.npmrc$)/, tests: /^tests\/scripts\// }
]

/**
 * Minimum length of a name to search for. Unit: characters. Reason: shorter names, such as `main`, match everywhere.
 */
const shortestName = 8

/** Affected test files, sorted. `files`: all source files. `changed`: paths from the root. */
export const affectedTests = (
  files: ReadonlyArray<SourceText>,
  changed: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const graph = importGraph(files)
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const others = changed.filter((path) => !texts.has(path) && !/^[^/]+\.md$/.test(path))
  return files
    .map(({ path }) => path)
    .filter(isTest)
    .filter((path) => {
      const reached = reachedFrom(graph, path)
      return (
        changed.some((each) => reached.has(each)) ||
        dependencies.some((dependency) => changed.some((each) => applies(dependency, each, path, reached))) ||
        others.some((each) => namesFile(each, reached, texts))
      )
    })
    .sort()
}

const applies = (dependency: Dependency, changed: string, test: string, reached: ReadonlySet<string>): boolean =>
  dependency.changed.test(changed) &&
  (dependency.tests?.test(test) === true ||
    (dependency.reached !== undefined && [...reached].some((path) => dependency.reached!.test(path))))

/** Whether a reached test or support file names a changed file that is no source, such as a golden. */
const namesFile = (path: string, reached: ReadonlySet<string>, texts: ReadonlyMap<string, string>): boolean => {
  const folder = path
    .split("/")
    .slice(0, -1)
    .join("/")
    .replace(/^tests\//, "")
  const name = path.split("/").at(-1) ?? ""
  const words = [folder, name].filter((word) => word.length >= shortestName)
  return [...reached].some(
    (file) => file.startsWith("tests/") && words.some((word) => texts.get(file)?.includes(word) === true)
  )
}
