/**
 * The page and the overall status as files, plain and compressed, so that a proxy can serve them while we are away. A
 * reader finds the old file or the new one whole. English is the plain name, German has `.de` before the extension.
 */
import { chmod, mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { type Language, languages } from "#core/words/Language.ts"
import { page, type Plan, status } from "./Plans.ts"
import { compressed } from "./Rendered.ts"
import type { Shelf } from "./Shelf.ts"

const files: ReadonlyArray<{ readonly plan: Plan; readonly stem: string; readonly extension: string }> = [
  { plan: page, stem: "index", extension: "html" },
  { plan: status, stem: "status", extension: "json" }
]

const nameOf = (stem: string, extension: string, language: Language): string =>
  language === "en" ? `${stem}.${extension}` : `${stem}.${language}.${extension}`

export interface WrittenFiles {
  /**
   * Writes what is new since it wrote last; fails as the file system does. Not to be called again before it has ended.
   */
  readonly write: (shelf: Shelf) => Promise<void>
}

export const make = (directory: string): WrittenFiles => {
  /** Tags of what stands there by our hand, by name. */
  const written = new Map<string, string>()
  return {
    write: async (shelf) => {
      if ((await mkdir(directory, { recursive: true })) !== undefined) await chmod(directory, directoryMode)
      if (written.size === 0) await sweep(directory)
      for (const { extension, plan, stem } of files) {
        for (const language of languages) {
          const { identity } = shelf.hot(plan, language)!
          const name = nameOf(stem, extension, language)
          if (written.get(name) === identity.etag) continue
          const at = new Date(shelf.snapshot.at)
          // The compressed ones first: a server that finds the plain one changed finds them changed as well.
          await replace(directory, `${name}.br`, await compressed("br", identity.body), at)
          await replace(directory, `${name}.gz`, await compressed("gzip", identity.body), at)
          await replace(directory, name, identity.body, at)
          written.set(name, identity.etag)
        }
      }
    }
  }
}

const temporaryShape = /^\.(?:index|status)\..*\.[0-9a-f]{12}$/

/**
 * From this age on nobody is writing it any more. Unit: milliseconds. Reason: other processes may write into the same
 * directory.
 */
const abandonedAfter = 600_000

/** What was being written when its process was killed. */
const sweep = async (directory: string): Promise<void> => {
  for (const name of (await readdir(directory)).filter((one) => temporaryShape.test(one))) {
    const path = join(directory, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && Date.now() - found.ctimeMs > abandonedAfter) await rm(path, { force: true })
  }
}

/** Everybody may read it, whatever our own mask is: it is what the whole world is shown. */
const mode = 0o644
const directoryMode = 0o755

/** All forms bear the time of what they show, by which servers see that they belong together. */
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
