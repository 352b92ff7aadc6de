/**
 * Finds the first syntax error of a JSON text, for people who edit files by hand. Pure; builds no values. Stricter than
 * `JSON.parse`: it refuses duplicate names in an object, whose first value would be lost silently, and excessive
 * nesting.
 *
 * The library jsonc-parser 3.3.1 accepts duplicate names. It takes 1.5 times as long (36 KB, Node 24).
 */

export interface Fault {
  /** Unit: UTF-16 units from the start of the text. */
  readonly offset: number
  /** Continues "the file …". */
  readonly what: string
}

/** Deepest nesting. Unit: levels. Reason: our deepest file has five. */
export const maxDepth = 32

/** Longest quoted name. Unit: characters. */
const maxQuotedName = 60

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** First fault of the text; undefined when there is none. */
export const fault = (text: string): Fault | undefined => {
  /** Names of each open object; null for an array. */
  const open: Array<Set<string> | null> = []
  let expected: "value" | "first value" | "name" | "first name" | "colon" | "more" = "value"
  let at = 0
  while (true) {
    at = afterSpace(text, at)
    const here = text[at]
    const within = open.at(-1)
    if (here === undefined)
      return expected === "more" && within === undefined ? undefined : { offset: at, what: "ends too early" }
    if (expected === "more") {
      if (within === undefined) return { offset: at, what: "continues after its end" }
      if (here === (within === null ? "]" : "}")) open.pop()
      else if (here === ",") expected = within === null ? "value" : "name"
      else return { offset: at, what: `lacks a comma or ${within === null ? "]" : "}"}` }
      at += 1
    } else if (expected === "colon") {
      if (here !== ":") return { offset: at, what: "lacks a colon after a name" }
      expected = "value"
      at += 1
    } else if ((expected === "first name" && here === "}") || (expected === "first value" && here === "]")) {
      open.pop()
      expected = "more"
      at += 1
    } else if (expected === "name" || expected === "first name") {
      const end = here === '"' ? afterString(text, at) : undefined
      if (end === undefined) return { offset: at, what: "lacks a name in double quotes" }
      const name = JSON.parse(text.slice(at, end)) as string
      if (within!.has(name))
        return { offset: at, what: `has ${JSON.stringify(name.slice(0, maxQuotedName))} twice in one object` }
      within!.add(name)
      expected = "colon"
      at = end
    } else if (here === "{" || here === "[") {
      open.push(here === "{" ? new Set() : null)
      if (open.length > maxDepth) return { offset: at, what: `is nested deeper than ${maxDepth} levels` }
      expected = here === "{" ? "first name" : "first value"
      at += 1
    } else {
      const end = here === '"' ? afterString(text, at) : afterScalar(text, at)
      if (end === undefined) return { offset: at, what: here === '"' ? "has an invalid string" : "lacks a value" }
      expected = "more"
      at = end
    }
  }
}

/** Line and column of an offset, both starting at 1. */
export const position = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, offset)
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") }
}

const afterSpace = (text: string, from: number): number => {
  let at = from
  while (true) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    at += 1
  }
}

const afterScalar = (text: string, from: number): number | undefined => {
  scalar.lastIndex = from
  return scalar.test(text) ? scalar.lastIndex : undefined
}

/** Offset after a string literal. A regular expression would need a stack proportional to the length of the text. */
const afterString = (text: string, from: number): number | undefined => {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code < 0x20) return undefined
    if (code !== 0x5c) continue
    at += 1
    const escape = text[at]
    if (escape === "u" && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) at += 4
    else if (escape === undefined || !'"\\/bfnrt'.includes(escape)) return undefined
  }
  return undefined
}
