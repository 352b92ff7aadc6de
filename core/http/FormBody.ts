/**
 * Reads small `application/x-www-form-urlencoded` bodies for the fast lane, as OAuth endpoints take them, whole in
 * memory. Not for uploads and not for multipart. It rejects ambiguous bodies, so that two readers never disagree about
 * one. It sends no answer itself; the listener ends slow clients. Sources: RFC 6749 §3.1 (a name at most once) and
 * appendix B (UTF-8, percent-encoded); WHATWG URL §5.1 (the parser).
 *
 * URLSearchParams accepts repeated names and invalid escapes, and takes 0.9 times the time of `parseForm`. querystring
 * takes 3.7 times as long (a token with three more fields, Node 24).
 */
import { Result } from "effect"
import { isAscii } from "node:buffer"
import type { IncomingMessage } from "node:http"
import { readBody } from "../lane/Body.ts"

/**
 * Longest form. Unit: bytes. Reason: a token of 4 KB with every byte escaped, and the client's credentials beside it.
 */
export const maxFormSize = 16 * 1024

/** Maximum number of fields. Reason: ten times what any OAuth request has. */
export const maxFormFields = 100

/** Decoded fields by name. A field without value is the empty string; RFC 6749 §3.1 treats it as not sent. */
export type Form = ReadonlyMap<string, string>

/** Why a form was refused, as status and sentence. The sentence quotes nothing of the body. */
export interface FormRefusal {
  readonly status: 400 | 413 | 415
  readonly detail: string
}

/**
 * Reads the request's body as a form. Never rejects. Stays pending when the client disconnects before the end, because
 * nobody is left to answer.
 */
export const readForm = (request: IncomingMessage): Promise<Result.Result<Form, FormRefusal>> =>
  new Promise((resolve) =>
    readFormText(request, (text, refusal) => resolve(text === undefined ? Result.fail(refusal!) : parseForm(text)))
  )

/**
 * Reads the whole body as ASCII text, without parsing it. For the hottest lanes, where a promise and a map per request
 * are measurable. Calls back once, or never when the client disconnects before the end.
 */
export const readFormText = (
  request: IncomingMessage,
  done: (text: string | undefined, refusal: FormRefusal | undefined) => void
): void => {
  const { headers } = request
  if (!isForm(headers["content-type"]))
    return done(undefined, { status: 415, detail: "Send application/x-www-form-urlencoded." })
  if (headers["content-encoding"] !== undefined)
    return done(undefined, { status: 415, detail: "Send the body without a content encoding." })
  if (Number(headers["content-length"]) > maxFormSize) return done(undefined, tooLarge)
  readBody(request, maxFormSize, (bytes, isWhole) => {
    if (!isWhole) done(undefined, tooLarge)
    else if (isAscii(bytes)) done(bytes.toString("latin1"), undefined)
    else done(undefined, unreadable)
  })
}

/** Value of a form that consists of this one field and needs no unescaping; undefined when it must be parsed. */
export const loneField = (text: string, start: `${string}=`): string | undefined =>
  text.startsWith(start) && !text.includes("&") && !text.includes("%") && !text.includes("+")
    ? text.slice(start.length)
    : undefined

/**
 * Parses a form's ASCII text. Refuses a repeated name, an invalid escape, bytes that are not UTF-8, and more than
 * `maxFormFields` fields.
 */
export const parseForm = (text: string): Result.Result<Form, FormRefusal> => {
  const form = new Map<string, string>()
  for (let start = 0; start < text.length;) {
    const next = text.indexOf("&", start)
    const end = next === -1 ? text.length : next
    if (end > start) {
      const equals = text.indexOf("=", start)
      const split = equals === -1 || equals > end ? end : equals
      const name = decode(text.slice(start, split))
      const value = split === end ? "" : decode(text.slice(split + 1, end))
      if (name === undefined || value === undefined) return Result.fail(unreadable)
      if (form.has(name)) return Result.fail({ status: 400, detail: "A form field is repeated." })
      if (form.size === maxFormFields)
        return Result.fail({ status: 400, detail: `At most ${maxFormFields} form fields.` })
      form.set(name, value)
    }
    start = end + 1
  }
  return Result.succeed(form)
}

/**
 * A part of the form, decoded; undefined for an invalid escape. A part without escapes, such as a JWT, is returned as
 * it is.
 */
const decode = (part: string): string | undefined => {
  const spaced = part.includes("+") ? part.replaceAll("+", " ") : part
  if (!spaced.includes("%")) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return undefined
  }
}

const isForm = (contentType: string | undefined): boolean =>
  contentType === formType || contentType?.split(";", 1)[0]!.trim().toLowerCase() === formType
const formType = "application/x-www-form-urlencoded"

const tooLarge: FormRefusal = { status: 413, detail: `At most ${maxFormSize} bytes.` }
const unreadable: FormRefusal = { status: 400, detail: "The form is badly encoded." }
