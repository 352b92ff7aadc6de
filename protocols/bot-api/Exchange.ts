/**
 * One POST request, its answer, and the reason when there is no answer. The URL holds the token, and error texts of the
 * HTTP client may quote the URL; so only an error code is kept. Redirects are not followed because they would send the
 * token to another server.
 *
 * undici is loaded with the first pool: it takes some megabytes, and most processes have no bot.
 */
import type * as Undici from "./Undici.ts"
import type { BotApiReason } from "./BotApiError.ts"

/** Largest answer. Unit: bytes. Reason: the answers used here are below 4 KiB. */
export const maxAnswerBytes = 64 * 1024

/**
 * Limit for name resolution, TCP and TLS together. Unit: milliseconds. Reason: it is shorter than the timeout of any
 * call. This separates an unreachable server from a server that read the request and did not answer. A call can be
 * repeated without the risk of a duplicate only in the first case.
 */
export const connectTimeout = 4_000

/** Connection pool for one API, with the client that it belongs to. */
export interface Pool {
  readonly undici: typeof Undici
  readonly agent: Undici.Agent
}

/** The HTTP client could not be loaded, for example because an update has replaced the files of this process. */
export class ClientNotLoaded extends Error {}

/**
 * The pool of one API. Loads the HTTP client at once, so that the first message does not wait for it. A failure is not
 * kept: the next call loads again, and rejects with `ClientNotLoaded`. Idle connections do not keep the process alive.
 */
export const latePool = (
  timeout: number = connectTimeout,
  load: () => Promise<typeof Undici> = () => import("./Undici.ts")
): (() => Promise<Pool>) => {
  let kept: Promise<Pool> | undefined
  const pool = () =>
    (kept ??= load().then(
      (undici) => ({ undici, agent: new undici.Agent({ connect: { timeout } }) }),
      () => {
        kept = undefined
        throw new ClientNotLoaded()
      }
    ))
  // Nobody waits yet, and a rejection without a handler ends the process. The first call tells of the failure.
  pool().catch(() => undefined)
  return pool
}

/** Request body: JSON text, or a function that fills a form with a file. */
export type Payload = string | ((form: Undici.FormData) => void)

/** Sends the request. It throws; `exchangeReason` turns the thrown value into a reason. */
export const exchange = async ({ agent, undici }: Pool, url: string, payload: Payload, signal: AbortSignal) => {
  const body = typeof payload === "string" ? payload : new undici.FormData()
  if (typeof payload !== "string") payload(body as Undici.FormData)
  const response = await undici.fetch(url, {
    method: "POST",
    // For a form, `fetch` sets the content type itself, including the boundary.
    ...(typeof payload === "string" ? { headers: { "content-type": "application/json" } } : {}),
    body,
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
  if (error instanceof ClientNotLoaded) return { _tag: "Unreachable", code: "HTTP client not loaded" }
  if (error instanceof Oversize) return { _tag: "InvalidResponse", status: error.status, why: "too long" }
  const cause = error instanceof Error ? error.cause : undefined
  // Without a cause, the request could not be built for this address, for example because it contains credentials.
  if (cause === undefined) return { _tag: "Unreachable", code: "unusable base address" }
  // fetch refuses ports of other protocols (WHATWG Fetch, "port blocking").
  if (cause instanceof Error && cause.message === "bad port") return { _tag: "Unreachable", code: "unusable port" }
  const code =
    typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
      ? cause.code
      : "unknown"
  return unsent.test(code) ? { _tag: "Unreachable", code } : { _tag: "ConnectionLost", code }
}

/**
 * Error codes that only occur before a connection is open. ETIMEDOUT and EHOSTUNREACH can also break an open
 * connection.
 */
const unsent = new RegExp(
  "^(?:ECONNREFUSED|ENOTFOUND|EAI_\\w+|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_INVALID_URL|ERR_TLS_CERT_\\w+|" +
    "CERT_\\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\\w+|ERR_SSL_\\w+)$"
)
