/** Positions in a file and decoding errors in words for its author. Pure. */
import { Result, Schema, SchemaIssue } from "effect"

/** Decoded value, with warnings about parts that are unusual but usable. */
export interface Decoded<A> {
  readonly value: A
  readonly warnings: ReadonlyArray<string>
}

/** Longest quotation of the file in a message. Unit: characters. */
const maxQuoted = 60

/** Position such as `services[2].checks[0].url`; a key that is not a plain word appears in quotes. */
export const pathIn = (root: string, path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>((before, part) => {
    if (typeof part === "number") return `${before}[${part}]`
    const key = String(part)
    if (!/^[A-Za-z_]\w{0,59}$/.test(key)) return `${before}[${quoted(key)}]`
    return before === "" ? key : `${before}.${key}`
  }, root)

/** Word of the file in quotes, truncated and without control characters. */
export const quoted = (word: string): string =>
  JSON.stringify(word.length > maxQuoted ? `${word.slice(0, maxQuoted)}…` : word)

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * Decoder whose failure names the position and the fix. Reports the first problem only, since authors fix one after
 * another.
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

/** Words for the value kinds that the schema names. */
const kinds: ReadonlyMap<string, string> = new Map([
  ["array", "a list [ ]"],
  ["object", "an object { }"],
  ["string", "a text in quotes"],
  ["number", "a number"]
])
