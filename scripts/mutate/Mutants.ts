// Finds the mutants of one source file: small changes that a test should notice. Pure; reads and writes no file. Parses
// with vite's parser, because TypeScript 7 parses only in a separate process. Never changes imports, types, the names
// of spans and services, or texts (descriptions, messages, word tables, log lines), because no test checks those.

import { parseSync } from "vite"

/** One change of one file. */
export interface Mutant {
  /** Path from the root of the project. */
  readonly file: string
  /** Line number, from 1. */
  readonly line: number
  readonly kind: Kind
  /** Range of `original` in the file. Unit: UTF-16 code units. */
  readonly start: number
  readonly end: number
  readonly original: string
  readonly replacement: string
}

export type Kind =
  | "negate a condition"
  | "swap a comparison"
  | "swap and/or"
  | "take the other branch"
  | "change a number"
  | "flip a boolean"
  | "empty a string"
  | "remove an element"
  | "drop a statement"

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const swapped: Readonly<Record<string, readonly [Kind, string]>> = {
  "<": ["swap a comparison", "<="],
  "<=": ["swap a comparison", "<"],
  ">": ["swap a comparison", ">="],
  ">=": ["swap a comparison", ">"],
  "===": ["negate a condition", "!=="],
  "!==": ["negate a condition", "==="],
  "&&": ["swap and/or", "||"],
  "||": ["swap and/or", "&&"]
}

/** Properties whose strings are texts for people. */
const textProperties =
  /^(advice|description|detail|doc|examples|ground|hint|identifier|label|message|reason|summary|text|title|todo|why)$/

/** Calls whose direct strings are texts, or names of spans and services that no behaviour depends on. */
const textCalls = /^(Reference|Service|fn|withSpan|with(Short)?Description|annotate\w*|log[A-Z]?\w*|\w*Error|die)$/

/** Statements that only log or trace. */
const logCalls = /^(annotate\w*|log[A-Z]?\w*)$/

/** Files of word tables: strings and lists there are texts. */
const wordTables = /Words\.ts$|ErrorTexts\.ts$|CodeMessages\.ts$/

/** Two words with a space between them. */
const prose = /\p{L}{2,}\S* \S*\p{L}{2,}/u

