/**
 * Checks that an install is complete. npm skips optional packages whose `engines` in the lockfile exclude the Node that
 * runs npm. The lockfile therefore has no `engines` for them (tests/scripts/install.test.ts), and every npm on this
 * machine installs all of them at once.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Oldest Node that runs npm for us. Source: `engines` in package.json. */
const oldestNode = 18

export interface LockedPackage {
  /** Set when only development needs the package. */
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: ReadonlyArray<string>
  readonly cpu?: ReadonlyArray<string>
  readonly libc?: ReadonlyArray<string>
  readonly engines?: { readonly node?: string }
}

/** Packages of the lockfile, by path. */
export const lockedPackages = (): Readonly<Record<string, LockedPackage>> =>
  (JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as { packages: Record<string, LockedPackage> })
    .packages

/** Whether `npm ci --omit=dev` runs this. npm tells scripts its settings in the environment. */
const omitsDevelopment = (): boolean => (process.env["npm_config_omit"] ?? "").split(/\s+/).includes("dev")

/** Optional packages for this platform that are in the lockfile but not installed, although they were asked for. */
const missing = (): ReadonlyArray<string> => {
  const withoutDevelopment = omitsDevelopment()
  const forHere = ({ cpu, dev, libc, optional, os }: LockedPackage) =>
    optional === true &&
    !(withoutDevelopment && dev === true) &&
    os !== undefined &&
    os.includes(process.platform) &&
    (cpu?.includes(process.arch) ?? true) &&
    (libc?.includes("glibc") ?? true)
  return Object.entries(lockedPackages())
    .filter(([path, locked]) => forHere(locked) && !existsSync(join(root, path)))
    .map(([path]) => path)
}

/** The line about the Node that runs npm, from npm's user agent; undefined when that Node is supported. Pure. */
export const oldNodeLine = (userAgent: string | undefined): string | undefined => {
  const version = /\bnode\/v(\d+)(\.\S+)?/.exec(userAgent ?? "")
  return version === null || Number(version[1]) >= oldestNode
    ? undefined
    : `signalbox: npm runs on Node ${version[1]}${version[2] ?? ""}; supported: Node ${oldestNode} or newer. ` +
        "The daemons use the Node of the lockfile."
}

/** Ends the process with a line when packages are missing. */
export const requireInstalled = (): void => {
  const absent = missing()
  if (absent.length === 0) return
  process.stderr.write(`signalbox: the install lacks ${absent.join(", ")}. Run: npm ci\n`)
  process.exit(1)
}
