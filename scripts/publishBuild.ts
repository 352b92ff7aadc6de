/**
 * Moves a finished build into dist/ without disturbing servers that run from dist/.
 *
 * A running server loads parts of its program, and the console loads pages, when they are first needed. Their names
 * contain a hash of their contents, so old and new parts exist side by side. The parts of the build before are kept.
 * Older ones are kept as long as a process runs from dist/.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Manifest, manifestName, readManifest } from "./buildInputs.ts"

export interface Build {
  /** Folder that contains dist/. */
  readonly root: string
  /** Folder of the new build. It is moved. */
  readonly fresh: string
  readonly target: string
  /** Hash of the inputs. */
  readonly inputs: string
  /** Names of the files that are started by name. They are replaced last, because they name other files. */
  readonly entries: ReadonlyArray<string>
}

export const publishBuild = ({ entries, fresh, inputs, root, target }: Build): void => {
  const files = filesBelow(fresh)
  const before = readManifest(target)?.files ?? []
  const namesOthers = (path: string) => entries.includes(path) || /\.html(\.\w+)?$/.test(path)
  for (const path of [...files.filter((path) => !namesOthers(path)), ...files.filter(namesOthers)]) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    renameSync(join(fresh, path), join(target, path))
  }
  rmSync(fresh, { recursive: true, force: true })
  const manifest = join(target, manifestName)
  writeFileSync(`${manifest}.new`, `${JSON.stringify({ inputs, files } satisfies Manifest)}\n`)
  renameSync(`${manifest}.new`, manifest)
  if (runningFrom(root).length > 0) return
  const kept = new Set([...files, ...before, manifestName])
  for (const path of filesBelow(target)) if (!kept.has(path)) rmSync(join(target, path), { force: true })
}

/** Process ids of programs that were started from dist/ of this folder. */
export const runningFrom = (root: string): ReadonlyArray<number> => {
  const program = join(root, "dist/")
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")
        return words.some((word) => word.startsWith(program) && word.endsWith(".js"))
      } catch {
        // The process has ended, or belongs to a user whose processes are hidden.
        return false
      }
    })
    .map(Number)
}

/** Paths of all files below a folder, relative to it. */
const filesBelow = (folder: string, under = ""): ReadonlyArray<string> =>
  readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const path = under === "" ? entry.name : `${under}/${entry.name}`
    return entry.isDirectory() ? filesBelow(folder, path) : [path]
  })
