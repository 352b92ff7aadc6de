/**
 * Whether two answers are the same to whoever reads them: status, headers and body byte for byte, but for what differs
 * between any two requests. Pure. How long an answer takes is not looked at.
 */
import type { Ids } from "./Case.ts"
import { brief, type Reply } from "./Wire.ts"

/** Headers that differ from answer to answer, or follow from the body. */
export const ignoredHeaders: ReadonlySet<string> = new Set([
  "date",
  "content-length",
  "connection",
  "keep-alive",
  "x-request-id",
  "traceparent",
  "b3"
])

/** What is taken out of a body besides the ids that the request named. */
export const ignoredText: ReadonlyArray<readonly [RegExp, string]> = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, "<time>"],
  [/("(?:trace_id|request_id|span_id)":\s*)"[^"]*"/g, "$1<trace>"]
]

/** The answer with `<id>` where it says one of `ids`, and without what always differs. */
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
  // Times first, so that no id is found in one.
  text: named(
    ignoredText.reduce((left, [pattern, by]) => left.replace(pattern, by), text),
    ids
  )
})

/** What tells the two apart, in words; undefined when nothing does. `of` are the ids that each request named. */
export const difference = (one: Reply, other: Reply, of: readonly [Ids, Ids] = [{}, {}]): string | undefined => {
  const [left, right] = [plain(one, of[0]), plain(other, of[1])]
  if (left.status !== right.status || left.text !== right.text) return `${brief(one)} and ${brief(other)}`
  return left.headers === right.headers ? undefined : `headers\n${left.headers}\nand\n${right.headers}`
}

/** Longest first, so that no id hides in another; a number of its own only, and never the status of a problem. */
const named = (text: string, ids: Ids): string =>
  Object.values(ids)
    .map(String)
    .filter((id) => id !== "")
    .sort((a, b) => b.length - a.length)
    .reduce((left, id) => {
      const pattern = id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      return left.replace(new RegExp(`(?<!"status":\\s*)(?<![\\w-])${pattern}(?![\\w-])`, "g"), "<id>")
    }, text)
