/** The inputs of a build, as one hash. A build with the same hash is up to date. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

/** Folders and files whose contents decide what a build makes. The lockfile stands for the installed packages. */
export const sources = [
  "core",
  "protocols",
  "daemons",
  "console",
  "config",
  "docs",
  "systemd",
  "tests/README.md",
  "CHANGELOG.md",
  "GLOSSARY.md",
  "README.md",
  "SECURITY.md",
  "scripts/build.js",
  "scripts/buildConsole.ts",
  "scripts/buildGuide.ts",
  "scripts/guide",
  "scripts/buildInputs.ts",
  "scripts/bundle.ts",
  "scripts/publishBuild.ts",
  "package.json",
  "package-lock.json",
  "tsconfig.json"
]

/** Name of the file in dist/ that describes the build. */
export const manifestName = "build.json"

export interface Manifest {
  /** Hash of the inputs. */
  readonly inputs: string
  /** Paths of the built files below dist/. */
  readonly files: ReadonlyArray<string>
}

/** Hash of all inputs below `root`. Contents count and times do not, because git and copies set times of their own. */
export const inputsOf = (root: string): string => {
  const hash = createHash("sha256")
  for (const source of sources) {
    for (const path of existsSync(join(root, source)) ? listing(root, source) : []) {
      const content = readFileSync(join(root, path))
      hash.update(`${path}\0${content.byteLength}\0`).update(content)
    }
  }
  return hash.digest("hex")
}

/** Files below `path` in a fixed order; a file is its own listing. */
const listing = (root: string, path: string): ReadonlyArray<string> => {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? listing(root, `${path}/${entry.name}`) : entry.isFile() ? [`${path}/${entry.name}`] : []
    )
}

/** The manifest of a built folder; undefined when there is none. */
export const readManifest = (target: string): Manifest | undefined => {
  try {
    return JSON.parse(readFileSync(join(target, manifestName), "utf8")) as Manifest
  } catch {
    return undefined
  }
}

/** Whether `target` was built from these inputs and lacks none of its files. */
export const isUpToDate = (target: string, inputs: string): boolean => {
  const manifest = readManifest(target)
  return manifest?.inputs === inputs && manifest.files.every((path) => existsSync(join(target, path)))
}
