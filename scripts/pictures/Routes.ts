/**
 * Addresses of the console's pages, read from the source of its routes. The module itself needs a browser, so it is not
 * imported here; a test compares both.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"

const sources = ["Pages.ts", "OperationsPages.ts", "BankPages.ts"].map((name) =>
  join(import.meta.dirname, "../../console/app", name)
)

/** Paths below `/console`, in the order of the source; may have parameters, `/alarms/:id`. Pure. */
export const routesIn = (text: string): ReadonlyArray<string> => {
  const literal = [...text.matchAll(/\bpath: "(\/[^"]*)"/g)].map((match) => ({ at: match.index, path: match[1]! }))
  const operations = [...text.matchAll(/^ {2}"?([\w/:]+)"?: \["[\w.]+", \(\) =>/gm)].map((match) => ({
    at: match.index,
    path: `/operations/${match[1]!}`
  }))
  return [...literal, ...operations].toSorted((a, b) => a.at - b.at).map(({ path }) => path)
}

export const consoleRoutes = (): ReadonlyArray<string> =>
  sources.flatMap((source) => routesIn(readFileSync(source, "utf8")))
