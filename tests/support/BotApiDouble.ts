import { HttpDouble, type Incoming } from "./HttpDouble.ts"

export interface DoubleMessage {
  readonly chatId: string
  readonly text: string
  readonly messageId: number
  /** Epoch milliseconds of acceptance. */
  readonly at: number
}

/**
 * - `500`, `html502`: the server or a proxy before it fails. `hang`, `hang-unaccepted`: never answers, the message accepted or not.
 * - `cut-before`, `cut-after`: closes the socket without an answer, before or after accepting the message.
 */
export type DoubleFailure = "500" | "html502" | "hang" | "hang-unaccepted" | "cut-before" | "cut-after"

export interface BotApiDoubleOptions {
  /** Default `123456:TEST-token`. */
  readonly token?: string
  /** Chats that exist; undefined: every integer and every @name. */
  readonly chats?: ReadonlyArray<string>
  /** Chats whose user blocked the bot. */
  readonly blocked?: ReadonlyArray<string>
  /** Groups that became supergroups: old id to new. */
  readonly migrated?: Readonly<Record<string, string>>
  /** Messages a second and chat; more are refused with 429. Default no limit. */
  readonly perSecond?: number
  /** Unit: seconds, said in a 429. Default 1. */
  readonly retryAfter?: number
  /** Failures by chat, where `failNext` has none; `before`: how many calls that chat had. */
  readonly failing?: (chatId: string, before: number) => DoubleFailure | undefined
  /** Unit: milliseconds between accepting a message and answering. Default 0. */
  readonly delay?: () => number
}

/** A bot API that refuses what the real one refuses. See README.md for what it was checked against. */
export class BotApiDouble {
  readonly messages: Array<DoubleMessage> = []
  /** Every request line's method of the API with the status it got; 0 for none. */
  readonly calls: Array<{ readonly method: string; readonly status: number; readonly at: number }> = []
  readonly token: string
  readonly #options: BotApiDoubleOptions
  readonly #http: HttpDouble
  readonly #recent = new Map<string, Array<number>>()
  readonly #asked = new Map<string, number>()
  #failures: Array<DoubleFailure> = []
  #nextId = 1

  constructor(options: BotApiDoubleOptions = {}) {
    this.#options = options
    this.token = options.token ?? "123456:TEST-token"
    this.#http = new HttpDouble((incoming) => this.#handle(incoming))
  }

  /** The base address to configure. */
  start(port = 0): Promise<string> {
    return this.#http.start(port)
  }

  stop(): Promise<void> {
    return this.#http.stop()
  }

  /** The next calls of sendMessage fail like this, one each. */
  failNext(...failures: ReadonlyArray<DoubleFailure>): void {
    this.#failures.push(...failures)
  }

  #handle({ body, request, response }: Incoming): void {
    const [, token, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? []
    const called = (status: number) => this.calls.push({ method, status, at: Date.now() })
    const answer = (status: number, value: object) => {
      called(status)
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value))
    }
    const refuse = (status: number, description: string, parameters?: object) =>
      answer(status, { ok: false, error_code: status, description, ...(parameters === undefined ? {} : { parameters }) })

    if (token === undefined || !/^\d+:[\w-]+$/.test(token)) return refuse(404, "Not Found")
    if (token !== this.token) return refuse(401, "Unauthorized")
    if (method === "getMe") return answer(200, { ok: true, result: { id: 123456, is_bot: true, first_name: "Double", username: "double_bot" } })
    if (method !== "sendMessage") return refuse(404, "Not Found: method not found")

    const { chat_id, text } = parsed(body)
    const chat = String(chat_id ?? "")
    const before = this.#asked.get(chat) ?? 0
    this.#asked.set(chat, before + 1)
    const failure = this.#failures.shift() ?? this.#options.failing?.(chat, before)
    if (failure === "500") return refuse(500, "Internal Server Error")
    if (failure === "html502") {
      called(502)
      return void response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad Gateway</html>")
    }
    if (failure === "cut-before") {
      called(0)
      return void request.socket.destroy()
    }
    if (failure === "hang-unaccepted") return void called(0)

    if (chat === "") return refuse(400, "Bad Request: chat_id is empty")
    if (typeof text !== "string" || text.trim() === "") return refuse(400, "Bad Request: message text is empty")
    if (text.length > 4_096) return refuse(400, "Bad Request: message is too long")
    const migrated = this.#options.migrated?.[chat]
    if (migrated !== undefined) {
      return refuse(400, "Bad Request: group chat was upgraded to a supergroup chat", { migrate_to_chat_id: Number(migrated) })
    }
    if (!(this.#options.chats?.includes(chat) ?? /^(?:-?\d+|@\w+)$/.test(chat))) return refuse(400, "Bad Request: chat not found")
    if (this.#options.blocked?.includes(chat)) return refuse(403, "Forbidden: bot was blocked by the user")
    const at = Date.now()
    const recent = (this.#recent.get(chat) ?? []).filter((time) => time > at - 1_000)
    if (recent.length >= (this.#options.perSecond ?? Infinity)) {
      const retryAfter = this.#options.retryAfter ?? 1
      return refuse(429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter })
    }
    this.#recent.set(chat, [...recent, at])
    const messageId = this.#nextId++
    this.messages.push({ chatId: chat, text, messageId, at })
    if (failure === "hang") return void called(0)
    if (failure === "cut-after") {
      called(0)
      return void request.socket.destroy()
    }
    const id = Number(chat)
    const accept = () => answer(200, { ok: true, result: { message_id: messageId, date: Math.floor(at / 1_000), chat: { id: Number.isNaN(id) ? -1 : id, type: "private" }, text } })
    const delay = this.#options.delay?.() ?? 0
    if (delay > 0) setTimeout(accept, delay)
    else accept()
  }
}

const parsed = (body: string): { readonly chat_id?: unknown; readonly text?: unknown } => {
  try {
    return JSON.parse(body) as object
  } catch {
    return {}
  }
}
