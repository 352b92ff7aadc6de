/**
 * Sends one raw request. fetch cannot be used: it normalises paths (`../`), refuses some requests, and hides data
 * received before a reset. This file does not judge the answer.
 */
import { Agent, request as begin } from "node:http"
import type { Request, Who } from "./Case.ts"

/** Raw request. `path`: already percent-encoded, with query. */
export interface Wire {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Whether the body is sent chunked, without Content-Length. */
  readonly chunked?: boolean
}

export interface Reply {
  /** Status; 0: the connection ended without an answer, and `text` gives the reason. */
  readonly status: number
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body parsed as JSON; undefined when it is not JSON. */
  readonly json: any
}

/** Builds the request of a case from the operation's method and path template. */
export const wireOf = (method: string, template: string, request: Request, who: Who | undefined): Wire => {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = request.path?.[name]
    if (value === undefined) throw new Error(`${method} ${template}: the case gives no path.${name}`)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams(
    Object.entries(request.query ?? {}).map(([name, value]) => [name, String(value)] as [string, string])
  ).toString()
  const body =
    request.form !== undefined
      ? { type: "application/x-www-form-urlencoded", text: new URLSearchParams(request.form).toString() }
      : request.body !== undefined
        ? {
            type: "application/json",
            text:
              typeof request.body === "string" && request.headers?.["content-type"] !== undefined
                ? request.body
                : JSON.stringify(request.body)
          }
        : undefined
  return {
    method,
    path: query === "" ? path : `${path}?${query}`,
    headers: { ...(body === undefined ? {} : { "content-type": body.type }), ...who?.headers, ...request.headers },
    ...(body === undefined ? {} : { body: body.text })
  }
}

const kept = new Agent({ keepAlive: true, maxSockets: 4 })

/** Sends the request and reads the complete answer. */
export const send = (base: string, wire: Wire): Promise<Reply> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(base)
    const body = wire.body ?? ""
    // The server closes the connection of a request that it refuses before reading the body.
    const alone = body.length > 500_000
    const length = wire.chunked
      ? { "transfer-encoding": "chunked" }
      : body === "" && wire.method === "GET"
        ? {}
        : { "content-length": String(Buffer.byteLength(body)) }
    const failed = (error: NodeJS.ErrnoException) =>
      // The server may close a kept-alive connection at the same moment; the request is then sent again on a new one.
      !alone && sent.reusedSocket && error.code === "ECONNRESET"
        ? resolve(send(base, { ...wire, headers: { ...wire.headers, connection: "close" } }))
        : resolve({ status: 0, headers: {}, text: `no answer: ${error.code ?? error.message}`, json: undefined })
    const sent = begin(
      {
        hostname,
        port,
        method: wire.method,
        path: wire.path,
        headers: { ...wire.headers, ...length },
        agent: alone ? false : kept
      },
      (response) => {
        const parts: Array<Buffer> = []
        const end = () => {
          const text = Buffer.concat(parts).toString("utf8")
          const headers = Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)])
          )
          resolve({ status: response.statusCode ?? 0, headers, text, json: parsed(text) })
        }
        response.on("data", (part: Buffer) => parts.push(part))
        response.once("end", end)
        response.once("error", end)
      }
    )
    sent.on("error", failed)
    if (wire.chunked) for (let at = 0; at < body.length; at += 65_536) sent.write(body.slice(at, at + 65_536))
    sent.end(wire.chunked ? undefined : body)
  })

/** Status and start of the body, for findings. */
export const brief = ({ status, text }: Reply): string =>
  `${status} ${text.length > 300 ? `${text.slice(0, 300)}…` : text}`

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
