/** Reads what stands in an IMAP line after its first words: atoms, strings, lists. Pure. Source: RFC 3501 §4, §9. */
import { Result } from "effect"
import type { Line } from "./Lines.ts"

/**
 * An atom or number as it stands; a quoted string or literal as `Text`; a list in parentheses. One character a byte.
 */
export type Value = string | Text | ReadonlyArray<Value>

export interface Text {
  readonly text: string
}

/** Deepest list in a list for a watcher. Reason: LIST and FETCH FLAGS have two; no recursion on a stranger's word. */
export const maxDepth = 8

/**
 * What stands in `line` from character `from` of its first part on; else what is wrong with it. `deepest`: lists in
 * lists.
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

/** NIL, or nothing at all. */
export const isNil = (value: Value | undefined): boolean =>
  value === undefined || (typeof value === "string" && /^nil$/i.test(value))

/** An atom's or a string's characters. */
export const wordOf = (value: Value | undefined): string | undefined =>
  typeof value === "string" ? value : isText(value) ? value.text : undefined

/** Signs of which a line is made. */
export const space = 0x20
export const quote = 0x22
export const openList = 0x28
export const closeList = 0x29
const backslash = 0x5c

/** By hand, not by one expression a token: the answers to a page of a list have some thousands. */
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

/** Where the atom ends that begins at `from`. */
export const endOfAtom = (part: string, from: number): number => {
  let at = from + 1
  while (at < part.length && !endsAtom(part.charCodeAt(at))) at += 1
  return at
}

export const endsAtom = (code: number): boolean =>
  code === space || code === quote || code === openList || code === closeList

/**
 * Where the quoted string that begins at `from` has its closing sign; -1: it has none, or a backslash before what needs
 * none.
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

/** What stands between the quotes, without its backslashes. */
export const unescaped = (quoted: string): string =>
  quoted.includes("\\") ? quoted.replace(/\\(["\\])/g, "$1") : quoted
