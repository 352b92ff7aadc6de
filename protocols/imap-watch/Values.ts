/** Decodes the values of an IMAP line after its first words: atoms, strings, lists. Pure. Source: RFC 3501 §4, §9. */
import { Result } from "effect"
import type { Line } from "./Lines.ts"

/**
 * A string is an atom or number, unchanged; `Text` is a quoted string or literal; an array is a parenthesised list. One
 * character per byte.
 */
export type Value = string | Text | ReadonlyArray<Value>

export interface Text {
  readonly text: string
}

/**
 * Deepest nesting of lists for a watcher. Reason: LIST and FETCH FLAGS have two levels; the limit bounds what a hostile
 * server can cause.
 */
export const maxDepth = 8

/**
 * Parses the values of `line`, starting at character `from` of its first part. Fails with the problem as text. The
 * parts of a line alternate: syntax, literal text, syntax. `deepest`: maximum nesting of lists.
 */
export const readValues = (
  line: Line,
  from: number,
  deepest = maxDepth
): Result.Result<ReadonlyArray<Value>, string> => {
  const open: Array<Array<Value>> = [[]]
  for (let index = 0; index < line.length; index += 1) {
    const part = line[index]!
    const fault =
      index % 2 === 0 ? readPart(part, index === 0 ? from : 0, open, deepest) : void open.at(-1)!.push({ text: part })
    if (fault !== undefined) return Result.fail(fault)
  }
  return open.length === 1 ? Result.succeed(open[0]!) : Result.fail("a list without its end")
}

export const isText = (value: Value | undefined): value is Text => typeof value === "object" && "text" in value

export const isList = (value: Value | undefined): value is ReadonlyArray<Value> => Array.isArray(value)

/** NIL, or no value. */
export const isNil = (value: Value | undefined): boolean =>
  value === undefined || (typeof value === "string" && /^nil$/i.test(value))

/** Characters of an atom or a string. */
export const wordOf = (value: Value | undefined): string | undefined =>
  typeof value === "string" ? value : isText(value) ? value.text : undefined

/** Character codes of the IMAP syntax. */
export const space = 0x20
export const quote = 0x22
export const openList = 0x28
export const closeList = 0x29
const backslash = 0x5c

/**
 * Parsed by hand instead of with one regular expression per token, because one page of a message list has thousands of
 * tokens.
 */
const readPart = (part: string, from: number, open: Array<Array<Value>>, deepest: number): string | undefined => {
  let inner = open.at(-1)!
  for (let at = from; at < part.length;) {
    const code = part.charCodeAt(at)
    if (code === space) at += 1
    else if (code === quote) {
      const end = endOfQuoted(part, at + 1)
      if (end === -1) return "a string without its end"
      inner.push({ text: unescaped(part.slice(at + 1, end)) })
      at = end + 1
    } else if (code === openList) {
      if (open.length > deepest) return "lists too deep"
      inner = []
      open.push(inner)
      at += 1
    } else if (code === closeList) {
      const list = open.pop()!
      if (open.length === 0) return "a list that never began"
      inner = open.at(-1)!
      inner.push(list)
      at += 1
    } else {
      const end = endOfAtom(part, at)
      inner.push(part.slice(at, end))
      at = end
    }
  }
  return undefined
}

/** Index after the end of the atom that begins at `from`. */
export const endOfAtom = (part: string, from: number): number => {
  let at = from + 1
  while (at < part.length && !endsAtom(part.charCodeAt(at))) at += 1
  return at
}

export const endsAtom = (code: number): boolean =>
  code === space || code === quote || code === openList || code === closeList

/**
 * Index of the closing quote of a quoted string whose content begins at `from`. -1 when there is none, or when a
 * backslash escapes a character that needs no escape.
 */
export const endOfQuoted = (part: string, from: number): number => {
  for (let at = from; at < part.length; at += 1) {
    const sign = part.charCodeAt(at)
    if (sign === quote) return at
    if (sign !== backslash) continue
    at += 1
    const escaped = part.charCodeAt(at)
    if (escaped !== quote && escaped !== backslash) return -1
  }
  return -1
}

/** Content of a quoted string with its escapes resolved. */
export const unescaped = (quoted: string): string =>
  quoted.includes("\\") ? quoted.replace(/\\(["\\])/g, "$1") : quoted
