import { HttpDouble, type Incoming } from "./HttpDouble.ts"

export interface DoubleMessage {
  readonly chatId: string
  /** Text of the message, or caption of the file. */
  readonly text: string
  readonly file?: DoubleFile
  readonly messageId: number
  /** Time of acceptance. Unit: epoch milliseconds. */
  readonly at: number
}

/** `shownAs`: how the receiver sees the file. `duration`: in seconds, as stated by the sender. */
export interface DoubleFile {
  readonly name: string
  readonly shownAs: "voice" | "document"
  readonly duration: number
  readonly bytes: Uint8Array
}

/**
 * - `500`, `html502`: the server, or a proxy before it, fails.
 * - `hang`, `hang-unaccepted`: no answer; the message is accepted, or is not.
 * - `cut-before`, `cut-after`: the socket closes without an answer, before or after the message is accepted.
 */
export type DoubleFailure = "500" | "html502" | "hang" | "hang-unaccepted" | "cut-before" | "cut-after"

export interface BotApiDoubleOptions {
  /** Default `123456:TEST-token`. */
  readonly token?: string
  /** Existing chats; undefined: every integer and every @name exists. */
  readonly chats?: ReadonlyArray<string>
  /** Chats whose user blocked the bot. */
  readonly blocked?: ReadonlyArray<string>
  /** Chats that refuse voice messages, each with the API's wording of the refusal. */
  readonly voiceForbidden?: Readonly<Record<string, VoiceRefusal>>
  /** Largest request; larger ones get 413. Unit: bytes. Default 50 MiB. */
  readonly maxBytes?: number
  /** Groups that became supergroups: old id to new id. */
  readonly migrated?: Readonly<Record<string, string>>
  /** Messages per second and chat; further ones get 429. Default: no limit. */
  readonly perSecond?: number
  /** Messages per second over all chats; further ones get 429. Default: no limit. */
  readonly perSecondInAll?: number
  /** Value of `retry_after` in a 429. Unit: seconds. Default 1. */
  readonly retryAfter?: number
  /** Failure of a call, by chat, unless `failNext` has one. `before`: number of earlier calls for that chat. */
  readonly failing?: (chatId: string, before: number) => DoubleFailure | undefined
  /** Time between accepting a message and answering. Unit: milliseconds. Default 0. */
  readonly delay?: () => number
}

export type VoiceRefusal = keyof typeof voiceRefusals

/** `name`: the API server's error name. `user`: privacy settings of a user. `group`: rights of a group. */
const voiceRefusals = {
  name: "Bad Request: VOICE_MESSAGES_FORBIDDEN",
  user: "Bad Request: user restricted receiving of voice note messages",
  group: "Bad Request: not enough rights to send voice notes to the chat"
}

/**
 * Double of the bot API that refuses the same requests as the real API. README.md lists what it was checked against.
 */
export class BotApiDouble {
  readonly messages: Array<DoubleMessage> = []
  /** API method of every call and its status; 0 for none. */
  readonly calls: Array<{ readonly method: string; readonly status: number; readonly at: number }> = []
  readonly token: string
  readonly #options: BotApiDoubleOptions
  readonly #http: HttpDouble
  readonly #recent = new Map<string, Array<number>>()
  readonly #asked = new Map<string, number>()
  #failures: Array<DoubleFailure> = []
  #recentInAll: Array<number> = []
  #nextId = 1

  constructor(options: BotApiDoubleOptions = {}) {
    this.#options = options
    this.token = options.token ?? "123456:TEST-token"
    this.#http = new HttpDouble((incoming) => void this.#handle(incoming))
  }

  /** Starts listening. Resolves to the base address. */
  start(port = 0): Promise<string> {
    return this.#http.start(port)
  }

  stop(): Promise<void> {
    return this.#http.stop()
  }

  /** The next sending calls fail like this, one failure each. */
  failNext(...failures: ReadonlyArray<DoubleFailure>): void {
    this.#failures.push(...failures)
  }

