/**
 * Writes the page and the overall status as plain and compressed files, so that a proxy can serve them while this
 * process is down. Files are replaced atomically. English has the plain name, other languages have their code before
 * the extension.
 */
import { chmod, mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { page, type Plan, status } from "./Plans.ts"
import { compressed } from "#core/lane/Compressed.ts"
import type { Shelf } from "./Shelf.ts"

const files: ReadonlyArray<{ readonly plan: Plan; readonly stem: string; readonly extension: string }> = [
  { plan: page, stem: "index", extension: "html" },
  { plan: status, stem: "status", extension: "json" }
]

const nameOf = (stem: string, extension: string, language: LanguageCode): string =>
  language === "en" ? `${stem}.${extension}` : `${stem}.${language}.${extension}`

export interface WrittenFiles {
  /**
   * Writes what changed since the last call; rejects with file system errors. Must not be called before the previous
   * call has ended.
   */
  readonly write: (shelf: Shelf) => Promise<void>
}

export const make = (directory: string): WrittenFiles => {
  /** ETag of each file that this process wrote. */
  const written = new Map<string, string>()
  return {
    write: async (shelf) => {
      if ((await mkdir(directory, { recursive: true })) !== undefined) await chmod(directory, directoryMode)
      if (written.size === 0) await sweep(directory)
      for (const { extension, plan, stem } of files) {
        for (const language of shelf.languages) {
          const { identity } = shelf.hot(plan, language)!
          const name = nameOf(stem, extension, language)
          if (written.get(name) === identity.etag) continue
          const at = new Date(shelf.snapshot.at)
          // Writes the compressed files first: when a server sees a new plain file, the others are new as well.
          await replace(directory, `${name}.br`, await compressed("br", identity.whole.body), at)
          await replace(directory, `${name}.gz`, await compressed("gzip", identity.whole.body), at)
          await replace(directory, name, identity.whole.body, at)
          written.set(name, identity.etag)
        }
      }
    }
  }
}

const temporaryShape = /^\.(?:index|status)\..*\.[0-9a-f]{12}$/

/**
 * Age from which a temporary file counts as abandoned. Unit: milliseconds. Reason: other processes may write into the
 * same directory.
 */
const abandonedAfter = 600_000

/** Removes temporary files of killed processes. */
const sweep = async (directory: string): Promise<void> => {
  for (const name of (await readdir(directory)).filter((one) => temporaryShape.test(one))) {
    const path = join(directory, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && Date.now() - found.ctimeMs > abandonedAfter) await rm(path, { force: true })
  }
}

/** Public content, readable by every user regardless of the umask. */
const mode = 0o644
const directoryMode = 0o755

/** All encodings get the time of the snapshot, by which servers match them. */
const replace = async (directory: string, name: string, bytes: Buffer, at: Date): Promise<void> => {
  const temporary = join(directory, `.${name}.${randomBytes(6).toString("hex")}`)
  try {
    await writeFile(temporary, bytes, { flag: "wx" })
    await chmod(temporary, mode)
    await utimes(temporary, at, at)
    await rename(temporary, join(directory, name))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}
