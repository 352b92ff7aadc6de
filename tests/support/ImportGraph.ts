// Graph of the project's value imports: what a file reaches, and which files reach it. Pure. Type imports are left out,
// because they do not exist at run time.

import { posix } from "node:path"
import type { SourceText } from "./Arrows.ts"
import { importsOf } from "./Imports.ts"

/** Modules by file: paths from the root of the project, or the specifiers of packages and Node modules. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>

/** Names of Node modules that open nothing. An import of only these names leads to no port or process. */
const harmless: Readonly<Record<string, ReadonlySet<string>>> = {
  "node:net": new Set(["isIP", "isIPv4", "isIPv6", "BlockList", "SocketAddress"]),
  "node:http": new Set(["STATUS_CODES", "METHODS", "validateHeaderName", "validateHeaderValue"])
}

export const importGraph = (files: ReadonlyArray<SourceText>): ImportGraph =>
  new Map(
    files.map(({ path, text }) => [
      path,
      new Set(
        importsOf(text)
          .filter(({ specifier, typeOnly }) => !typeOnly && !isHarmless(text, specifier))
          .map(({ specifier }) => resolveImport(path, specifier))
      )
    ])
  )

/** Path inside the project of an import; for packages and Node modules the specifier itself. */
export const resolveImport = (from: string, specifier: string): string => {
  if (specifier.startsWith(".")) return posix.normalize(posix.join(posix.dirname(from), specifier))
  if (specifier.startsWith("#support/")) return `tests/support/${specifier.slice("#support/".length)}`
  return specifier.startsWith("#") ? specifier.slice(1) : specifier
}

/** Everything that a file imports, directly or by another file; the file itself included. */
export const reachedFrom = (graph: ImportGraph, file: string): ReadonlySet<string> => {
  const reached = new Set([file])
  for (const each of reached) for (const next of graph.get(each) ?? []) reached.add(next)
  return reached
}

const isHarmless = (text: string, specifier: string): boolean => {
  const allowed = Object.hasOwn(harmless, specifier) ? harmless[specifier] : undefined
  if (allowed === undefined) return false
  const statements = [...text.matchAll(/import\s+(?!type\b)([^"';]*?)\s+from\s+"([^"]+)"/gu)]
  return statements
    .filter(([, , from]) => from === specifier)
    .every(([, names = ""]) =>
      (/^\{([^}]*)\}$/u.exec(names)?.[1] ?? "*")
        .split(",")
        .map((name) => name.trim().split(/\s+as\s+/u)[0]!)
        .every((name) => name === "" || name.startsWith("type ") || allowed.has(name))
    )
}
