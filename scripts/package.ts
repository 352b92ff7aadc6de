/**
 * `npm run package`: builds the program and makes a tarball with Node and Postgres inside, a Debian package, an image
 * for containers (`--image`), and the checksums of all of them, in var/package or the folder of `--out`.
 *
 * The same sources, package versions and SOURCE_DATE_EPOCH give the same bytes. Default of SOURCE_DATE_EPOCH: the time
 * of the last commit.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { version } from "#core/config/Version.ts"
import { compressions, isCompression } from "./package/Archive.ts"
import { writeChecksums } from "./package/Checksums.ts"
import { makeDebianPackage } from "./package/DebianPackage.ts"
import { makeImage } from "./package/Image.ts"
import { architectures, stageProgram } from "./package/Program.ts"
import { makeTarball } from "./package/Tarball.ts"
import { run } from "./package/Run.ts"

const root = join(import.meta.dirname, "..")

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(root, "var/package") },
    compression: { type: "string", default: "xz" },
    image: { type: "boolean", default: false },
    // A finished build and its version, for tests of upgrades.
    dist: { type: "string" },
    as: { type: "string", default: version },
    // Only the Debian package, for tests.
    debian: { type: "boolean", default: false }
  }
})

const compression = values.compression
if (!isCompression(compression)) throw new Error(`--compression is one of ${compressions.join(", ")}`)
const architecture = architectures[process.arch]
if (architecture === undefined) throw new Error(`there is no package for ${process.arch}`)

/** Time of every packed file. Unit: seconds since 1970. */
const epoch = Number(process.env["SOURCE_DATE_EPOCH"] ?? run("git", ["-C", root, "log", "-1", "--format=%ct"]).trim())

const out = resolve(values.out)
rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })

if (values.dist === undefined) {
  const built = spawnSync(join(root, "bin/pinned-node"), [join(root, "scripts/build.js")], { stdio: "inherit" })
  if (built.status !== 0) process.exit(1)
}

const dist = values.dist ?? join(root, "dist")
const options = { root, dist, out, version: values.as, architecture, epoch, compression }
const program = await stageProgram(options)
if (!values.debian) makeTarball(options, program)
makeDebianPackage(options, program)
if (values.image) makeImage(options, program)
rmSync(program, { recursive: true })
process.stdout.write(writeChecksums(out))
