// Finds the English sentences that problems state: titles of `declaration(…)`, details of problems that code makes, and
// faults of fields.
// Pure: takes the texts of files, reads no file. A value in a sentence becomes the number 7.

import { parseSync } from "vite"
import type { SourceText } from "./Arrows.ts"

interface Node {
  readonly type: string
  readonly [name: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const list = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value.filter(isNode) : [])

const nameOf = (value: unknown): string => {
  if (!isNode(value)) return ""
  return value.type === "MemberExpression" ? nameOf(value["property"]) : String(value["name"] ?? "")
}

const child = (node: Node, name: string): Node => {
  const found = node[name]
  if (!isNode(found)) throw new Error(`${node.type} has no ${name}`)
  return found
}

/** The sentences that an expression can be. An expression that is no text of this file gives none. */
const sentencesOf = (node: Node): ReadonlyArray<string> => {
  switch (node.type) {
    case "Literal":
      return typeof node["value"] === "string" ? [node["value"]] : []
    case "TemplateLiteral":
      return [
        list(node["quasis"])
          .map(({ value }) => String((value as { readonly cooked?: unknown }).cooked ?? ""))
          .join("7")
      ]
    case "ConditionalExpression":
      return [...sentencesOf(child(node, "consequent")), ...sentencesOf(child(node, "alternate"))]
    case "LogicalExpression":
      return sentencesOf(child(node, "right"))
    case "BinaryExpression": {
      const ends = sentencesOf(child(node, "right"))
      return sentencesOf(child(node, "left")).flatMap((begin) => ends.map((end) => begin + end))
    }
    default:
      return []
  }
}

const visit = (value: unknown, see: (node: Node) => void): void => {
  if (Array.isArray(value)) for (const one of value) visit(one, see)
  else if (isNode(value)) {
    see(value)
    for (const member in value) if (member !== "type") visit(value[member], see)
  }
}

/** Functions that send a problem, and the place of its detail among their arguments. */
const senders: Readonly<Record<string, number>> = { sendProblem: 2 }

export interface FoundSentence {
  readonly file: string
  readonly sentence: string
}

const parsedOf = (files: ReadonlyArray<SourceText>) =>
  files.map(({ path, text }) => {
    const { errors, program } = parseSync(path, text, { lang: "ts" })
    if (errors.length > 0) throw new Error(`${path} cannot be parsed`)
    return { path, program, text }
  })

/** Functions that make a problem of one field; their last argument is its fault. */
const faultMakers: ReadonlySet<string> = new Set(["badField", "invalid", "refuse", "wrong"])

/**
 * Every fault of a field in these files: `message` beside `field`, what `faultMakers` are given, and each text that
 * begins as checks of schemas do.
 */
export const fieldSentences = (files: ReadonlyArray<SourceText>): ReadonlyArray<FoundSentence> =>
  parsedOf(files.filter(({ text }) => /\bmust |\bmessage\b|\binvalid\(/.test(text))).flatMap(
    ({ path, program, text }) => {
      // Other modules have functions of the same names.
      const makes = /InvalidRequest|import [^;]*\binvalid\b/.test(text)
      const found = new Set<string>()
      const parts = new Set<Node>()
      visit(program, (node) => {
        const properties = list(node["properties"])
        const message = properties.find(({ key }) => nameOf(key) === "message")?.["value"]
        const hasField = properties.some(({ key }) => nameOf(key) === "field")
        const fault =
          node.type === "ObjectExpression" && hasField
            ? message
            : makes && node.type === "CallExpression" && faultMakers.has(nameOf(node["callee"]))
              ? list(node["arguments"]).at(-1)
              : undefined
        // A call with one word names a reason, not a sentence.
        if (isNode(fault)) for (const sentence of sentencesOf(fault)) if (sentence.includes(" ")) found.add(sentence)
        if (node.type === "BinaryExpression") for (const side of ["left", "right"]) parts.add(child(node, side))
        if (!parts.has(node))
          for (const sentence of sentencesOf(node)) if (sentence.startsWith("must ")) found.add(sentence)
      })
      return Array.from(found, (sentence) => ({ file: path, sentence }))
    }
  )

/** Functions that make the result of a probe; an argument with a text is its detail. */
const resultMakers: ReadonlySet<string> = new Set(["finding", "found"])

/** Outcomes and kinds of results. */
const resultWords: ReadonlySet<string> = new Set([
  "up",
  "degraded",
  "down",
  "unknown",
  "http",
  "tcp",
  "tls",
  "dns",
  "container"
])

/** Details of the results of probes in these files. */
export const resultSentences = (files: ReadonlyArray<SourceText>): ReadonlyArray<FoundSentence> =>
  parsedOf(files).flatMap(({ path, program }) => {
    const found: Array<FoundSentence> = []
    visit(program, (node) => {
      if (node.type !== "CallExpression" || !resultMakers.has(nameOf(node["callee"]))) return
      for (const sentence of list(node["arguments"]).flatMap(sentencesOf))
        if (!resultWords.has(sentence)) found.push({ file: path, sentence })
    })
    return found
  })

const healthStates: ReadonlySet<unknown> = new Set(["ok", "degraded", "down", "unconfigured"])

/** Whether an expression is the status of a health component. */
const isHealthState = (node: Node): boolean =>
  node.type === "ConditionalExpression"
    ? isHealthState(child(node, "consequent")) && isHealthState(child(node, "alternate"))
    : node.type === "TSAsExpression"
      ? isHealthState(child(node, "expression"))
      : healthStates.has(node["value"])

const propertyOf = (node: Node, name: string): Node | undefined => {
  const value = list(node["properties"]).find(({ key }) => nameOf(key) === name)?.["value"]
  return isNode(value) ? value : undefined
}

export interface HealthSentences {
  /** Sentences of details: those that stand there, and those that `healthSentence` marks. */
  readonly stated: ReadonlyArray<FoundSentence>
  /** Files with a detail that comes from elsewhere, and with no marked sentence. */
  readonly passedOn: ReadonlyArray<string>
}

/** Details of the health components in these files. A detail has sentences with "; " between them. */
export const healthSentences = (files: ReadonlyArray<SourceText>): HealthSentences => {
  const stated: Array<FoundSentence> = []
  const passedOn: Array<string> = []
  for (const { path, program } of parsedOf(files.filter(({ text }) => /\bdetail\b|healthSentence/.test(text)))) {
    let marks = 0
    let unread = 0
    const add = (text: string) => {
      // One word is a name. A piece without letters is a sentence that is marked where it is made.
      for (const sentence of text.split("; "))
        if (sentence.includes(" ") && /[a-z]{2}/.test(sentence)) stated.push({ file: path, sentence })
    }
    visit(program, (node) => {
      if (node.type === "CallExpression" && nameOf(node["callee"]) === "healthSentence") {
        marks++
        for (const text of list(node["arguments"]).flatMap(sentencesOf)) add(text)
      }
      const status = node.type === "ObjectExpression" ? propertyOf(node, "status") : undefined
      if (status === undefined || !isHealthState(status)) return
      // A detail may stand in a spread object: `...(late ? { detail: "late" } : {})`.
      visit(node, (inner) => {
        const detail = inner.type === "ObjectExpression" ? propertyOf(inner, "detail") : undefined
        if (detail === undefined) return
        const texts = sentencesOf(detail)
        if (texts.length === 0) unread++
        for (const text of texts) add(text)
      })
    })
    if (unread > 0 && marks === 0) passedOn.push(path)
  }
  return { stated, passedOn: passedOn.toSorted() }
}

/** Every title and detail of these files, in the order of the files. */
export const problemSentences = (files: ReadonlyArray<SourceText>): ReadonlyArray<FoundSentence> => {
  const parsed = parsedOf(files)
  const classes = new Set<string>()
  for (const { program } of parsed)
    visit(program, (node) => {
      if (node.type !== "ClassDeclaration" || !isNode(node["superClass"])) return
      let made: unknown = node["superClass"]
      while (isNode(made) && made.type === "CallExpression") made = made["callee"]
      if (nameOf(made) === "Problem") classes.add(nameOf(node["id"]))
    })
  return parsed.flatMap(({ path, program }) => {
    const found: Array<FoundSentence> = []
    const add = (node: Node | undefined) => {
      if (node !== undefined) for (const sentence of sentencesOf(node)) found.push({ file: path, sentence })
    }
    visit(program, (node) => {
      const called = nameOf(node["callee"])
      const given = list(node["arguments"])
      if (node.type === "CallExpression" && called === "declaration") add(given[2])
      if (node.type === "CallExpression" && called in senders) add(given[senders[called]!])
      // Other modules have functions of the same name; only the one of the module Problem sends problems.
      if (node.type === "CallExpression" && called === "response" && nameOf((node["callee"] as Node)["object"]) !== "")
        add(given[1])
      if (node.type === "NewExpression" && classes.has(called))
        for (const property of list(given[0]?.["properties"]))
          if (nameOf(property["key"]) === "detail" && isNode(property["value"])) add(property["value"])
    })
    return found
  })
}
