/**
 * Completes an install that an older Node made. npm skips optional packages whose `engines` exclude the running Node,
 * such as the native parts of the test runner and the linter. A second install with the pinned Node adds them. When
 * nothing is missing, only the lockfile is read.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

interface LockedPackage {
  /** Set when only development needs the package. */
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: ReadonlyArray<string>
  readonly cpu?: ReadonlyArray<string>
  readonly libc?: ReadonlyArray<string>
}

/** Whether `npm ci --omit=dev` runs this. npm tells scripts its settings in the environment. */
const omitsDevelopment = (): boolean => (process.env["npm_config_omit"] ?? "").split(/\s+/).includes("dev")

/** Optional packages for this platform that are in the lockfile but not installed, although they were asked for. */
const missing = (): ReadonlyArray<string> => {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockedPackage>
  }
  const withoutDevelopment = omitsDevelopment()
  const forHere = ({ cpu, dev, libc, optional, os }: LockedPackage) =>
    optional === true &&
    !(withoutDevelopment && dev === true) &&
    os !== undefined &&
    os.includes(process.platform) &&
    (cpu?.includes(process.arch) ?? true) &&
    (libc?.includes("glibc") ?? true)
  return Object.entries(lock.packages)
    .filter(([path, locked]) => forHere(locked) && !existsSync(join(root, path)))
    .map(([path]) => path)
}

/**
 * Installs again with the running Node when packages are missing; exits the process when some are still missing.
 * `more`: options for npm.
 */
export const completeInstall = (...more: ReadonlyArray<string>): void => {
  const before = missing()
  if (before.length === 0) return
  const npm = process.env["npm_execpath"]
  process.stdout.write(`the install lacks ${before.join(", ")}: installing again with the pinned Node\n`)
  if (npm !== undefined) spawnSync(process.execPath, [npm, "ci", ...more], { cwd: root, stdio: "inherit" })
  const after = missing()
  if (after.length === 0) return
  process.stderr.write(`still missing: ${after.join(", ")}. Run: bin/pinned-node "$(readlink -f "$(which npm)")" ci\n`)
  process.exit(1)
}
