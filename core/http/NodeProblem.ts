/**
 * Writes problem details directly to Node's response, for errors before or outside the router.
 */
import { type ServerResponse, STATUS_CODES } from "node:http"
import { body, contentType, type FieldProblem, InvalidRequest, type Refusal } from "./Problem.ts"
import { languageHeaders, problemIn } from "./ProblemLanguage.ts"
import { languageOfRequest } from "../words/RequestLanguage.ts"

/**
 * Time for a client to read an answer that was sent before the end of its body. Unit: milliseconds. Reason: closing at
 * once resets the connection and can lose the answer; not closing lets the client send on.
 */
export const lingerTime = 500

/** Sends a problem and ends the response. */
export const sendProblem = (
  response: ServerResponse,
  refusal: Refusal,
  detail?: string,
  headers: Readonly<Record<string, string>> = {}
): void => {
  send(response, body(refusal, detail), headers)
}

/** Sends 422 with each bad field. */
export const sendInvalid = (response: ServerResponse, errors: ReadonlyArray<FieldProblem>): void =>
  send(response, { ...new InvalidRequest({ errors }), type: "urn:signalbox:problem:invalid_request", status: 422 }, {})

/** Sends a problem that an endpoint declares as its own. */
export const sendOwn = (response: ServerResponse, problem: { readonly status: number; readonly type: string }): void =>
  send(response, { ...problem }, {})

const send = (
  response: ServerResponse,
  problem: { readonly status: number; readonly type: string },
  headers: Readonly<Record<string, string>>
): void => {
  const language = languageOfRequest(response.req.headers)
  const text = JSON.stringify(problemIn(language, problem))
  response.writeHead(problem.status, {
    ...headers,
    ...languageHeaders(language),
    "content-type": contentType,
    "content-length": Buffer.byteLength(text)
  })
  response.once("finish", () => {
    const request = response.req
    if (request.complete || request.destroyed) return
    const timer = setTimeout(() => request.socket.destroy(), lingerTime)
    request.once("close", () => clearTimeout(timer))
    request.once("end", () => clearTimeout(timer))
  })
  response.end(text)
}

/** A problem as raw bytes, for a socket without response object. */
export const rawProblem = (
  refusal: Refusal,
  detail?: string,
  headers: Readonly<Record<string, string>> = {}
): string => {
  const problem = body(refusal, detail)
  const text = JSON.stringify(problem)
  const lines = Object.entries({
    ...headers,
    "content-type": contentType,
    "content-length": String(Buffer.byteLength(text)),
    connection: "close"
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join("")}\r\n${text}`
}
