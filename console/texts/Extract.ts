/**
 * Finds the texts of a module: the arguments of `words({ en, de })`. Pure. A text is a string, or a function that only
 * inserts its parameters into a template; the parameters become placeholders. All other functions stay in the code.
 */

/** A node of an ESTree program. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [name: string]: unknown
}

export interface Texts {
  readonly en: string
  readonly de: string
}

/** One call of `words`. */
export interface Call {
  /** Position after the argument, where the plugin inserts the keys. */
  readonly end: number
  /** Texts by the path of their property: `title`, `hours.24`. */
  readonly texts: ReadonlyMap<string, Texts>
  /** Parameter names of the texts that are functions, by the same path. */
  readonly parameters: Readonly<Record<string, ReadonlyArray<string>>>
}

export const callsIn = (program: Node): ReadonlyArray<Call> => {
  const found: Array<Call> = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isNode(value)) return
    const call = value.type === "CallExpression" ? callOf(value) : undefined
    if (call !== undefined) found.push(call)
    for (const name in value) if (name !== "type") visit(value[name])
  }
  visit(program)
  return found
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const nodes = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value.filter(isNode) : [])

const callOf = ({ arguments: given, callee }: Node): Call | undefined => {
  if (!isNode(callee)) return undefined
  const name = callee.type === "MemberExpression" && isNode(callee["property"]) ? callee["property"] : callee
  const [argument, ...more] = nodes(given)
  if (name["name"] !== "words" || argument?.type !== "ObjectExpression" || more.length > 0) return undefined
  const [en, de] = ["en", "de"].map((language) => membersOf(argument).get(language))
  if (en === undefined || de === undefined) return undefined
  const texts = new Map<string, Texts>()
  const parameters: Record<string, ReadonlyArray<string>> = {}
  collect(en, de, "", texts, parameters)
  return { end: argument.end, texts, parameters }
}

const membersOf = (node: Node): ReadonlyMap<string, Node> =>
  new Map(
    nodes(node["properties"]).flatMap((property) => {
      const { computed, key, value } = property
      if (property.type !== "Property" || computed === true || !isNode(key) || !isNode(value)) return []
      return [[String(key["name"] ?? key["value"]), value] as const]
    })
  )

const collect = (
  en: Node,
  de: Node,
  path: string,
  texts: Map<string, Texts>,
  parameters: Record<string, ReadonlyArray<string>>
): void => {
  const german = membersOf(de)
  for (const [name, value] of membersOf(en)) {
    const other = german.get(name)
    // Keys cannot contain other characters, so texts with such names stay in the code.
    if (other === undefined || !/^[\w-]+$/.test(name)) continue
    const at = path === "" ? name : `${path}.${name}`
    if (value.type === "ObjectExpression" && other.type === "ObjectExpression") {
      collect(value, other, at, texts, parameters)
      continue
    }
    const names = parametersOf(value)
    const own = parametersOf(other)
    if (names === undefined || own === undefined || own.length > names.length) continue
    const english = written(bodyOf(value), new Map(names.map((name) => [name, name])))
    const translated = written(bodyOf(other), new Map(own.map((name, index) => [name, names[index]!])))
    if (english === undefined || translated === undefined || english.trim() === "" || translated.trim() === "") continue
    texts.set(at, { en: english, de: translated })
    if (isFunction(value)) parameters[at] = names
  }
}

const isFunction = ({ type }: Node): boolean => type === "ArrowFunctionExpression"

/** Names of the parameters; empty for a string, undefined for a function with other parameters. */
const parametersOf = (node: Node): ReadonlyArray<string> | undefined => {
  if (!isFunction(node)) return []
  const parameters = nodes(node["params"])
  return parameters.every(({ type }) => type === "Identifier") ? parameters.map(({ name }) => String(name)) : undefined
}

const bodyOf = (node: Node): Node => (isFunction(node) && isNode(node["body"]) ? node["body"] : node)

/** The message of an expression; undefined when it contains more than strings and parameters. */
const written = (node: Node, names: ReadonlyMap<string, string>): string | undefined => {
  const parts = partsOf(node, names)
  if (parts === undefined) return undefined
  const text = parts.map((part) => (typeof part === "string" ? part : `{${part.name}}`)).join("")
  if (parts.every((part) => typeof part === "string")) return /[{}]/.test(text) ? undefined : text
  // An apostrophe beside a brace would start a quotation in ICU MessageFormat, so it is doubled.
  return parts.some((part) => typeof part === "string" && /[{}]/.test(part))
    ? undefined
    : text.replace(/'(?=\{)|(?<=\})'/g, "''")
}

type Part = string | { readonly name: string }

const partsOf = (node: Node, names: ReadonlyMap<string, string>): ReadonlyArray<Part> | undefined => {
  if (node.type === "Literal") return typeof node["value"] === "string" ? [node["value"]] : undefined
  if (node.type === "Identifier") {
    const name = names.get(String(node["name"]))
    return name === undefined ? undefined : [{ name }]
  }
  if (node.type === "BinaryExpression" && node["operator"] === "+") {
    const [left, right] = [node["left"], node["right"]].map((side) => (isNode(side) ? partsOf(side, names) : undefined))
    return left === undefined || right === undefined ? undefined : [...left, ...right]
  }
  if (node.type !== "TemplateLiteral") return undefined
  const expressions = nodes(node["expressions"]).map((one) => partsOf(one, names))
  const texts = nodes(node["quasis"]).map(({ value }) => String((value as { readonly cooked?: unknown }).cooked ?? ""))
  if (expressions.some((one) => one === undefined)) return undefined
  return texts.flatMap((text, index) => [text, ...(expressions[index] ?? [])])
}
