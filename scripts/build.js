// `npm run prepare`, which `npm ci` and `npx signalbox` run: bundles the executable and its worker entries into dist/.
// Does nothing when dist/ was built from the same inputs. It runs with the pinned Node.
//
// The new bundle is built next to the old one and then moved into dist/ file by file, so a failed build keeps the old
// bundle, and a running server finds the parts that it has not loaded yet (scripts/publishBuild.ts).

import { spawnSync } from "node:child_process"
import { copyFileSync, rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { inputsOf, isUpToDate } from "./buildInputs.ts"
import { bundle, entriesOf } from "./bundle.ts"
import { publishBuild } from "./publishBuild.ts"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const target = join(root, "dist")

const fresh = `${target}.new-${process.pid}`
const sweep = () => rmSync(fresh, { recursive: true, force: true })

const inputs = inputsOf(root)
if (isUpToDate(target, inputs)) process.exit(0)

run("scripts/checkInstall.ts")

/** Data files that code reads next to its bundle (protocols/wake-word/OpenExtractor.ts). */
const assets = ["protocols/wake-word/wake-word-embedding.onnx"]

try {
  await bundle(root, fresh)
} catch (error) {
  sweep()
  // esbuild has already printed file and line.
  fail(error.errors === undefined ? String(error.message ?? error) : `${error.errors.length} error(s) above`)
}
for (const path of assets) copyFileSync(join(root, path), join(fresh, basename(path)))
run(join(fresh, "fleet-file.js"), join(fresh, "fleet.json"))
run("scripts/buildConsole.ts", join(fresh, "console"))
const entries = [...Object.keys(entriesOf(root)).map((name) => `${name}.js`), "fleet.json"]
publishBuild({ root, fresh, target, inputs, entries })

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
