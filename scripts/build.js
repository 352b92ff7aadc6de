// `npm run prepare`, which `npm ci` and `npx signalbox` run: bundles the executable and its worker entries into dist/.
// Does nothing when dist/ was built from the same inputs. It runs with the pinned Node.
//
// The new bundle is built next to the old one and then moved into dist/ file by file, so a failed build keeps the old
// bundle, and a running server finds the parts that it has not loaded yet (scripts/publishBuild.ts).

import { spawnSync } from "node:child_process"
import { copyFileSync, readdirSync, rmSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { inputsOf, isUpToDate } from "./buildInputs.ts"
import { publishBuild } from "./publishBuild.ts"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const target = join(root, "dist")

const fresh = `${target}.new-${process.pid}`
const sweep = () => rmSync(fresh, { recursive: true, force: true })

const inputs = inputsOf(root)
if (isUpToDate(target, inputs)) process.exit(0)

run("scripts/checkInstall.ts")
const { build } = await import("esbuild")

/** Optional modules that packages try to load: native accelerators, none of them installed. */
const optional = ["pg-native", "bufferutil", "utf-8-validate"]

/** Data files that code reads next to its bundle (protocols/wake-word/OpenExtractor.ts). */
const assets = ["protocols/wake-word/wake-word-embedding.onnx"]

/** CommonJS packages load Node modules with `require`, which an ES module does not have. */
const requireBanner = `import { createRequire as __createRequire } from "node:module"
const require = __createRequire(import.meta.url)`

/**
 * Name of a worker's bundle: `daemons/alarm-bridge/intake/mimeWorker.ts` becomes `mime-worker`. Code finds its worker
 * next to the main bundle by this name.
 */
const workerName = (path) =>
  basename(path, ".ts")
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-")
    .toLowerCase()

const filesBelow = (directory) =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(directory, entry.name)) : [join(directory, entry.name)]
  )

// The root helper of watchdog is a program of its own, because it runs as root and starts for each request.
const entries = {
  signalbox: join(root, "daemons/main.ts"),
  "watchdog-root": join(root, "daemons/watchdog/services/root-helper/main.ts")
}
// Worker files begin with a lower-case letter, because no module imports them.
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
    // Stack traces need only names and lines; the sources are in the repository.
    sourcesContent: false,
    // Duplicate function names are not preserved: esbuild would add a call to each closure, which gives it a property
    // dictionary of 256 bytes. Errors, actors and spans carry their names as strings.
    keepNames: false,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning"
  })
} catch (error) {
  sweep()
  // esbuild has already printed file and line.
  fail(error.errors === undefined ? String(error.message ?? error) : `${error.errors.length} error(s) above`)
}
for (const path of assets) copyFileSync(join(root, path), join(fresh, basename(path)))
run("scripts/buildConsole.ts", join(fresh, "console"))
publishBuild({ root, fresh, target, inputs, entries: Object.keys(entries).map((name) => `${name}.js`) })

/** Runs a script with the pinned Node; exits when it fails. */
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
