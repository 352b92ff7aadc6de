/**
 * Reads the proxy's configuration files within limits. Unreadable parts are reported in `unread` and never fail. Call
 * outside transactions.
 */
import { Effect } from "effect"
import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, isAbsolute, join } from "node:path"
import { readCaddyfile } from "./CaddyFile.ts"
import { readNginx } from "./NginxFile.ts"
import type { Read } from "./Read.ts"

/** Largest file. Unit: bytes. Reason: such files are written by hand, and an admin waits for the report. */
const maxSize = 512 * 1024

/** Maximum number of files read for one report, including included files. */
const maxFiles = 200

export const readProxyFiles = (paths: ReadonlyArray<string>): Effect.Effect<Pick<Read, "places" | "unread">> =>
  // Loaded late, because the parsers of YAML and TOML are large.
  Effect.map(
    Effect.promise(() => import("./TraefikFile.ts")),
    ({ readTraefik }) => {
      let left = maxFiles
      const textOf = (path: string): string | { readonly problem: string } => {
        if (left-- <= 0) return { problem: `more than ${maxFiles} files` }
        try {
          const { size } = statSync(path)
          if (!statSync(path).isFile()) return { problem: "is not a regular file" }
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
          // An unreadable file may contain the check, so the whole include counts as unreadable.
          return texts?.every((one): one is { file: string; text: string } => typeof one.text === "string")
            ? texts
            : undefined
        })
      }
      const all = paths.map(read)
      return { places: all.flatMap(({ places }) => places), unread: [...new Set(all.flatMap(({ unread }) => unread))] }
    }
  )
