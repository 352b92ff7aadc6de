// A raw SMTP and LMTP client for tests: sends exactly the given bytes and reads replies. It applies no rules (no
// dot-stuffing, no added line ends unless asked), so that tests can violate the protocol. Source: RFC 5321 §4.2, RFC
// 2033.

import { connect as connectTcp, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { Data, Effect, type Scope } from "effect"

/** One complete reply, of one or several lines. */
export interface Reply {
  readonly code: number
  /** Texts after the reply code, one per line of the reply. */
  readonly lines: ReadonlyArray<string>
}

/**
 * `Closed`: the server closed the connection. `Timeout`: no reply in time. `Refused`: no connection. `NotAReply`: text
 * that is not an SMTP reply.
 */
export class RawSmtpError extends Data.TaggedError("RawSmtpError")<{
  readonly reason: "Closed" | "Timeout" | "Refused" | "NotAReply"
  readonly message: string
}> {}

export interface RawSmtpOptions {
  readonly port: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Implicit TLS, without a check of the certificate. */
  readonly tls?: boolean
  /** Longest wait for one reply. Unit: milliseconds. Default 10,000. */
  readonly replyTimeout?: number
}

/** One SMTP session. The end of the scope closes it. */
export interface RawSmtp {
  /** Writes one line (CRLF is added) and reads the reply. */
  readonly say: (line: string) => Effect.Effect<Reply, RawSmtpError>
  /** Writes the bytes unchanged and reads no reply. */
  readonly write: (bytes: string | Uint8Array) => Effect.Effect<void, RawSmtpError>
  /**
   * Writes pieces of `size` bytes with `pause` milliseconds between them. Fails with `Closed` when the server closes.
   */
  readonly writeSlowly: (
    bytes: string | Uint8Array,
    pace: { readonly size: number; readonly pause: number }
  ) => Effect.Effect<void, RawSmtpError>
  /** Reads the next reply. */
  readonly reply: Effect.Effect<Reply, RawSmtpError>
  /**
   * Sends DATA, the dot-stuffed message with CRLF line ends, and the final dot. Returns the reply to the dot, or the
   * refusal of DATA.
   */
  readonly data: (message: string) => Effect.Effect<Reply, RawSmtpError>
  /** Sends STARTTLS and does the handshake, without a check of the certificate. */
  readonly startTls: Effect.Effect<Reply, RawSmtpError>
  /** Cuts the connection with RST, like a crash. */
  readonly reset: Effect.Effect<void>
  /** Waits until the server closes the connection; fails with `Timeout` after `replyTimeout`. */
  readonly closed: Effect.Effect<void, RawSmtpError>
}

/** Default of `replyTimeout`. Unit: milliseconds. */
const defaultReplyTimeout = 10_000

/** Connects. Does not read the greeting; `reply` reads it. */
export const connect = (options: RawSmtpOptions): Effect.Effect<RawSmtp, RawSmtpError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(Effect.tryPromise({ try: () => open(options), catch: asError }), (line) =>
      Effect.sync(() => line.raw.destroy())
    ),
    (line) => conversation(line, options.replyTimeout ?? defaultReplyTimeout)
  )

/** The message as sent after DATA: CRLF line ends, leading dots doubled, final dot. Source: RFC 5321 §4.5.2. */
export const dotStuffed = (message: string): string => {
  const lines = message.replace(/\r?\n/g, "\r\n").replace(/\r\n$/, "").replace(/^\./gm, "..")
  return `${lines}\r\n.\r\n`
}

/** The current connection. */
interface Line {
  /** The TCP connection. */
  readonly raw: Socket
  /** The socket for commands and replies: the TCP connection, or TLS over it. */
  socket: Socket
  unread: string
  ended: boolean
  wake: () => void
}

const asError = (error: unknown): RawSmtpError =>
  error instanceof RawSmtpError
    ? error
    : new RawSmtpError({ reason: "Closed", message: error instanceof Error ? error.message : String(error) })

const open = async (options: RawSmtpOptions): Promise<Line> => {
  const raw = connectTcp({ port: options.port, host: options.host ?? "127.0.0.1" })
  await new Promise<void>((resolve, reject) => {
    raw.once("error", (error) => reject(new RawSmtpError({ reason: "Refused", message: error.message })))
    raw.once("connect", () => resolve())
  })
  const line: Line = { raw, socket: raw, unread: "", ended: false, wake: () => {} }
  if (options.tls === true) await secure(line)
  else listen(line)
  return line
}

