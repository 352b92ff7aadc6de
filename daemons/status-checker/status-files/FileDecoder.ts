/** Places in a file and what is wrong there, as a sentence for whoever keeps the file. Pure. */
import { Result, Schema, SchemaIssue } from "effect"

/** What was read, and what is odd about it though it can be used. */
export interface Decoded<A> {
  readonly value: A
  readonly warnings: ReadonlyArray<string>
}

/** Unit: characters of a key or a word of the file that are repeated in a sentence. */
const toldCharacters = 60

/** `services[2].checks[0].url`; a key that is no plain word stands in quotes. */
export const pathIn = (root: string, path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>((before, part) => {
    if (typeof part === "number") return `${before}[${part}]`
    const key = String(part)
    if (!/^[A-Za-z_]\w{0,59}$/.test(key)) return `${before}[${quoted(key)}]`
    return before === "" ? key : `${before}.${key}`
  }, root)

/** A word of the file in quotes, cut, without control characters. */
export const quoted = (word: string): string =>
  JSON.stringify(word.length > toldCharacters ? `${word.slice(0, toldCharacters)}…` : word)

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * Decodes with a failure that says place and what to write there: the first one, because people mend one after the
 * other.
 */
export const decoder = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (value: unknown, root: string): Result.Result<A, string> =>
    Result.mapError(decode(value), (error) => {
      const issue = format(error.issue).issues[0]!
      const path = (issue.path ?? []).map((part) => (typeof part === "object" ? part.key : part))
      return `${pathIn(root, path)} ${phrase(issue.message)}`
    })
}

const phrase = (message: string): string => {
  if (message === "Missing key") return "is missing: add it"
  if (!message.startsWith("Expected ")) return message
  return `must be ${message
    .slice("Expected ".length)
    .split(" | ")
    .map((kind) => kinds.get(kind) ?? kind)
    .join(" or ")}`
}

/** The schema's words for a kind of value, and people's. */
const kinds: ReadonlyMap<string, string> = new Map([
  ["array", "a list [ ]"],
  ["object", "an object { }"],
  ["string", "a text in quotes"],
  ["number", "a number"]
])
