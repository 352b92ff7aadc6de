// Finds texts for people that stand in code, outside the catalogues that operators can override: the calls of
// `shippedTexts` (servers) and of `words` (console). Pure: takes a file's text, reads no file.

import { parseSync } from "vite"
import type { SourceText, Violation } from "./Arrows.ts"

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [name: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const nodes = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value.filter(isNode) : [])

/**
 * Functions whose arguments are catalogues. Those of `stored` are titles of settings, which become a catalogue too.
 */
const catalogues: ReadonlySet<string> = new Set(["shippedTexts", "stored", "words"])

const calledName = (node: Node): string | undefined => {
  if (node.type !== "CallExpression" || !isNode(node["callee"])) return undefined
  const { callee } = node
  const name = callee.type === "MemberExpression" && isNode(callee["property"]) ? callee["property"] : callee
  return typeof name["name"] === "string" ? name["name"] : undefined
}

/** Words that German texts have and English ones lack. Words of code, such as `die` and `war`, are left out. */
const germanWords =
  /(?<![\p{L}_-])(?:aber|auf|bitte|das|dem|den|der|durch|ein|eine|einem|einen|einer|für|ist|kein|keine|mit|nicht|noch|oder|sich|sie|sind|und|von|werden|wird|wurde|zu|zum|zur)(?![\p{L}_-])/giu

/** Whether a text is German: an umlaut in a word, or two words that only German has. */
export const isGerman = (text: string): boolean =>
  /\p{L}[äöüß]|[äöüß]\p{L}|[ÄÖÜ]\p{L}/u.test(text) || (text.match(germanWords)?.length ?? 0) >= 2

/** A word of a sentence, not a sign, a unit, an abbreviation or the name of the program. */
const hasWord = (text: string): boolean => /\p{Ll}{3,}/u.test(text.replaceAll("Signalbox", ""))

/** Examples of input, which are the same in every language: `example.org`. */
const isExample = (text: string): boolean => /^[\w.@:/+-]+$/.test(text) && /[.@:/]/.test(text)

/** Words between two tags of a text that is HTML. */
const wordsInMarkup = (text: string): boolean =>
  /<(?:p|h[1-6]|li|a|button|label|th|td|small|strong|title)\b[^<>]*>\s*[^<>{}&]*\p{L}{3,}/u.test(text)

/** Attributes that people read or hear. */
const readAttributes: ReadonlySet<string> = new Set(["alt", "aria-label", "label", "placeholder", "title"])

/** The text of a string or of a template's fixed parts, also in the braces of JSX. */
const textOf = (node: Node): string | undefined => {
  if (node.type === "JSXExpressionContainer" && isNode(node["expression"])) return textOf(node["expression"])
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : undefined
  if (node.type !== "TemplateLiteral") return undefined
  return nodes(node["quasis"])
    .map(({ value }) => String((value as { readonly cooked?: unknown }).cooked ?? ""))
    .join(" ")
}

const writtenTypes: ReadonlySet<string> = new Set([
  "ArrowFunctionExpression",
  "BinaryExpression",
  "ConditionalExpression",
  "ObjectExpression"
])

/** Whether a member of a pair is written in place: a text with words, or an expression that makes one. */
const isWritten = (node: Node): boolean => {
  const text = textOf(node)
  return text === undefined ? writtenTypes.has(node.type) : hasWord(text)
}

/** Names of the members that are texts or make texts. */
const textMembers = (node: Node): ReadonlySet<string> =>
  new Set(
    nodes(node["properties"]).flatMap(({ key, value }) =>
      isNode(key) && isNode(value) && isWritten(value) ? [String(key["name"] ?? key["value"])] : []
    )
  )

/** The texts of one file that stand in code, in the order of the file. */
export const looseTextsIn = ({ path, text }: SourceText): ReadonlyArray<Violation> => {
  const { errors, program } = parseSync(path, text, { lang: path.endsWith("x") ? "tsx" : "ts" })
  if (errors.length > 0) throw new Error(`${path} cannot be parsed`)
  const found: Array<Violation> = []
  const report = ({ start }: Node, message: string) =>
    found.push({ file: path, line: text.slice(0, start).split("\n").length, message })

  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isNode(value)) return
    const name = calledName(value)
    if (name !== undefined && catalogues.has(name)) return
    if (
      value.type.startsWith("TS") &&
      value.type !== "TSAsExpression" &&
      value.type !== "TSSatisfiesExpression" &&
      value.type !== "TSNonNullExpression"
    )
      return
    if (value.type === "ImportDeclaration" || value.type === "ExportAllDeclaration") return
    if (value.type === "ObjectExpression") {
      const names = textMembers(value)
      if (names.has("en") && names.has("de")) return void report(value, "has texts in English and German")
    }
    if (value.type === "JSXText" && hasWord(String(value["value"]))) report(value, "has a text in markup")
    if (value.type === "JSXAttribute" && isNode(value["name"]) && isNode(value["value"])) {
      const attribute = String(value["name"]["name"])
      const text = textOf(value["value"]) ?? ""
      if (readAttributes.has(attribute) && hasWord(text) && !isExample(text))
        report(value, `has a text in the attribute ${attribute}`)
    }
    if (value.type === "JSXElement")
      for (const child of nodes(value["children"]))
        if (child.type === "JSXExpressionContainer" && hasWord(textOf(child) ?? ""))
          report(child, "has a text in markup")
    // Elements of preact in servers: h("p", null, "text").
    if (
      name === "h" &&
      nodes(value["arguments"])
        .slice(2)
        .some((child) => hasWord(textOf(child) ?? ""))
    )
      report(value, "has a text in markup")
    const own = textOf(value)
    if (own !== undefined && isGerman(own)) report(value, "has a German text")
    else if (value.type === "TemplateLiteral" && own !== undefined && wordsInMarkup(own))
      report(value, "has a text in markup")
    for (const member in value) if (member !== "type") visit(value[member])
  }
  visit(program)
  return found
}

/** Files of people's texts: what daemons, core and the console say. */
const room = /^(?:core|daemons|console)\/.*\.tsx?$/

/** The texts of all files that stand in code. */
export const looseTexts = (files: ReadonlyArray<SourceText>): ReadonlyArray<Violation> =>
  files.filter(({ path }) => room.test(path)).flatMap(looseTextsIn)
