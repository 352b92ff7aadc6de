/**
 * Titles, details and field faults of problems in the reader's language (words/Sentences.ts). A sentence that nobody
 * declared stays English. Sources: RFC 9457 §3.1.3 (only localization changes a title), RFC 9110 §12.5.5 (Vary).
 */
import { HttpServerResponse } from "effect/http"
import { type LanguageHeaders, languageOfRequest } from "../words/RequestLanguage.ts"
import { sentenceIn } from "../words/Sentences.ts"
import type { LanguageCode } from "../words/TextMemory.ts"
import "./FieldTexts.ts"
import "./ProblemTexts.ts"

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
