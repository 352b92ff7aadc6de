/**
 * Small form bodies for the fast lane: `application/x-www-form-urlencoded` as OAuth endpoints take it, whole in memory.
 * Not for uploads and not for multipart. It refuses what it cannot read in one way only, so that no two readers of the
 * same body can disagree about it; it answers nothing itself. A slow client is the listener's to cut off.
 * Sources: RFC 6749 §3.1 (a name at most once) and appendix B (UTF-8, percent-encoded); WHATWG URL §5.1 (the parser).
 */
import { Result } from "effect"
import { isAscii } from "node:buffer"
import type { IncomingMessage } from "node:http"

/**
 * Longest form. Unit: bytes. Reason: a token of 4 KB with every byte escaped, and the client's credentials beside it.
 */
export const maxFormSize = 16 * 1024

/** Most fields. Unit: fields. Reason: ten times what any OAuth request has. */
export const maxFormFields = 100

/** Fields by name, decoded. One without a value is the empty string; RFC 6749 §3.1 treats it as not sent. */
export type Form = ReadonlyMap<string, string>

/** Why a form was not read, as a status and a sentence; the sentence repeats nothing of the body. */
export interface FormRefusal {
  readonly status: 400 | 413 | 415
  readonly detail: string
}

/**
 * Reads the request's body as a form. Never rejects; stays pending when the client goes away before its end, because
 * then nobody is left to answer.
 */
export const readForm = (request: IncomingMessage): Promise<Result.Result<Form, FormRefusal>> =>
  new Promise((resolve) =>
    readFormText(request, (text, refusal) => resolve(text === undefined ? Result.fail(refusal!) : parseForm(text)))
  )

/**
 * The same, not parsed yet: the whole body as ASCII text, or why not. For the hottest lanes, where a promise and a map
 * a request can be told; calls back once, or never when the client goes away before the end.
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
  let first: Buffer | undefined
  let more: Array<Buffer> | undefined
  let size = 0
  request.on("data", (chunk: Buffer) => {
    const before = size
    size += chunk.length
    // What comes after a refusal is let go by, so that the client gets to read the answer.
    if (size > maxFormSize) {
      if (before <= maxFormSize) done(undefined, tooLarge)
      return
    }
    if (first === undefined) first = chunk
    else (more ??= [first]).push(chunk)
  })
  request.on("end", () => {
    if (size > maxFormSize) return
    const whole = more === undefined ? (first ?? noBytes) : Buffer.concat(more)
    if (isAscii(whole)) done(whole.toString("latin1"), undefined)
    else done(undefined, unreadable)
  })
}

/** The value of a form that is this one field and needs no unescaping; undefined: it has to be parsed. */
export const loneField = (text: string, start: `${string}=`): string | undefined =>
  text.startsWith(start) && !text.includes("&") && !text.includes("%") && !text.includes("+")
    ? text.slice(start.length)
    : undefined

/**
 * Reads a form's text, which is ASCII. Refused: a name that comes twice, an escape that is none, bytes that are no
 * UTF-8, more fields than `maxFormFields`.
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
 * A part of the form in plain text; undefined when it is badly escaped. A part without escapes, as a JWT, is itself.
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

const noBytes = Buffer.alloc(0)
const tooLarge: FormRefusal = { status: 413, detail: `At most ${maxFormSize} bytes.` }
const unreadable: FormRefusal = { status: 400, detail: "The form is badly encoded." }
