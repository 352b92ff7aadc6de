/**
 * A message as a tree: inner nodes are plurals and selections, leaves are whole sentences. Pure. The text around a
 * plural moves into each of its forms.
 */
import { Result } from "effect"
import { type Message, type MessageFormatElement, TYPE } from "../texts/Exports.ts"

/** A part of a sentence. */
export type Piece =
  | { readonly _tag: "Text"; readonly text: string }
  /** A placeholder as the message writes it, or white space that must stay. */
  | { readonly _tag: "Fixed"; readonly written: string }
  /** `#`: the number of a plural. */
  | { readonly _tag: "Pound"; readonly name: string; readonly offset: number }

export type Leaf = ReadonlyArray<Piece>

type ChoiceKind = "plural" | "selectordinal" | "select"

type Node =
  | { readonly _tag: "Leaf"; readonly leaf: Leaf }
  | {
      readonly _tag: "Choice"
      readonly name: string
      readonly kind: ChoiceKind
      readonly offset: number
      readonly options: ReadonlyArray<readonly [selector: string, node: Node]>
    }

export interface Tree {
  readonly root: Node
  readonly leaves: ReadonlyArray<Leaf>
  /** Whether the source text has braces. Only then do apostrophes have a meaning in it. */
  readonly isMessage: boolean
}

/**
 * Maximum number of sentences in a message. Reason: two plurals of four forms each; longer messages are not practical.
 */
const maxLeaves = 16

/** Converts a message into a tree, or returns why that is impossible. `text`: the source text of the message. */
export const treeOf = (message: Message, text: string): Result.Result<Tree, string> => {
  const leaves: Array<Leaf> = []
  const build = (before: Leaf, rest: ReadonlyArray<Part>): Node | undefined => {
    const at = rest.findIndex((part) => part._tag === "Choice")
    const choice = rest[at]
    if (choice?._tag !== "Choice") {
      const leaf = [...before, ...(rest as Leaf)]
      leaves.push(leaf)
      return leaves.length > maxLeaves ? undefined : { _tag: "Leaf", leaf }
    }
    const start = [...before, ...(rest.slice(0, at) as Leaf)]
    const options: Array<readonly [string, Node]> = []
    for (const [selector, parts] of choice.options) {
      const node = build(start, [...parts, ...rest.slice(at + 1)])
      if (node === undefined) return undefined
      options.push([selector, node])
    }
    return { _tag: "Choice", name: choice.name, kind: choice.kind, offset: choice.offset, options }
  }
  const root = build([], partsOf(message.elements, text, undefined))
  return root === undefined
    ? Result.fail(`has more than ${maxLeaves} forms`)
    : Result.succeed({ root, leaves, isMessage: /[{}]/.test(text) })
}

type Part =
  | Piece
  | {
      readonly _tag: "Choice"
      readonly name: string
      readonly kind: ChoiceKind
      readonly offset: number
      readonly options: ReadonlyArray<readonly [selector: string, parts: ReadonlyArray<Part>]>
    }

interface Plural {
  readonly name: string
  readonly offset: number
}

const partsOf = (
  elements: ReadonlyArray<MessageFormatElement>,
  text: string,
  plural: Plural | undefined
): ReadonlyArray<Part> => elements.flatMap((element) => partOf(element, text, plural))

const partOf = (element: MessageFormatElement, text: string, plural: Plural | undefined): ReadonlyArray<Part> => {
  switch (element.type) {
    case TYPE.literal:
      return textParts(element.value)
    case TYPE.pound:
      return [plural === undefined ? { _tag: "Fixed", written: "#" } : { _tag: "Pound", ...plural }]
    case TYPE.plural: {
      const own = { name: element.value, offset: element.offset }
      const kind = element.pluralType === "ordinal" ? "selectordinal" : "plural"
      const options = Object.entries(element.options).map(
        ([selector, { value }]) => [selector, partsOf(value, text, own)] as const
      )
      return [{ _tag: "Choice", ...own, kind, options }]
    }
    case TYPE.select: {
      const options = Object.entries(element.options).map(
        ([selector, { value }]) => [selector, partsOf(value, text, plural)] as const
      )
      return [{ _tag: "Choice", name: element.value, offset: 0, kind: "select", options }]
    }
    default: {
      const { location } = element
      const written = location === undefined ? "" : text.slice(location.start.offset, location.end.offset)
      return [{ _tag: "Fixed", written }]
    }
  }
}

/** Line breaks and tabs are fixed, because HTML makes spaces of them. */
const textParts = (text: string): ReadonlyArray<Piece> =>
  text
    .split(/([\n\t]+)/)
    .filter((part) => part !== "")
    .map((part): Piece => (/^[\n\t]/.test(part) ? { _tag: "Fixed", written: part } : { _tag: "Text", text: part }))

/** The message of a tree for a language. `leafOf`: the translation of a leaf. */
export const writeTree = (tree: Tree, locale: string, leafOf: (leaf: Leaf) => Leaf): Result.Result<string, string> => {
  const write = (node: Node, plural: Plural | undefined): string | undefined => {
    if (node._tag === "Leaf") return writeLeaf(leafOf(node.leaf), plural, tree.isMessage)
    const { kind, name, offset } = node
    const inner = kind === "select" ? plural : { name, offset }
    const parts: Array<string> = []
    for (const [selector, option] of optionsFor(node, locale)) {
      const written = write(option, inner)
      if (written === undefined) return undefined
      parts.push(`${selector} {${written}}`)
    }
    return `{${name}, ${kind}, ${offset === 0 ? "" : `offset:${offset} `}${parts.join(" ")}}`
  }
  const written = write(tree.root, undefined)
  return written === undefined ? Result.fail("has the number of one plural in another") : Result.succeed(written)
}

/** Forms of the target language. A form that English does not have begins as the form `other`. */
const optionsFor = (
  node: Node & { readonly _tag: "Choice" },
  locale: string
): ReadonlyArray<readonly [string, Node]> => {
  if (node.kind === "select") return node.options
  const known = new Map(node.options)
  const other = known.get("other")
  const type = node.kind === "plural" ? "cardinal" : "ordinal"
  const categories = new Intl.PluralRules(locale, { type }).resolvedOptions().pluralCategories
  const exact = node.options.filter(([selector]) => selector.startsWith("="))
  const forms = categories
    .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
    .flatMap((category) => {
      const form = known.get(category) ?? other
      return form === undefined ? [] : [[category, form] as const]
    })
  return [...exact, ...forms]
}

const order = ["zero", "one", "two", "few", "many", "other"]

/**
 * The text of a leaf in ICU MessageFormat; undefined when it contains a number with an offset outside of its plural.
 */
const writeLeaf = (leaf: Leaf, plural: Plural | undefined, isMessage: boolean): string | undefined => {
  let written = ""
  for (const piece of leaf) {
    if (piece._tag === "Text") written += isMessage ? quoted(piece.text, plural !== undefined) : piece.text
    else if (piece._tag === "Fixed") written += piece.written
    else if (piece.name === plural?.name && piece.offset === plural.offset) written += "#"
    else if (piece.offset === 0) written += `{${piece.name}, number}`
    else return undefined
  }
  return written
}

/** Quotes the characters of a text that ICU MessageFormat would interpret. Doubles apostrophes beside them. */
const quoted = (text: string, inPlural: boolean): string =>
  text.replace(/'(?=['{}#]|$)|(?<=['{}#])'/g, "''").replace(inPlural ? /[{}#]/g : /[{}]/g, "'$&'")