/** All mutants of a file, in the order of their positions. */
export const mutantsOf = (file: string, text: string): ReadonlyArray<Mutant> => {
  const found: Array<Mutant> = []
  const isTable = wordTables.test(file)
  const source = (node: Node) => text.slice(node.start, node.end)
  const add = (kind: Kind, at: { readonly start: number; readonly end: number }, replacement: string) =>
    found.push({
      file,
      line: text.slice(0, at.start).split("\n").length,
      kind,
      start: at.start,
      end: at.end,
      original: text.slice(at.start, at.end),
      replacement
    })

  const condition = (test: Node) => {
    // An equality and a negation get a mutant of their own with the same meaning.
    if (
      test.type === "UnaryExpression" ||
      (test.type === "BinaryExpression" && /^[=!]==$/.test(String(test["operator"])))
    )
      return
    add("negate a condition", test, `!(${source(test)})`)
  }

  const remove = (elements: ReadonlyArray<Node | null>) => {
    for (const [index, element] of elements.entries()) {
      if (element === null || element.type === "SpreadElement" || isProse(element)) continue
      const next = elements[index + 1]
      const before = elements[index - 1]
      if (next) add("remove an element", { start: element.start, end: next.start }, "")
      else add("remove an element", { start: before?.end ?? element.start, end: element.end }, "")
    }
  }

  /** `inText`: strings below this node are texts. */
  const visit = (node: Node, inText: boolean): void => {
    let childrenInText = inText
    switch (node.type) {
      case "ImportDeclaration":
      case "ImportExpression":
      case "ExportAllDeclaration":
      case "TemplateElement":
        return
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "TSNonNullExpression":
      case "TSInstantiationExpression":
        return visit(node["expression"] as Node, inText)
      case "IfStatement":
      case "WhileStatement": {
        const test = node["test"] as Node
        condition(test)
        if (node.type === "IfStatement") add("take the other branch", test, "false")
        break
      }
      case "ConditionalExpression":
        condition(node["test"] as Node)
        add("take the other branch", node, `(${source(node["alternate"] as Node)})`)
        break
      case "BinaryExpression":
      case "LogicalExpression": {
        const operator = String(node["operator"])
        const [kind, replacement] = swapped[operator] ?? []
        const left = node["left"] as Node
        const right = node["right"] as Node
        if (kind !== undefined && replacement !== undefined) {
          const start = text.indexOf(operator, left.end)
          if (start < right.start) add(kind, { start, end: start + operator.length }, replacement)
        }
        break
      }
      case "UnaryExpression":
        if (node["operator"] === "!") add("negate a condition", node, source(node["argument"] as Node))
        break
      case "ArrayExpression":
        if (!isTable && !inText) remove(node["elements"] as ReadonlyArray<Node | null>)
        break
      case "ExpressionStatement":
        if (isDroppable(node)) add("drop a statement", node, ";")
        break
      case "ThrowStatement":
        add("drop a statement", node, ";")
        break
      case "Literal": {
        const value = node["value"]
        if (typeof value === "boolean") add("flip a boolean", node, String(!value))
        else if (inText) return
        else if (typeof value === "number") add("change a number", node, String(value + 1))
        else if (typeof value === "string" && value !== "" && !isTable && !prose.test(value))
          add("empty a string", node, '""')
        return
      }
      case "Property":
      case "PropertyDefinition": {
        if (textProperties.test(nameOf(node["key"]))) childrenInText = true
        if (node["computed"] === true) visit(node["key"] as Node, childrenInText)
        if (node["value"]) visit(node["value"] as Node, childrenInText)
        return
      }
      case "CallExpression":
      case "NewExpression": {
        visit(node["callee"] as Node, inText)
        const isText = textCalls.test(nameOf(node["callee"]))
        for (const argument of node["arguments"] as ReadonlyArray<Node>)
          visit(argument, inText || (isText && argument.type === "Literal"))
        return
      }
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        // The code of a function is no text, even when the function makes one.
        childrenInText = false
        break
      default:
        if (node.type.startsWith("TS")) return
    }
    for (const child of childrenOf(node)) visit(child, childrenInText)
  }

  visit(parse(file, text).program, false)
  return found.sort((one, other) => one.start - other.start)
}

/** The text of the file with this change. */
export const mutate = (text: string, { end, replacement, start }: Mutant): string =>
  text.slice(0, start) + replacement + text.slice(end)

export const isParsable = (file: string, text: string): boolean => parse(file, text).errors.length === 0

const parse = (file: string, text: string) => {
  const { errors, program } = parseSync(file, text, { lang: "ts" })
  return { errors, program: program as unknown as Node }
}

const childrenOf = (node: Node): ReadonlyArray<Node> =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value

const isProse = (node: Node): boolean => node.type === "Literal" && prose.test(String(node["value"]))

/** Last name of an identifier, a member, a call of one of them, or a string key; otherwise empty. */
const nameOf = (value: unknown): string => {
  if (!isNode(value)) return ""
  switch (value.type) {
    case "Identifier":
      return String(value["name"])
    case "Literal":
      return String(value["value"])
    case "MemberExpression":
      return nameOf(value["property"])
    case "CallExpression":
      return nameOf(value["callee"])
    default:
      return ""
  }
}

/** Directives, calls of `super` and log lines stay. */
const isDroppable = (statement: Node): boolean => {
  if (typeof statement["directive"] === "string") return false
  let expression = statement["expression"] as Node
  while (expression.type === "YieldExpression" || expression.type === "AwaitExpression")
    expression = (expression["argument"] as Node | null) ?? { type: "None", start: 0, end: 0 }
  if (expression.type !== "CallExpression") return true
  return (expression["callee"] as Node).type !== "Super" && !logCalls.test(nameOf(expression["callee"]))
}
