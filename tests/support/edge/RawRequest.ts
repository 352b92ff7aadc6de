/**
 * Requests as bytes, as no client library would write them: doubled headers, absolute targets, bodies that do not come.
 */
import { Effect } from "effect"
import { connect, type Socket } from "node:net"
import type { Seen } from "./Backend.ts"

export interface Reply {
  readonly status: number
  /** Of one sent several times, the last. */
  readonly headers: Readonly<Record<string, string>>
  /** What the backend saw; undefined where it was not reached. */
  readonly seen: Seen | undefined
  readonly text: string
}

/**
 * How long an answer may take. Unit: milliseconds. Reason: the proxies' own patience with the edge, on a loaded
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
 * Sends `bytes` and reads until the other side ends or, with `until`, says that. `from`: address of loopback that it
 * comes from. `more` writes what comes after.
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
        // Proxies cut the line once they have refused a body; what they said before counts.
        socket.on("error", (error) => (answer.includes("\r\n\r\n") ? done() : reject(error)))
      })
  )

export interface Ask {
  readonly method?: string
  readonly version?: "1.0" | "1.1"
  /** As they are written, one a line. */
  readonly headers?: ReadonlyArray<string>
  readonly body?: string
  readonly from?: string
}

/** One request, and the end of the connection. `host` undefined: without the header. */
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
