/**
 * One POST and its answer, and what becomes of it when there is none. The URL holds the token: of what the HTTP client
 * throws only a code is kept, because its texts may quote the URL. Redirects would carry the token away: not followed.
 */
import { Agent, fetch, type FormData } from "undici"
import type { BotApiReason } from "./BotApiError.ts"

/** Unit: bytes. Reason: answers used here are below 4 KiB. */
export const maxAnswerBytes = 64 * 1024

/**
 * Unit: milliseconds, for name, TCP and TLS together. Reason: below any time-out of a call, so that a server that
 * cannot be reached is told apart from one that read the request and said nothing: only the first may be repeated
 * unmarked.
 */
export const connectTimeout = 4_000

/** A pool of connections to one API. Idle ones hold no process up. */
export const makeAgent = (timeout: number = connectTimeout): Agent => new Agent({ connect: { timeout } })

/** JSON text, or a form with a file. */
export type Payload = string | FormData

/** Fails with what `exchangeReason` reads. */
export const exchange = async (agent: Agent, url: string, payload: Payload, signal: AbortSignal) => {
  const response = await fetch(url, {
    method: "POST",
    // A form brings its own, with the boundary in it.
    ...(typeof payload === "string" ? { headers: { "content-type": "application/json" } } : {}),
    body: payload,
    redirect: "manual",
    dispatcher: agent,
    signal
  })
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    // Leaving the loop cancels the stream, which closes the socket.
    if (size > maxAnswerBytes) throw new Oversize(response.status)
    chunks.push(chunk)
  }
  return { status: response.status, body: Buffer.concat(chunks).toString("utf8") }
}

class Oversize {
  readonly status: number
  constructor(status: number) {
    this.status = status
  }
}

export const exchangeReason = (error: unknown): BotApiReason => {
  if (error instanceof Oversize) return { _tag: "InvalidResponse", status: error.status, why: "too long" }
  const cause = error instanceof Error ? error.cause : undefined
  // Without a cause it is the request that could not be made of this address (credentials in it, for one).
  if (cause === undefined) return { _tag: "Unreachable", code: "unusable base address" }
  // Fetch dials no port that belongs to another protocol (WHATWG Fetch, "port blocking").
  if (cause instanceof Error && cause.message === "bad port") return { _tag: "Unreachable", code: "unusable port" }
  const code =
    typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
      ? cause.code
      : "unknown"
  return unsent.test(code) ? { _tag: "Unreachable", code } : { _tag: "ConnectionLost", code }
}

/** Codes that can only come before a connection stands. ETIMEDOUT and EHOSTUNREACH can also break a standing one. */
const unsent = new RegExp(
  "^(?:ECONNREFUSED|ENOTFOUND|EAI_\\w+|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_INVALID_URL|ERR_TLS_CERT_\\w+|" +
    "CERT_\\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\\w+|ERR_SSL_\\w+)$"
)
