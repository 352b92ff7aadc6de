/**
 * Compares two answers as their reader sees them: status, headers and body byte by byte, without the parts that differ
 * between any two requests. Pure. Ignores response times.
 */
import type { Ids } from "./Case.ts"
import { brief, type Reply } from "./Wire.ts"

/** Headers that differ between answers or depend on the body. */
export const ignoredHeaders: ReadonlySet<string> = new Set([
  "date",
  "content-length",
  "connection",
  "keep-alive",
  "x-request-id",
  "traceparent",
  "b3"
])

/** Text that is masked in a body, in addition to the ids of the request. */
export const ignoredText: ReadonlyArray<readonly [RegExp, string]> = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, "<time>"],
  [/("(?:trace_id|request_id|span_id)":\s*)"[^"]*"/g, "$1<trace>"]
]

/** The answer with `<id>` in place of each of `ids`, and without the ignored parts. */
export const plain = (
  { headers, status, text }: Reply,
  ids: Ids = {}
): { readonly status: number; readonly headers: string; readonly text: string } => ({
  status,
  headers: Object.entries(headers)
    .filter(([name]) => !ignoredHeaders.has(name))
    .map((header) => header.join(": "))
    .sort()
    .join("\n"),
  // Masks times first, so that no id matches inside a time.
  text: named(
    ignoredText.reduce((left, [pattern, by]) => left.replace(pattern, by), text),
    ids
  )
})

/** Difference between two answers; undefined when there is none. `of`: ids that each request named. */
export const difference = (one: Reply, other: Reply, of: readonly [Ids, Ids] = [{}, {}]): string | undefined => {
  const [left, right] = [plain(one, of[0]), plain(other, of[1])]
  if (left.status !== right.status || left.text !== right.text) return `${brief(one)} and ${brief(other)}`
  return left.headers === right.headers ? undefined : `headers\n${left.headers}\nand\n${right.headers}`
}

/**
 * Replaces ids, longest first, so that no id matches inside a longer one. Only whole words match, and never the status
 * of a problem.
 */
const named = (text: string, ids: Ids): string =>
  Object.values(ids)
    .map(String)
    .filter((id) => id !== "")
    .sort((a, b) => b.length - a.length)
    .reduce((left, id) => {
      const pattern = id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      return left.replace(new RegExp(`(?<!"status":\\s*)(?<![\\w-])${pattern}(?![\\w-])`, "g"), "<id>")
    }, text)
