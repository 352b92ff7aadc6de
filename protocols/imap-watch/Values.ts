/** Reads what stands in an IMAP line after its first words: atoms, strings, lists. Pure. Source: RFC 3501 §4, §9. */
import { Result } from "effect"
import type { Line } from "./Lines.ts"

/** An atom or number as it stands; a quoted string or literal as `Text`; a list in parentheses. One character a byte. */
export type Value = string | Text | ReadonlyArray<Value>

export interface Text {
  readonly text: string
}

/** Deepest list in a list. Reason: LIST and FETCH FLAGS have two; no recursion on a stranger's word. */
export const maxDepth = 8

/** What stands in `line` from character `from` of its first part on; else what is wrong with it. */
export const readValues = (line: Line, from: number): Result.Result<ReadonlyArray<Value>, string> => {
  const open: Array<Array<Value>> = [[]]
  for (const [index, part] of line.entries()) {
    if (index % 2 === 1) {
      open.at(-1)!.push({ text: part })
      continue
    }
    const fault = readPart(part, index === 0 ? from : 0, open)
    if (fault !== undefined) return Result.fail(fault)
  }
  return open.length === 1 ? Result.succeed(open[0]!) : Result.fail("a list without its end")
}

export const isText = (value: Value | undefined): value is Text => typeof value === "object" && "text" in value

export const isList = (value: Value | undefined): value is ReadonlyArray<Value> => Array.isArray(value)

/** An atom's or a string's characters. */
export const wordOf = (value: Value | undefined): string | undefined => (typeof value === "string" ? value : isText(value) ? value.text : undefined)

const readPart = (part: string, from: number, open: Array<Array<Value>>): string | undefined => {
  const token = / +|\(|\)|"((?:[^"\\]|\\["\\])*)"|[^ ()"]+/y
  token.lastIndex = from
  while (token.lastIndex < part.length) {
    const found = token.exec(part)
    if (found === null) return "a string without its end"
    const [word, quoted] = found
    if (word === "(") {
      if (open.length > maxDepth) return "lists too deep"
      open.push([])
    } else if (word === ")") {
      const list = open.pop()!
      if (open.length === 0) return "a list that never began"
      open.at(-1)!.push(list)
    } else if (quoted !== undefined) open.at(-1)!.push({ text: quoted.replace(/\\(["\\])/g, "$1") })
    else if (!word.startsWith(" ")) open.at(-1)!.push(word)
  }
  return undefined
}
