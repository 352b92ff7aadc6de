import type { ServerResponse } from "node:http"
import { HttpDouble, type Incoming } from "./HttpDouble.ts"

/** Languages into which the server translates from English, by the codes that LibreTranslate uses. */
const targets = ["de", "fr", "it", "es", "pl", "ru", "ja", "pb", "zh", "zt", "nb"]

/**
 * Ways in which a request can fail:
 * - `429`: asks the client to slow down
 * - `500`: cannot translate
 * - `html`: answers with an HTML page, as a proxy does
 * - `hang`: never answers
 * - `cut`: closes the connection without an answer
 * - `short`: answers with one translation too few
 */
export type TranslateFailure = "429" | "500" | "html" | "hang" | "cut" | "short"

export interface TranslateCall {
  readonly texts: ReadonlyArray<string>
  readonly target: string
}

export interface LibreTranslateOptions {
  /** Key that requests must carry, when set. */
  readonly apiKey?: string
  /** Maximum number of texts of a request. Default: 50. */
  readonly batchLimit?: number
  /** Maximum number of characters of a request. Default: 5,000. */
  readonly charLimit?: number
  /** Translation of one HTML fragment. Default: `translated`. */
  readonly translate?: (text: string, target: string) => string
  /** Failure of a request; undefined: it succeeds. */
  readonly failing?: (call: TranslateCall, number: number) => TranslateFailure | undefined
  /** Time before the answer. Unit: milliseconds. The first call of a real server is slow. */
  readonly delay?: (call: TranslateCall, number: number) => number
}

/**
 * Default translation: puts the language code before the text and leaves HTML elements unchanged, as a good server
 * does.
 */
export const translated = (text: string, target: string): string => `${target}:${text}`

/**
 * Double of a LibreTranslate server, made from its documented behaviour. Refuses what the real one refuses: bodies
 * without `q`, `source` or `target`, unknown languages, too many or too long texts, and wrong keys.
 */
export class LibreTranslateDouble {
  /** Accepted and failed translations, in order. */
  readonly calls: Array<TranslateCall> = []
  /** Requests that were refused, with the reason. */
  readonly refusals: Array<string> = []
  options: LibreTranslateOptions
  readonly #http = new HttpDouble((incoming) => this.#handle(incoming))

  constructor(options: LibreTranslateOptions = {}) {
    this.options = options
  }

  start(port = 0): Promise<string> {
    return this.#http.start(port)
  }

  stop(): Promise<void> {
    return this.#http.stop()
  }

  /** How often each text was asked for, by language and text. Texts that were refused or failed do not count. */
  get asked(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { target, texts } of this.calls)
      for (const text of texts) counts.set(`${target} ${text}`, (counts.get(`${target} ${text}`) ?? 0) + 1)
    return counts
  }

  #handle({ body, request, response }: Incoming): void {
    if (request.url === "/health" && request.method === "GET") return json(response, 200, { status: "ok" })
    if (request.url === "/languages" && request.method === "GET")
      return json(response, 200, [
        { code: "en", name: "English", targets: ["en", ...targets] },
        ...targets.map((code) => ({ code, name: code, targets: ["en"] }))
      ])
    if (request.url !== "/translate") return json(response, 404, { error: "Not Found" })
    if (request.method !== "POST") return json(response, 405, { error: "Method Not Allowed" })
    this.#translate(body, response)
  }

  #translate(body: string, response: ServerResponse): void {
    const refuse = (status: number, error: string) => {
      this.refusals.push(error)
      json(response, status, { error })
    }
    const given = fieldsOf(body)
    if (given === undefined) return refuse(400, "Invalid request: no JSON")
    const { api_key: key, format = "text", q, source, target } = given
    for (const name of ["q", "source", "target"])
      if (!given[name]) return refuse(400, `Invalid request: missing ${name} parameter`)
    const { apiKey, batchLimit = 50, charLimit = 5_000, translate = translated } = this.options
    if (apiKey !== undefined && key !== apiKey) return refuse(403, "Invalid API key")
    const batch = Array.isArray(q)
    const texts = batch ? q : [q]
    if (!texts.every((text) => typeof text === "string")) return refuse(400, "Invalid request: q is no text")
    if (batch && texts.length > batchLimit)
      return refuse(400, `Invalid request: request (${texts.length}) exceeds text limit (${batchLimit})`)
    const characters = texts.join("").length
    if (characters > charLimit)
      return refuse(400, `Invalid request: request (${characters}) exceeds text limit (${charLimit})`)
    if (source !== "en") return refuse(400, `${String(source)} is not supported`)
    if (typeof target !== "string" || !targets.includes(target))
      return refuse(400, `${String(target)} is not supported`)
    if (format !== "text" && format !== "html") return refuse(400, `${String(format)} format is not supported`)
    const call: TranslateCall = { texts, target }
    const number = this.calls.length + this.refusals.length
    const failure = this.options.failing?.(call, number)
    if (failure === "429") return refuse(429, "Slowdown: 1 per 1 minute")
    if (failure === "500") return refuse(500, "Cannot translate text: list index out of range")
    this.calls.push(call)
    const delay = this.options.delay?.(call, number) ?? 0
    const answer = () => {
      if (failure === "hang") return
      if (failure === "cut") return void response.destroy()
      if (failure === "html") return void response.writeHead(200, { "content-type": "text/html" }).end("<html></html>")
      const done = texts.map((text) => translate(text, target)).slice(0, failure === "short" ? -1 : undefined)
      json(response, 200, { translatedText: batch ? done : done[0] })
    }
    if (delay === 0) answer()
    else setTimeout(answer, delay)
  }
}

const json = (response: ServerResponse, status: number, value: unknown): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value))
}

const fieldsOf = (body: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