const secure = (line: Line): Promise<void> =>
  new Promise((resolve, reject) => {
    line.raw.removeAllListeners("data")
    const socket = connectTls({ socket: line.raw, rejectUnauthorized: false })
    socket.once("error", (error) => reject(new RawSmtpError({ reason: "Closed", message: error.message })))
    socket.once("secureConnect", () => resolve())
    line.socket = socket
    listen(line)
  })

const listen = (line: Line): void => {
  const { socket } = line
  socket.setNoDelay(true)
  socket.on("data", (chunk: Buffer) => {
    line.unread += chunk.toString("latin1")
    line.wake()
  })
  const end = () => {
    if (line.socket !== socket) return
    line.ended = true
    line.wake()
  }
  socket.on("error", end)
  socket.on("end", end)
  socket.on("close", end)
}

const conversation = (line: Line, timeout: number): RawSmtp => {
  const attempt = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: asError })

  const write = (bytes: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      if (line.ended) return reject(new RawSmtpError({ reason: "Closed", message: "the server has hung up" }))
      line.socket.write(bytes, (error) =>
        error ? reject(new RawSmtpError({ reason: "Closed", message: error.message })) : resolve()
      )
    })

  /**
   * Waits until `take` finds a value in the received text. Reads all received text before it reports a closed
   * connection.
   */
  const until = <A>(what: string, take: () => A | undefined): Promise<A> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        line.wake = () => {}
        reject(new RawSmtpError({ reason: "Timeout", message: `no ${what} within ${timeout} ms` }))
      }, timeout)
      line.wake = () => {
        let found: A | undefined
        let failure: RawSmtpError | undefined
        try {
          found = take()
        } catch (error) {
          failure = asError(error)
        }
        if (found === undefined && failure === undefined && line.ended) {
          failure = new RawSmtpError({ reason: "Closed", message: `the server hung up before the ${what}` })
        }
        if (found === undefined && failure === undefined) return
        clearTimeout(timer)
        line.wake = () => {}
        if (failure !== undefined) reject(failure)
        else resolve(found as A)
      }
      line.wake()
    })

  const read = () =>
    until("reply", () => {
      const parsed = takeReply(line.unread)
      if (parsed === undefined) return undefined
      line.unread = parsed.rest
      return parsed.reply
    })

  const say = async (text: string) => {
    await write(`${text}\r\n`)
    return read()
  }

  return {
    say: (text) => attempt(() => say(text)),
    write: (bytes) => attempt(() => write(bytes)),
    writeSlowly: (bytes, { pause, size }) =>
      attempt(async () => {
        const all = Buffer.from(bytes)
        for (let at = 0; at < all.length; at += size) {
          await write(all.subarray(at, at + size))
          await new Promise((resolve) => setTimeout(resolve, pause))
        }
      }),
    reply: attempt(read),
    data: (message) =>
      attempt(async () => {
        const go = await say("DATA")
        if (go.code !== 354) return go
        await write(dotStuffed(message))
        return read()
      }),
    startTls: attempt(async () => {
      const go = await say("STARTTLS")
      if (go.code !== 220) return go
      await secure(line)
      return go
    }),
    reset: Effect.sync(() => void line.raw.resetAndDestroy()),
    closed: attempt(() => until("end", () => (line.ended ? true : undefined))).pipe(Effect.asVoid)
  }
}

/** Splits off one complete reply; undefined when it is still incomplete. Source: RFC 5321 §4.2.1. */
const takeReply = (text: string): { readonly reply: Reply; readonly rest: string } | undefined => {
  const lines: Array<string> = []
  let at = 0
  for (;;) {
    const end = text.indexOf("\n", at)
    if (end === -1) return undefined
    const line = text.slice(at, end).replace(/\r$/, "")
    at = end + 1
    const parts = /^(\d{3})(?:([ -])(.*))?$/.exec(line)
    if (parts === null) throw new RawSmtpError({ reason: "NotAReply", message: JSON.stringify(line) })
    lines.push(parts[3] ?? "")
    if (parts[2] !== "-") return { reply: { code: Number(parts[1]), lines }, rest: text.slice(at) }
  }
}
