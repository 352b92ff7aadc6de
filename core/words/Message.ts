/**
 * Messages with placeholders in braces. Pure. Source: ICU MessageFormat, as @formatjs/icu-messageformat-parser reads
 * it. Tags are text: HTML in a message has no meaning here.
 */
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser"
import { Result } from "effect"

export { type MessageFormatElement, TYPE } from "@formatjs/icu-messageformat-parser"

/** Deepest nesting of plurals and selections. Reason: four levels have no use, and each level multiplies the text. */
const maxDepth = 4

/** Maximum number of elements of a message. Reason: bounds the work with hostile messages. */
const maxElements = 500

/** How a placeholder is used. Two uses of a name as different kinds need different values. */
export type Kind = "text" | "number" | "date" | "time" | "plural" | "select"

/** A valid message. */
export interface Message {
  readonly elements: ReadonlyArray<MessageFormatElement>
  /** Kinds by the name of the placeholder. */
  readonly placeholders: ReadonlyMap<string, ReadonlySet<Kind>>
}

/** The message of a text, or a sentence about its fault. A text without braces is always valid. */
export const readMessage = (text: string): Result.Result<Message, string> => {
  if (!hasBraces(text)) return Result.succeed(plain(text))
  try {
    const elements = parse(text, {
      ignoreTag: true,
      requiresOtherClause: true,
      shouldParseSkeletons: false,
      captureLocation: true
    })
    const placeholders = new Map<string, Set<Kind>>()
    const problem = collect(elements, placeholders, 0, { left: maxElements })
    return problem === undefined ? Result.succeed({ elements, placeholders }) : Result.fail(problem)
  } catch (error) {
    return Result.fail(faultOf(error))
  }
}

const hasBraces = (text: string): boolean => text.includes("{") || text.includes("}")

const plain = (text: string): Message => ({ elements: [{ type: TYPE.literal, value: text }], placeholders: new Map() })

const kinds: Readonly<Partial<Record<TYPE, Kind>>> = {
  [TYPE.argument]: "text",
  [TYPE.number]: "number",
  [TYPE.date]: "date",
  [TYPE.time]: "time",
  [TYPE.plural]: "plural",
  [TYPE.select]: "select"
}

const collect = (
  elements: ReadonlyArray<MessageFormatElement>,
  found: Map<string, Set<Kind>>,
  depth: number,
  budget: { left: number }
): string | undefined => {
  for (const element of elements) {
    if (--budget.left < 0) return `has more than ${maxElements} parts`
    const kind = kinds[element.type]
    if (kind === undefined || !("value" in element)) continue
    const known = found.get(element.value)
    if (known === undefined) found.set(element.value, new Set([kind]))
    else known.add(kind)
    if (element.type !== TYPE.plural && element.type !== TYPE.select) continue
    if (depth === maxDepth) return `nests plurals and selections deeper than ${maxDepth}`
    for (const { value } of Object.values(element.options)) {
      const problem = collect(value, found, depth + 1, budget)
      if (problem !== undefined) return problem
    }
  }
  return undefined
}

/** Faults of the parser in words. The others are shown by their name. */
const faults: Readonly<Record<string, string>> = {
  DUPLICATE_PLURAL_ARGUMENT_SELECTOR: "has a form twice",
  DUPLICATE_SELECT_ARGUMENT_SELECTOR: "has a form twice",
  EMPTY_ARGUMENT: "has empty braces",
  EXPECT_ARGUMENT_CLOSING_BRACE: "has a brace that is not closed",
  EXPECT_ARGUMENT_TYPE: "lacks the type of a placeholder",
  INVALID_ARGUMENT_TYPE: "has a placeholder of an unknown type",
  MALFORMED_ARGUMENT: "has a placeholder that is no name",
  MISSING_OTHER_CLAUSE: "has a plural or selection without other",
  UNCLOSED_QUOTE_IN_ARGUMENT_STYLE: "has a quote that is not closed"
}

const faultOf = (error: unknown): string => {
  const name = error instanceof Error ? error.message : "unknown"
  const at =
    typeof error === "object" && error !== null && "location" in error
      ? (error.location as { readonly start?: { readonly offset?: number } } | undefined)?.start?.offset
      : undefined
  const words = faults[name] ?? `is not a valid message (${name.toLowerCase().replaceAll("_", " ").slice(0, 60)})`
  return at === undefined ? words : `${words}, at character ${at + 1}`
}

/** Placeholders of a translation that its source lacks or uses otherwise. A reader's program could not fill them. */
export const unknownPlaceholders = (source: Message, translation: Message): ReadonlyArray<string> =>
  [...translation.placeholders].flatMap(([name, used]) => {
    const known = source.placeholders.get(name)
    return known !== undefined && [...used].every((kind) => isFilledBy(known, kind)) ? [] : [name]
  })

/** Whether a value for these kinds also serves `kind`. A number can be shown, counted and selected by. */
const isFilledBy = (known: ReadonlySet<Kind>, kind: Kind): boolean => {
  if (known.has(kind) || kind === "text") return true
  return (kind === "number" || kind === "plural") && (known.has("number") || known.has("plural"))
}

/** Placeholders of the source that a translation lacks. */
export const missingPlaceholders = (source: Message, translation: Message): ReadonlyArray<string> =>
  [...source.placeholders.keys()].filter((name) => !translation.placeholders.has(name))

/** Whether a translation can be shown in place of this source. */
export const fits = (source: string, translation: string): boolean => {
  if (!hasBraces(translation)) return true
  const [from, to] = [readMessage(source), readMessage(translation)]
  return Result.isSuccess(from) && Result.isSuccess(to) && unknownPlaceholders(from.success, to.success).length === 0
}
