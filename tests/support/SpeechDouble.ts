import type { IncomingMessage, ServerResponse } from "node:http"
import type { Provider } from "#core/speech/Audio.ts"
import { writeWav } from "#core/speech/WavFile.ts"
import { HttpDouble, type Incoming } from "./HttpDouble.ts"

/**
 * - `500`: answers 500. `html`: answers 200 with a proxy's page. `mislabelled`: that page with an audio content type.
 *   `redirect`: redirects to itself.
 * - `truncated`: a WAV file that ends early. `cut`: the connection ends within the body. `silent`: a WAV file without
 *   samples.
 * - `huge`: declares 10 GB. `endless`: sends without end. `trickle`: sends single bytes with pauses. `hang`: never
 *   answers.
 */
export type SpeechFailure =
  | "500"
  | "html"
  | "mislabelled"
  | "redirect"
  | "truncated"
  | "cut"
  | "silent"
  | "huge"
  | "endless"
  | "trickle"
  | "hang"

export interface SpeechDoubleOptions {
  /** Bearer token that requests must carry, when set. */
  readonly token?: string
  /** Offered providers. Default: all three. */
  readonly offered?: ReadonlyArray<Provider>
  /** Audio by format. Default: a generated tone, in WAV only. */
  readonly audio?: (format: string, text: string) => { readonly type: string; readonly bytes: Buffer } | undefined
  /** Failure of a request; undefined: it succeeds. */
  readonly failing?: (request: SpeechCall) => SpeechFailure | undefined
  /** Time before the answer. Unit: milliseconds. */
  readonly delay?: (request: SpeechCall) => number
}

export interface SpeechCall {
  readonly text: string
  readonly provider: string
  readonly voice: string | undefined
  readonly format: string
}

/** Longest accepted text. Unit: characters. Reason: real gateways have such a limit, and ours sends less. */
const maxText = 5_000

/** Double of a speech gateway that refuses invalid requests. core/speech/README.md states the contract. */
export class SpeechDouble {
  /** Accepted and failed requests, in order. */
  readonly calls: Array<SpeechCall> = []
  /** Status of every answer; 0 for none. */
  readonly statuses: Array<number> = []
  /** Bytes sent in `endless` answers. */
  poured = 0
  options: SpeechDoubleOptions
  readonly #http = new HttpDouble((incoming) => this.#handle(incoming))

  constructor(options: SpeechDoubleOptions = {}) {
    this.options = options
  }

  start(port = 0): Promise<string> {
    return this.#http.start(port)
  }

  stop(): Promise<void> {
    return this.#http.stop()
  }

  #handle({ body, request, response }: Incoming): void {
    const refuse = (status: number) => this.#json(response, status)
    if (request.url !== "/synthesize") return refuse(404)
    if (request.method !== "POST") return refuse(405)
    if (this.options.token !== undefined && request.headers.authorization !== `Bearer ${this.options.token}`)
      return refuse(401)
    if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) return refuse(415)
    const call = readCall(body)
    if (call === undefined || call.text.trim() === "") return refuse(422)
    if (call.text.length > maxText) return refuse(413)
    if (!["wav", "ogg", "mp3"].includes(call.format)) return refuse(422)
    if (!(this.options.offered ?? ["local_fast", "local_gpu", "cloud"]).includes(call.provider as Provider))
      return refuse(422)
    this.calls.push(call)
    const failure = this.options.failing?.(call)
    setTimeout(
      () => (failure === undefined ? this.#speak(call, response) : this.#fail(failure, request, response)),
      this.options.delay?.(call) ?? 0
    )
  }

  #json(response: ServerResponse, status: number): void {
    this.statuses.push(status)
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error: status }))
  }

  #speak({ format, text }: SpeechCall, response: ServerResponse): void {
    const audio =
      this.options.audio?.(format, text) ?? (format === "wav" ? { type: "audio/wav", bytes: tone(500) } : undefined)
    if (audio === undefined) return this.#json(response, 422)
    this.statuses.push(200)
    response.writeHead(200, { "content-type": audio.type, "content-length": audio.bytes.length }).end(audio.bytes)
  }

  #fail(failure: SpeechFailure, request: IncomingMessage, response: ServerResponse): void {
    if (failure === "500") return this.#json(response, 500)
    if (failure === "hang") return void this.statuses.push(0)
    if (failure === "redirect") {
      this.statuses.push(302)
      return void response.writeHead(302, { location: "/synthesize" }).end()
    }
    const type = failure === "html" ? "text/html" : "audio/wav"
    const wave = tone(500)
    this.statuses.push(200)
    if (failure === "html" || failure === "mislabelled")
      return void response.writeHead(200, { "content-type": type }).end("<html><body>Bad gateway</body></html>")
    if (failure === "truncated")
      return void response.writeHead(200, { "content-type": type }).end(wave.subarray(0, wave.length / 2))
    if (failure === "silent")
      return void response.writeHead(200, { "content-type": type }).end(writeWav(Buffer.alloc(0), 16_000))
    if (failure === "cut") {
      response
        .writeHead(200, { "content-type": type, "content-length": wave.length })
        .write(wave.subarray(0, 1_000), () => request.socket.destroy())
      return
    }
    response.writeHead(200, {
      "content-type": type,
      ...(failure === "huge" ? { "content-length": 10_000_000_000 } : {})
    })
    const chunk = failure === "trickle" ? Buffer.from([0]) : Buffer.alloc(256 * 1024)
    const pour = () => {
      if (response.destroyed) return
      this.poured += chunk.length
      response.write(chunk, () => setTimeout(pour, failure === "trickle" ? 20 : 0))
    }
    response.write(wave.subarray(0, 44), pour)
  }
}

const readCall = (body: string): SpeechCall | undefined => {
  try {
    const { format, provider, text, voice } = JSON.parse(body) as Record<string, unknown>
    if (typeof text !== "string" || typeof provider !== "string" || typeof format !== "string") return undefined
    if (voice !== undefined && typeof voice !== "string") return undefined
    return { text, provider, voice, format }
  } catch {
    return undefined
  }
}

/** A 440 Hz tone, WAV, mono s16le. */
export const tone = (milliseconds: number, sampleRate = 16_000): Buffer => {
  const samples = Buffer.alloc(Math.round((milliseconds * sampleRate) / 1000) * 2)
  for (let at = 0; at < samples.length; at += 2)
    samples.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 440 * at) / 2 / sampleRate)), at)
  return writeWav(samples, sampleRate)
}
