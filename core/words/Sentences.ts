/**
 * English sentences that code states, in the reader's language: problems and results of checks. This file finds the
 * sentence among the declared texts by its English, with the values in it. A text is such a sentence when its key has
 * one of `sentenceSubjects`.
 */
import { Result } from "effect"
import { readMessage, TYPE } from "./Message.ts"
import { declaredTexts, type ShippedText, textOf } from "./ShippedTexts.ts"
import type { LanguageCode } from "./TextMemory.ts"

/**
 * Parts of the keys of sentences: titles and details of problems, faults of fields, details of health reports, and
 * results that are stored or passed on in English.
 */
export const sentenceSubjects = [".problems.", ".fields.", ".results.", ".health."] as const

/** Longest sentence that is looked for. Unit: UTF-16 units. Reason: ours have at most 200 and the names in them. */
const maxSentence = 2_000

/** A sentence with placeholders: the texts around them, one more than `names`. */
interface Pattern {
  readonly key: string
  readonly literals: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
}

export interface Sentences {
  /** Number of texts when this was made: modules declare theirs when they are loaded. */
  readonly size: number
  readonly exact: ReadonlyMap<string, string>
  readonly patterns: ReadonlyArray<Pattern>
}

/** The sentences among these texts. */
export const sentencesAmong = (texts: ReadonlyMap<string, ShippedText>): Sentences => {
  const exact = new Map<string, string>()
  const patterns: Array<Pattern> = []
  for (const [key, { en }] of texts) {
    if (!sentenceSubjects.some((subject) => key.includes(subject))) continue
    const { literals, names } = partsOf(en)
    if (names.length === 0) exact.set(literals[0]!, key)
    else patterns.push({ key, literals, names })
  }
  // A sentence may fit two patterns; the one with more text of its own describes it better.
  const own = ({ literals }: Pattern) => literals.join("").length
  return { size: texts.size, exact, patterns: patterns.toSorted((a, b) => own(b) - own(a)) }
}

const partsOf = (english: string): Omit<Pattern, "key"> => {
  const literals = [""]
  const names: Array<string> = []
  for (const element of Result.getOrThrow(readMessage(english)).elements)
    if (element.type === TYPE.literal) literals[literals.length - 1] += element.value
    else if (element.type === TYPE.argument) {
      names.push(element.value)
      literals.push("")
    } else throw new Error(`a problem's text may have no plural: ${english}`)
  return { literals, names }
}

/** The values of the placeholders; undefined when the sentence does not fit. Takes the first place of each literal. */
const valuesOf = ({ literals, names }: Pattern, sentence: string): Readonly<Record<string, string>> | undefined => {
  if (!sentence.startsWith(literals[0]!)) return undefined
  const values: Record<string, string> = {}
  let at = literals[0]!.length
  for (const [index, name] of names.entries()) {
    const literal = literals[index + 1]!
    const last = index === names.length - 1
    const end = last ? sentence.length - literal.length : sentence.indexOf(literal, at + 1)
    if (end <= at || (last && !sentence.endsWith(literal))) return undefined
    values[name] = sentence.slice(at, end)
    at = end + literal.length
  }
  return values
}

interface Found {
  readonly key: string
  readonly values: Readonly<Record<string, string>>
}

let sentences: Sentences | undefined

/** Key and values of a sentence; undefined when it is not among `sentences`. */
export const foundAmong = (sentences: Sentences, sentence: string): Found | undefined => {
  if (sentence.length > maxSentence) return undefined
  const key = sentences.exact.get(sentence)
  if (key !== undefined) return { key, values: {} }
  for (const pattern of sentences.patterns) {
    const values = valuesOf(pattern, sentence)
    if (values !== undefined) return { key: pattern.key, values }
  }
  return undefined
}

/** A declared sentence in a language; undefined when no loaded module declared it. */
export const sentenceIn = (language: LanguageCode, sentence: string): string | undefined => {
  if (sentences?.size !== declaredTexts().size) sentences = sentencesAmong(declaredTexts())
  const found = foundAmong(sentences, sentence)
  return found === undefined ? undefined : textOf(found.key, language, found.values)
}

/** A declared sentence in a language; a sentence that nobody declared as it is. */
export const spokenIn = (language: LanguageCode, sentence: string): string =>
  language === "en" ? sentence : (sentenceIn(language, sentence) ?? sentence)
