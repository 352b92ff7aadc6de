/** Raw HTTP requests that no client library would send: repeated headers, absolute targets, missing bodies. */
import { Effect } from "effect"
import { connect, type Socket } from "node:net"
import type { Seen } from "./Backend.ts"

export interface Reply {
  readonly status: number
  /** Of a repeated header, the last value. */
  readonly headers: Readonly<Record<string, string>>
  /** Request that the backend received; undefined when none reached it. */
  readonly seen: Seen | undefined
  readonly text: string
}

/**
 * Longest wait for an answer. Unit: milliseconds. Reason: the timeouts of the proxies towards the edge, on a loaded
 * machine.
 */
const patience = 30_000

const parsed = (bytes: string): Reply => {
  const end = bytes.indexOf("\r\n\r\n")
  const [line = "", ...lines] = bytes.slice(0, end === -1 ? undefined : end).split("\r\n")
  const headers = Object.fromEntries(
    lines.map((one) => [one.slice(0, one.indexOf(":")).toLowerCase(), one.slice(one.indexOf(":") + 1).trim()])
  )
  const text = end === -1 ? "" : bytes.slice(end + 4)
  const json = /\{"method".*\}/s.exec(text)?.[0]
  return {
    status: Number(line.split(" ")[1] ?? 0),
    headers,
    text,
    seen: json === undefined ? undefined : JSON.parse(json)
  }
}

/**
 * Sends `bytes` and reads until the server ends the connection or sends the text `until`. `from`: local loopback
 * address. `more` writes further bytes.
 */
export const send = (
  port: number,
  bytes: string,
  {
    from = "127.0.0.1",
    more,
    until
  }: { readonly from?: string; readonly more?: (socket: Socket) => void; readonly until?: string } = {}
): Effect.Effect<Reply> =>
  Effect.promise(
    () =>
      new Promise<Reply>((resolve, reject) => {
        let answer = ""
        const socket = connect({ port, host: "127.0.0.1", localAddress: from }, () => {
          socket.write(bytes, "latin1")
          more?.(socket)
        })
        const done = () => {
          socket.destroy()
          resolve(parsed(answer))
        }
        socket.setTimeout(patience, () =>
          socket.destroy(new Error(`no answer within ${patience} ms to ${bytes.slice(0, 200)}`))
        )
        socket.on("data", (chunk: Buffer) => {
          answer += chunk.toString("latin1")
          if (until !== undefined && answer.includes(until)) done()
        })
        socket.on("end", done)
        // Proxies may reset the connection after refusing a body. A complete answer before that counts.
        socket.on("error", (error) => (answer.includes("\r\n\r\n") ? done() : reject(error)))
      })
  )

export interface Ask {
  readonly method?: string
  readonly version?: "1.0" | "1.1"
  /** Header lines, sent unchanged. */
  readonly headers?: ReadonlyArray<string>
  readonly body?: string
  readonly from?: string
}

/** Sends one request with `Connection: close`. `host` undefined: no Host header. */
export const ask = (
  port: number,
  host: string | undefined,
  target: string,
  { body, from, headers = [], method = "GET", version = "1.1" }: Ask = {}
): Effect.Effect<Reply> => {
  const lines = [
    `${method} ${target} HTTP/${version}`,
    ...(host === undefined ? [] : [`Host: ${host}`]),
    ...headers,
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...(headers.some((line) => /^connection:/i.test(line)) ? [] : ["Connection: close"])
  ]
  return send(port, `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`, from === undefined ? {} : { from })
}
