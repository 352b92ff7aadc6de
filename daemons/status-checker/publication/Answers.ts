/**
 * What is answered to a question about what is shown. Everything comes from memory, so that it is answered while
 * Postgres is away; and all but the headers was made before, so that many may ask at once.
 */
import { body as problemBody, contentType, type FieldProblem, InvalidRequest } from "#core/http/Problem.ts"
import { remembering } from "#core/lane/Remembering.ts"
import { type Language, languageFrom } from "#core/words/Language.ts"
import { type Encoding, encodingFrom, maxHeader } from "./Encoding.ts"
import type { Planner } from "./Plans.ts"
import { publicHeaders, matches, type Rendered } from "./Rendered.ts"
import type { Shelf } from "./Shelf.ts"

export interface AnswerRequest {
  /** Without `?`. */
  readonly query: string
  /** What stands for the planner's `*`; empty without one. */
  readonly rest: string
  readonly headers: { readonly [name in "accept-language" | "accept-encoding" | "if-none-match"]?: string | undefined }
}

export interface Reply {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: ReadonlyArray<string>
  readonly body: Buffer | undefined
}

/** Different headers that are remembered. Reason: browsers send a few; a stranger's many must not stay. */
const remembered = 1_000

const languageOfHeader = remembering(remembered, (header: string) => languageFrom(undefined, header))
const encodingOfHeader = remembering(remembered, encodingFrom)

const languageBy = (header: string | undefined): Language =>
  header === undefined || header.length > maxHeader ? languageFrom(undefined, header) : languageOfHeader(header)

/** The form that somebody takes. */
export const encodingBy = (header: string | undefined): Encoding =>
  header === undefined || header.length > maxHeader ? "identity" : encodingOfHeader(header)

/** Answers a question without a query at once where it can: the way of nearly all of them. */
export const replyHot = (
  rendered: Rendered,
  { "accept-encoding": accepted, "if-none-match": condition }: AnswerRequest["headers"]
): Reply => {
  const form = rendered[encodingBy(accepted)]
  return condition !== undefined && matches(condition, form.etag)
    ? { status: 304, headers: form.unchanged, body: undefined }
    : { status: 200, headers: form.headers, body: form.body }
}

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
    lang === null ? languageBy(headers["accept-language"]) : languageFrom(lang, headers["accept-language"])
  )
  if (found === undefined) return notFound
  return found instanceof Promise ? found.then((rendered) => replyHot(rendered, headers)) : replyHot(found, headers)
}

/** The language of a question without a query. */
export const languageOf = ({ "accept-language": accepted }: AnswerRequest["headers"]): Language => languageBy(accepted)

/** Undefined: it is spelt so that it names nothing. */
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
