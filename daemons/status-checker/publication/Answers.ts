/**
 * Answers requests for the public interface from prepared bytes in memory, so they work while Postgres is away and cost
 * little under load.
 */
import type { PreparedAnswer } from "#core/lane/PreparedAnswer.ts"
import { body as problemBody, contentType, type FieldProblem, InvalidRequest } from "#core/http/Problem.ts"
import { maxHeader } from "#core/lane/Encoding.ts"
import { remembering } from "#core/lane/Remembering.ts"
import { answerOf, type RenderedAnswer } from "#core/lane/RenderedAnswer.ts"
import { chooseLanguage } from "#core/words/ChooseLanguage.ts"
import { type LanguageCode, textVersion } from "#core/words/TextMemory.ts"
import type { Planner } from "./Plans.ts"
import { publicHeaders } from "./Rendered.ts"
import type { Shelf } from "./Shelf.ts"

export interface AnswerRequest {
  /** Query without `?`. */
  readonly query: string
  /** Part of the path that matches the planner's `*`; empty when there is none. */
  readonly rest: string
  readonly headers: { readonly [name in "accept-language" | "accept-encoding" | "if-none-match"]?: string | undefined }
}

export type Reply = PreparedAnswer & { readonly body: Buffer | undefined }

/**
 * Maximum number of cached header values. Reason: browsers send few different ones, and hostile ones must not fill the
 * memory.
 */
const remembered = 1_000

const rememberedChoice = () => remembering(remembered, (header: string) => chooseLanguage(undefined, header))

let languageOfHeader = rememberedChoice()
let choiceVersion = textVersion()

const languageBy = (header: string | undefined): LanguageCode => {
  if (header === undefined || header.length > maxHeader) return chooseLanguage(undefined, header)
  // Another language may be offered since.
  if (choiceVersion !== textVersion()) {
    choiceVersion = textVersion()
    languageOfHeader = rememberedChoice()
  }
  return languageOfHeader(header)
}

/** Answers from a rendered document; the path of nearly all requests. */
export const replyHot = (
  rendered: RenderedAnswer,
  { "accept-encoding": accepted, "if-none-match": condition }: AnswerRequest["headers"]
): Reply => answerOf(rendered, accepted, condition)

export const replyTo = (
  shelf: Shelf,
  planner: Planner,
  { headers, query, rest }: AnswerRequest
): Reply | Promise<Reply> => {
  const id = decoded(rest)
  if (id === undefined) return notFound
  const parameters = new URLSearchParams(query)
  const plan = planner(parameters, id)
  if (!("key" in plan)) return invalid(plan)
  const lang = parameters.get("lang")
  const found = shelf.find(
    plan,
    lang === null ? languageBy(headers["accept-language"]) : chooseLanguage(lang, headers["accept-language"])
  )
  if (found === undefined) return notFound
  return found instanceof Promise ? found.then((rendered) => replyHot(rendered, headers)) : replyHot(found, headers)
}

/** Language of a request without a query. */
export const languageOf = ({ "accept-language": accepted }: AnswerRequest["headers"]): LanguageCode =>
  languageBy(accepted)

/** Decoded path segment; undefined when it is malformed. */
const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const problem = (status: number, of: object): Reply => {
  const body = Buffer.from(JSON.stringify(of))
  return {
    status,
    headers: [
      "content-type",
      contentType,
      "content-length",
      String(body.length),
      "cache-control",
      "no-store",
      ...publicHeaders
    ],
    body
  }
}

const notFound = problem(404, problemBody(404))

const invalid = (errors: ReadonlyArray<FieldProblem>): Reply =>
  problem(422, { ...new InvalidRequest({ errors }), type: "urn:signalbox:problem:invalid_request", status: 422 })