  async #handle(incoming: Incoming): Promise<void> {
    const { bytes, request, response } = incoming
    const [, token, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? []
    const called = (status: number) => this.calls.push({ method, status, at: Date.now() })
    const answer = (status: number, value: object) => {
      called(status)
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value))
    }
    const refuse = (status: number, description: string, parameters?: object) =>
      answer(status, {
        ok: false,
        error_code: status,
        description,
        ...(parameters === undefined ? {} : { parameters })
      })

    if (token === undefined || !/^\d+:[\w-]+$/.test(token)) return refuse(404, "Not Found")
    if (token !== this.token) return refuse(401, "Unauthorized")
    if (method === "getMe")
      return answer(200, {
        ok: true,
        result: { id: 123456, is_bot: true, first_name: "Double", username: "double_bot" }
      })
    if (method !== "sendMessage" && method !== "sendVoice") return refuse(404, "Not Found: method not found")
    if (bytes.length > (this.#options.maxBytes ?? 50 * 1024 * 1024)) return refuse(413, "Request Entity Too Large")

    const { caption = "", chat_id, duration, text, voice } = await parsed(incoming)
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
    if (method === "sendMessage") {
      if (typeof text !== "string" || text.trim() === "") return refuse(400, "Bad Request: message text is empty")
      if (text.length > 4_096) return refuse(400, "Bad Request: message is too long")
    } else {
      // The API reads a text value as a file id or an address to fetch. The double knows neither.
      if (typeof voice === "string") return refuse(400, "Bad Request: wrong file identifier/HTTP URL specified")
      if (!(voice instanceof File)) return refuse(400, "Bad Request: there is no voice in the request")
      if (voice.size === 0) return refuse(400, "Bad Request: file must be non-empty")
      if (String(caption).length > 1_024) return refuse(400, "Bad Request: message caption is too long")
    }
    const migrated = this.#options.migrated?.[chat]
    if (migrated !== undefined) {
      return refuse(400, "Bad Request: group chat was upgraded to a supergroup chat", {
        migrate_to_chat_id: Number(migrated)
      })
    }
    if (!(this.#options.chats?.includes(chat) ?? /^(?:-?\d+|@\w+)$/.test(chat)))
      return refuse(400, "Bad Request: chat not found")
    if (this.#options.blocked?.includes(chat)) return refuse(403, "Forbidden: bot was blocked by the user")
    const voiceForbidden = method === "sendVoice" ? this.#options.voiceForbidden?.[chat] : undefined
    if (voiceForbidden !== undefined) return refuse(400, voiceRefusals[voiceForbidden])
    const at = Date.now()
    this.#recentInAll = this.#recentInAll.filter((time) => time > at - 1_000)
    const recent = (this.#recent.get(chat) ?? []).filter((time) => time > at - 1_000)
    if (
      recent.length >= (this.#options.perSecond ?? Infinity) ||
      this.#recentInAll.length >= (this.#options.perSecondInAll ?? Infinity)
    ) {
      const retryAfter = this.#options.retryAfter ?? 1
      return refuse(429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter })
    }
    this.#recent.set(chat, [...recent, at])
    this.#recentInAll.push(at)
    const messageId = this.#nextId++
    const file = voice instanceof File ? await fileOf(voice, Number(duration ?? 0)) : undefined
    this.messages.push({
      chatId: chat,
      text: String(file === undefined ? text : caption),
      ...(file === undefined ? {} : { file }),
      messageId,
      at
    })
    if (failure === "hang") return void called(0)
    if (failure === "cut-after") {
      called(0)
      return void request.socket.destroy()
    }
    const id = Number(chat)
    const content =
      file === undefined
        ? { text }
        : { caption, [file.shownAs]: { file_id: "F", file_size: file.bytes.length, duration: file.duration } }
    const accept = () =>
      answer(200, {
        ok: true,
        result: {
          message_id: messageId,
          date: Math.floor(at / 1_000),
          chat: { id: Number.isNaN(id) ? -1 : id, type: "private" },
          ...content
        }
      })
    const delay = this.#options.delay?.() ?? 0
    if (delay > 0) setTimeout(accept, delay)
    else accept()
  }
}

type Parameters = Readonly<Partial<Record<"caption" | "chat_id" | "duration" | "text" | "voice", unknown>>>

/** Parameters of a JSON or form body, chosen by the content type; none when the body cannot be parsed. */
const parsed = async ({ body, bytes, request }: Incoming): Promise<Parameters> => {
  const type = request.headers["content-type"] ?? ""
  try {
    if (!type.startsWith("multipart/form-data")) return JSON.parse(body) as object
    const form = await new Response(Uint8Array.from(bytes), { headers: { "content-type": type } }).formData()
    // Forms end lines with CR LF; the API removes every CR from a text.
    return Object.fromEntries(
      [...form].map(([name, value]) => [name, typeof value === "string" ? value.replaceAll("\r", "") : value])
    )
  } catch {
    return {}
  }
}

/** OGG with Opus, MP3 and M4A appear as voice messages, all other files as documents. */
const fileOf = async (voice: File, duration: number): Promise<DoubleFile> => {
  const bytes = new Uint8Array(await voice.arrayBuffer())
  const head = Buffer.from(bytes.subarray(0, 64)).toString("latin1")
  const playable =
    /^OggS[^]{24,}OpusHead/.test(head) || /^(?:ID3|\xFF[\xE2-\xFF])/.test(head) || /^[^]{4}ftypM4A/.test(head)
  return { name: voice.name, shownAs: playable ? "voice" : "document", duration, bytes }
}
