/**
 * Titles, details and field faults of problems in the reader's language. Code states them in English; this file finds
 * the sentence among the declared texts and writes it in the language of the request. A sentence that nobody declared
 * stays English.
 * Sources: RFC 9457 §3.1.3 (only localization changes a title), RFC 9110 §12.5.5 (Vary).
 */
import { HttpServerResponse } from "effect/http"
import { Result } from "effect"
import { type LanguageHeaders, languageOfRequest } from "../words/RequestLanguage.ts"
import { readMessage, TYPE } from "../words/Message.ts"
import { declaredTexts, textOf } from "../words/ShippedTexts.ts"
import type { LanguageCode } from "../words/TextMemory.ts"
import { fieldSubject } from "./FieldTexts.ts"
import { problemSubject } from "./ProblemTexts.ts"

/** Longest sentence that is looked for. Unit: UTF-16 units. Reason: ours have at most 200 and the names in them. */
const maxSentence = 2_000

/** A sentence with placeholders: the texts around them, one more than `names`. */
interface Pattern {
  readonly key: string
  readonly literals: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
}

interface Sentences {
  /** Number of declared texts when this was made: modules declare theirs when they are loaded. */
  readonly size: number
  readonly exact: ReadonlyMap<string, string>
  readonly patterns: ReadonlyArray<Pattern>
}

const make = (): Sentences => {
  const exact = new Map<string, string>()
  const patterns: Array<Pattern> = []
  for (const [key, { en }] of declaredTexts()) {
    if (!key.includes(problemSubject) && !key.includes(fieldSubject)) continue
    const { literals, names } = partsOf(en)
    if (names.length === 0) exact.set(literals[0]!, key)
    else patterns.push({ key, literals, names })
  }
  // A sentence may fit two patterns; the one with more text of its own describes it better.
  const own = ({ literals }: Pattern) => literals.join("").length
  return { size: declaredTexts().size, exact, patterns: patterns.toSorted((a, b) => own(b) - own(a)) }
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

let sentences: Sentences | undefined

/** A declared sentence in a language; undefined when nobody declared it. */
export const sentenceIn = (language: LanguageCode, sentence: string): string | undefined => {
  if (sentence.length > maxSentence) return undefined
  if (sentences?.size !== declaredTexts().size) sentences = make()
  const key = sentences.exact.get(sentence)
  if (key !== undefined) return textOf(key, language, {})
  for (const pattern of sentences.patterns) {
    const values = valuesOf(pattern, sentence)
    if (values !== undefined) return textOf(pattern.key, language, values)
  }
  return undefined
}

/**
 * The problem with its title, its detail and the messages of its `errors` in a language. Other members are for programs
 * and stay.
 */
export const problemIn = <P extends object>(language: LanguageCode, problem: P): P => {
  if (language === "en") return problem
  const { detail, errors, title } = problem as {
    readonly detail?: unknown
    readonly errors?: unknown
    readonly title?: unknown
  }
  const said = (text: unknown) => (typeof text === "string" ? (sentenceIn(language, text) ?? text) : undefined)
  const fault = (one: unknown): unknown =>
    typeof one === "object" && one !== null && "message" in one
      ? { ...one, message: said(one.message) ?? one.message }
      : one
  return {
    ...problem,
    ...(title === undefined ? {} : { title: said(title) ?? title }),
    ...(detail === undefined ? {} : { detail: said(detail) ?? detail }),
    ...(Array.isArray(errors) ? { errors: errors.map(fault) } : {})
  }
}

/**
 * What the text depends on: also for English, which a cache would otherwise answer to everybody. The account's language
 * is not named, because shared caches store no answer to a request with credentials (RFC 9111 §3.5).
 */
const varies = "accept-language"

/** Headers that name the choice to caches and readers. */
export const languageHeaders = (language: LanguageCode): Readonly<Record<string, string>> => ({
  ...(language === "en" ? {} : { "content-language": language }),
  vary: varies
})

const decoder = new TextDecoder()

/** A problem response in the language of the request; other responses are returned as they are. */
export const responseIn = (
  headers: LanguageHeaders,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  if (response.status < 400 || body._tag !== "Uint8Array" || !body.contentType.startsWith("application/problem+json"))
    return response
  const language = languageOfRequest(headers)
  const { "content-length": _, "content-type": type = body.contentType, vary, ...others } = response.headers
  const by = vary === undefined ? varies : `${vary}, ${varies}`
  if (language === "en") return HttpServerResponse.setHeader(response, "vary", by)
  const problem: unknown = JSON.parse(decoder.decode(body.body))
  if (typeof problem !== "object" || problem === null) return response
  return HttpServerResponse.jsonUnsafe(problemIn(language, problem), {
    status: response.status,
    contentType: type,
    cookies: response.cookies,
    headers: { ...others, ...languageHeaders(language), vary: by }
  })
}
