/** Judges answers to invalid input. Pure. */
import type { BadInput } from "./BadInput.ts"
import type { Exception } from "./Case.ts"
import { brief, type Reply } from "./Wire.ts"

/** Text that reveals internals: a stack trace, a statement, messages of the database or the language. */
export const inside = new RegExp(
  [
    /\bat [^"]{1,200}:\d+:\d+|node_modules|\.[cm]?[jt]s:\d|SqlError|PgError|TypeError|RangeError|SyntaxError/,
    /select .{1,200} from |insert into |update .{1,100} set |delete from |violates |relation \\?"|pgboss|::\w+|SQLSTATE/
  ]
    .map(({ source }) => source)
    .join("|"),
  "i"
)

/** Longest refusal. Unit: characters. Reason: an answer must not echo a megabyte of input. */
export const longestAnswer = 64 * 1024

/**
 * Error of the answer; undefined when it is acceptable. `exception`: the expectation that the case states instead.
 * `success`: status of a valid call.
 */
export const verdict = (
  input: BadInput,
  reply: Reply,
  exception: Exception | undefined,
  success: number
): string | undefined => {
  const said = brief(reply)
  const leak = inside.exec(reply.text)?.[0]
  if (leak !== undefined) return `tells of the inside (${leak}): ${said}`
  if (reply.status >= 400 && reply.text.length > longestAnswer)
    return `is answered with ${reply.text.length} characters: ${said}`
  if (exception !== undefined && exception.code === undefined) {
    const wanted = exception.status ?? success
    if (reply.status !== wanted) return `is answered ${said}, not ${wanted} (${exception.why})`
    if (exception.body !== undefined && JSON.stringify(reply.json) !== JSON.stringify(exception.body)) {
      return `is answered ${said}, not ${JSON.stringify(exception.body)} (${exception.why})`
    }
    return undefined
  }
  const status = exception?.status ?? input.status
  const will = status === undefined ? reply.status >= 400 && reply.status <= 499 : reply.status === status
  if (!will) return `is answered ${said}, not ${status ?? "4xx"}`
  if (reply.headers["content-type"] !== "application/problem+json")
    return `is answered as ${reply.headers["content-type"]}: ${said}`
  const { code, errors } = reply.json ?? {}
  if (typeof code !== "string" || reply.json.status !== reply.status)
    return `is no problem with a code and its status: ${said}`
  if (exception?.code !== undefined)
    return code === exception.code ? undefined : `says ${code}, not ${exception.code}: ${said}`
  if (reply.status === 405 && !reply.headers["allow"]) return `says no allow: ${said}`
  return reply.status === 422 ? named(input, errors, said) : undefined
}

/** A 422 must name the field, or a parent or child of it, because a list is validated before its items. */
const named = ({ field }: BadInput, errors: unknown, said: string): string | undefined => {
  const fields = Array.isArray(errors) ? errors.map((error) => error?.field) : []
  if (fields.length === 0 || fields.some((name) => typeof name !== "string" || name === ""))
    return `names no field: ${said}`
  if (field === undefined || fields.some((name) => within(field, name) || within(name, field))) return undefined
  return `names ${fields.join(", ")}, not ${field}: ${said}`
}

const within = (inner: string, outer: string) =>
  inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`)
