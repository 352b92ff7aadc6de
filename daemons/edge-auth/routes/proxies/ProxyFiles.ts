/**
 * The proxy's configuration as it lies on the disk, bounded: what cannot be read is told, and never an error. Call
 * outside transactions.
 */
import { Effect } from "effect"
import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, isAbsolute, join } from "node:path"
import { readCaddyfile } from "./CaddyFile.ts"
import { readNginx } from "./NginxFile.ts"
import type { Read } from "./Read.ts"
import { readTraefik } from "./TraefikFile.ts"

/** Longest file. Unit: bytes. Reason: written by hand; the report is made while somebody waits. */
const maxSize = 512 * 1024

/** Files read for one report, includes and all. Unit: files. */
const maxFiles = 200

export const readProxyFiles = (paths: ReadonlyArray<string>): Effect.Effect<Pick<Read, "places" | "unread">> =>
  Effect.sync(() => {
    let left = maxFiles
    const textOf = (path: string): string | { readonly problem: string } => {
      if (left-- <= 0) return { problem: `more than ${maxFiles} files` }
      try {
        const { size } = statSync(path)
        if (!statSync(path).isFile()) return { problem: "is no file" }
        return size > maxSize ? { problem: `is longer than ${maxSize} bytes` } : readFileSync(path, "utf8")
      } catch (error) {
        return {
          problem: error instanceof Error && "code" in error ? `cannot be read (${error.code})` : "cannot be read"
        }
      }
    }
    const read = (path: string): Pick<Read, "places" | "unread"> => {
      const text = textOf(path)
      if (typeof text !== "string") return { places: [], unread: [`${path}: ${text.problem}`] }
      if (/\.ya?ml$/i.test(path)) return readTraefik(path, text, "yaml")
      if (/\.toml$/i.test(path)) return readTraefik(path, text, "toml")
      if (/caddyfile/i.test(basename(path))) return readCaddyfile(path, text)
      return readNginx(path, text, (pattern) => {
        const full = isAbsolute(pattern) ? pattern : join(dirname(path), pattern)
        const files = /[*?[]/.test(full) ? globSync(full).toSorted() : existsSync(full) ? [full] : undefined
        const texts = files?.map((file) => ({ file, text: textOf(file) }))
        // One that cannot be read may hold the check.
        return texts?.every((one): one is { file: string; text: string } => typeof one.text === "string")
          ? texts
          : undefined
      })
    }
    const all = paths.map(read)
    return { places: all.flatMap(({ places }) => places), unread: [...new Set(all.flatMap(({ unread }) => unread))] }
  })
