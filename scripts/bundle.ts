/** Bundles the executable and its worker entries into a folder. */
import { readdirSync } from "node:fs"
import http from "node:http"
import { basename, join, relative } from "node:path"
import type { Plugin } from "esbuild"

/** Optional modules that packages try to load: native accelerators, none of them installed. */
const optional = ["pg-native", "bufferutil", "utf-8-validate"]

/** CommonJS packages load Node modules with `require`, which an ES module does not have. */
export const requireBanner = `import { createRequire as __createRequire } from "node:module"
const require = __createRequire(import.meta.url)`

/** Exports of `node:http` for which Node loads its HTTP client undici. Nothing here imports them. */
const exportsOfUndici = new Set(["WebSocket", "CloseEvent", "MessageEvent"])

/**
 * Takes `node:http` without the exports of undici. An `import` of the whole module reads all of them, which costs 25 to
 * 40 ms of processor time at each start of the program, of each command and of the root helper.
 */
const httpWithoutUndici: Plugin = {
  name: "http-without-undici",
  setup: ({ onLoad, onResolve }) => {
    const names = Object.keys(http).filter((name) => !exportsOfUndici.has(name))
    onResolve({ filter: /^node:http$/ }, ({ kind }) =>
      kind === "import-statement" ? { path: "node:http", namespace: "without-undici" } : undefined
    )
    onLoad({ filter: /.*/, namespace: "without-undici" }, () => ({
      contents: `const http = process.getBuiltinModule("node:http")
        export default http
        export const { ${names.join(", ")} } = http`
    }))
  }
}

/**
 * Name of a worker's bundle: `daemons/alarm-bridge/intake/mimeWorker.ts` becomes `mime-worker`. Code finds its worker
 * next to the main bundle by this name.
 */
const workerName = (path: string): string =>
  basename(path, ".ts")
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-")
    .toLowerCase()

const filesBelow = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(directory, entry.name)) : [join(directory, entry.name)]
  )

/** Source file of each bundle by its name. Throws when two workers have the same name. */
export const entriesOf = (root: string): Readonly<Record<string, string>> => {
  // The root helper of watchdog is a program of its own, because it runs as root and starts for each request.
  const entries: Record<string, string> = {
    signalbox: join(root, "daemons/main.ts"),
    "fleet-file": join(root, "daemons/fleetFile.ts"),
    "watchdog-root": join(root, "daemons/watchdog/services/root-helper/main.ts")
  }
  // Worker files begin with a lower-case letter, because no module imports them.
  const sources = ["core", "daemons"].flatMap((directory) => filesBelow(join(root, directory)))
  for (const path of sources.filter((path) => /^[a-z].*Worker\.ts$/.test(basename(path)))) {
    const name = workerName(path)
    if (name in entries)
      throw new Error(`two entries are called ${name}: ${relative(root, entries[name]!)} and ${relative(root, path)}`)
    entries[name] = path
  }
  return entries
}

/** Writes the bundles of `root` into `outdir`. `plugins`: for tests, which change a source. */
export const bundle = async (root: string, outdir: string, plugins: Array<Plugin> = []): Promise<void> => {
  // Strings are written in ASCII. Sources write other letters of regular expressions as escapes, because V8 keeps a
  // file with a letter beyond ASCII in two bytes for each character: 4 MB more in memory. tests/scripts/build.test.ts.
  // Loaded late, so that a build that is up to date starts without it.
  const { build } = await import("esbuild")
  await build({
    absWorkingDir: root,
    entryPoints: entriesOf(root),
    outdir,
    plugins: [httpWithoutUndici, ...plugins],
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    external: optional,
    banner: { js: requireBanner },
    sourcemap: true,
    // Stack traces need only names and lines; the sources are in the repository.
    sourcesContent: false,
    // Duplicate function names are not preserved: esbuild would add a call to each closure, which gives it a property
    // dictionary of 256 bytes. Errors, actors and spans carry their names as strings.
    keepNames: false,
    minifySyntax: true,
    minifyWhitespace: true,
    // Packages contain the licences as a file (scripts/package/Notices.ts).
    legalComments: "none",
    logLevel: "warning"
  })
}
