/** Parses the bytes of a file as JSON. Pure: opens no file. */
import { Result } from "effect"
import { fault, position } from "./JsonScan.ts"

/**
 * Value of the JSON. A failure continues "the file …" and says what to do. It quotes key names only, because values may
 * be passwords.
 */
export const parse = (bytes: Uint8Array): Result.Result<unknown, string> => {
  if (isUtf16(bytes)) return Result.fail("is written in UTF-16: save it as UTF-8")
  const text = decoded(bytes)
  if (text === undefined) return Result.fail("is not written in UTF-8: save it as UTF-8")
  if (text.trim() === "") return Result.fail("is empty: write at least []")
  const found = fault(text)
  if (found === undefined) return Result.succeed(JSON.parse(text))
  const { column, line } = position(text, found.offset)
  return Result.fail(`is not valid JSON: it ${found.what}; look at line ${line}, column ${column}`)
}

/** Text of UTF-8 bytes without a byte order mark; undefined when they are not UTF-8. */
const decoded = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Recognises UTF-16 by its byte order mark, or by exactly one zero among the first two bytes: JSON starts with ASCII.
 */
const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) ||
  (first === 0xfe && second === 0xff) ||
  (second !== undefined && (first === 0) !== (second === 0))
