// Reads the project's own source files from disk, for checks on source text.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import type { SourceText } from "./Arrows.ts"

/** Folders that hold source text. */
const rooms = ["core", "protocols", "daemons", "console", "scripts", "tests"]
const extensions = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs"]

/** All source files under the project's root, sorted by path. */
export const readSourceTree = (root: string): ReadonlyArray<SourceText> =>
  rooms
    .filter((room) => existsSync(join(root, room)))
    .flatMap((room) => readdirSync(join(root, room), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && extensions.some((extension) => entry.name.endsWith(extension)))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(`${sep}node_modules${sep}`))
    .sort()
    .map((path) => ({ path: relative(root, path).split(sep).join("/"), text: readFileSync(path, "utf8") }))
