// `npm run prepare`, which `npm ci` runs: bundles the executable and its worker entries into dist/. Plain JavaScript,
// because it runs with whatever Node the machine has (18 or newer). Types are checked elsewhere (`npm run check`).
//
// The new bundle is made beside the old one and put in its place by rename: a build that fails leaves the old one.

import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const target = join(root, "dist")

const fresh = `${target}.new-${process.pid}`
const old = `${target}.old-${process.pid}`
const sweep = () => {
  for (const path of [fresh, old]) rmSync(path, { recursive: true, force: true })
}

// The console's builder needs a newer Node than npm may have been run with, and parts that an older npm run left out.
run("scripts/completeInstall.ts")
const { build } = await import("esbuild")

/** Modules that packages try to load and do without: native accelerators, none of them installed. */
const optional = ["pg-native", "bufferutil", "utf-8-validate"]

/** CommonJS packages call `require` for Node's own modules; an ES module has none of its own. */
const requireBanner = `import { createRequire as __createRequire } from "node:module"
const require = __createRequire(import.meta.url)`

/**
 * `daemons/alarm-bridge/intake/mimeWorker.ts` becomes `mime-worker`: workers are found beside the bundle by this name.
 */
const workerName = (path) =>
  basename(path, ".ts")
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-")
    .toLowerCase()

const filesBelow = (directory) =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(directory, entry.name)) : [join(directory, entry.name)]
  )

const entries = { signalbox: join(root, "daemons/main.ts") }
// A worker's file begins with a small letter: nothing imports it.
const sources = ["core", "daemons"].flatMap((directory) => filesBelow(join(root, directory)))
for (const path of sources.filter((path) => /^[a-z].*Worker\.ts$/.test(basename(path)))) {
  const name = workerName(path)
  if (name in entries)
    fail(`two entries are called ${name}: ${relative(root, entries[name])} and ${relative(root, path)}`)
  entries[name] = path
}

try {
  await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: fresh,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    external: optional,
    banner: { js: requireBanner },
    sourcemap: true,
    // Sources are in the repository; a stack trace needs names and lines only.
    sourcesContent: false,
    // Names of functions are not kept where two modules have the same: it would give each closure that is ever made a
    // dictionary of 256 bytes. Tags of errors, actors and spans are said as words.
    keepNames: false,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning"
  })
} catch (error) {
  sweep()
  // esbuild has told file and line by itself already.
  fail(error.errors === undefined ? String(error.message ?? error) : `${error.errors.length} error(s) above`)
}
run("scripts/buildConsole.ts", join(fresh, "console"))
if (existsSync(target)) renameSync(target, old)
renameSync(fresh, target)
sweep()

/** Runs one of our scripts with the pinned Node; ends here when it fails. */
function run(...command) {
  const { error, status } = spawnSync(join(root, "bin/pinned-node"), command, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"]
  })
  if (status === 0) return
  sweep()
  fail(error === undefined ? `${command[0]} ended with ${status}` : error.message)
}

function fail(message) {
  process.stderr.write(`signalbox: the build failed: ${message}\n`)
  process.exit(1)
}
