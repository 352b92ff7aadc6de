// An IMAP client that signs in with a token (RFC 7628) or a password and reports the result. It does nothing else.
// imapflow, the client that reads mail, does not expose the error challenge. Sources: RFC 9051 §6.2.2, §6.2.3; RFC 4959
// (SASL-IR).

import { connect, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { Data, Effect, Result } from "effect"
import * as ErrorChallenge from "#protocols/sasl/ErrorChallenge.ts"
import * as OAuthBearer from "#protocols/sasl/OAuthBearer.ts"
import * as XOAuth2 from "#protocols/sasl/XOAuth2.ts"

export const mechanisms = { XOAUTH2: XOAuth2, OAUTHBEARER: OAuthBearer } as const
export type Mechanism = keyof typeof mechanisms

/** Result of a login. */
export type LoginOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false
      /** Response code of the final NO: `AUTHENTICATIONFAILED`, `UNAVAILABLE`, …; undefined when there is none. */
      readonly code: string | undefined
      /** Error challenge of the server before the final NO; undefined when there was none. */
      readonly challenge: ErrorChallenge.ErrorChallenge | undefined
    }

export interface TokenLoginOptions {
  readonly port: number
  readonly mechanism: Mechanism
  readonly user: string
  readonly token: string
  /**
   * `SASL-IR`: the token is in the command line. `continuation`: the token follows the server's `+`. Default: SASL-IR.
   */
  readonly style?: "SASL-IR" | "continuation"
  /** Certificate trusted for implicit TLS; undefined: no TLS. */
  readonly certificate?: string
  /** Client address as a webmail server forwards it. Dovecot uses it when login_trusted_networks includes us. */
  readonly from?: string
}

/** The server violated IMAP or did not answer in time. The message contains nothing that the client sent. */
export class ImapSaslError extends Data.TaggedError("ImapSaslError")<{ readonly message: string }> {}

/**
 * Longest wait for a line of the server. Unit: milliseconds. Reason: a login waits 5 s for introspection, and the
 * machine may be loaded.
 */
const lineTimeout = 20_000

export const tokenLogin = (options: TokenLoginOptions): Effect.Effect<LoginOutcome, ImapSaslError> =>
  conversation(options, async (server) => {
    const { encode, errorAnswer } = mechanisms[options.mechanism]
    const first = Result.getOrThrow(encode(options))
    await comeFrom(server, options.from)
    if (!(await server.capabilities()).has(`AUTH=${options.mechanism}`))
      throw new ImapSaslError({ message: `${options.mechanism} is not offered` })
    if (options.style === "continuation") {
      server.say(`a AUTHENTICATE ${options.mechanism}`)
      const prompt = await server.line()
      if (!prompt.startsWith("+")) return outcome(prompt, undefined)
      server.say(first)
    } else {
      server.say(`a AUTHENTICATE ${options.mechanism} ${first}`)
    }
    const answer = await server.answer()
    if (!answer.startsWith("+")) return outcome(answer, undefined)
    const challenge = Result.getOrThrow(ErrorChallenge.parse(answer.slice(2)))
    server.say(errorAnswer)
    return outcome(await server.answer(), challenge)
  })

/** Signs in with LOGIN. */
export const passwordLogin = (
  options: { readonly port: number; readonly user: string; readonly password: string } & Pick<
    TokenLoginOptions,
    "certificate" | "from"
  >
): Effect.Effect<LoginOutcome, ImapSaslError> =>
  conversation(options, async (server) => {
    await comeFrom(server, options.from)
    server.say(`a LOGIN "${options.user}" "${options.password}"`)
    return outcome(await server.answer(), undefined)
  })

const comeFrom = async (server: Server, from: string | undefined): Promise<void> => {
  if (from === undefined) return
  server.say(`i ID ("x-originating-ip" "${from}")`)
  await server.answer()
}

const outcome = (line: string, challenge: ErrorChallenge.ErrorChallenge | undefined): LoginOutcome => {
  const [, state, code] = /^a (OK|NO|BAD)(?: \[([A-Z-]+))?/.exec(line) ?? []
  if (state === "OK") return { ok: true }
  if (state === "NO") return { ok: false, code, challenge }
  throw new ImapSaslError({ message: `unexpected: ${line}` })
}

interface Server {
  readonly say: (line: string) => void
  readonly line: () => Promise<string>
  /** The next line that is not an untagged response. */
  readonly answer: () => Promise<string>
  readonly capabilities: () => Promise<ReadonlySet<string>>
}

const conversation = <A>(
  { certificate, port }: Pick<TokenLoginOptions, "certificate" | "port">,
  talk: (server: Server) => Promise<A>
): Effect.Effect<A, ImapSaslError> =>
  Effect.tryPromise({
    try: async () => {
      const to = { port, host: "127.0.0.1" }
      const socket = certificate === undefined ? connect(to) : connectTls({ ...to, ca: certificate })
      try {
        const server = serverOf(socket)
        const greeting = await server.line()
        if (!greeting.startsWith("* OK")) throw new ImapSaslError({ message: `greeted with ${greeting}` })
        return await talk(server)
      } finally {
        socket.destroy()
      }
    },
    catch: (error) => (error instanceof ImapSaslError ? error : new ImapSaslError({ message: String(error) }))
  })

const serverOf = (socket: Socket): Server => {
  let unread = ""
  let ended: string | undefined
  let wake = () => {}
  const end = (why: string) => {
    ended ??= why
    wake()
  }
  socket.on("data", (chunk) => {
    unread += chunk.toString("latin1")
    wake()
  })
  socket.on("error", (error) => end(error.message)).on("close", () => end("the server has hung up"))
  const say = (line: string) => void socket.write(`${line}\r\n`)
  const line = () =>
    new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => end("no answer in time"), lineTimeout)
      wake = () => {
        const at = unread.indexOf("\r\n")
        if (at === -1 && ended === undefined) return
        wake = () => {}
        clearTimeout(timer)
        if (at === -1) return reject(new ImapSaslError({ message: ended ?? "" }))
        const text = unread.slice(0, at)
        unread = unread.slice(at + 2)
        resolve(text)
      }
      wake()
    })
  const answer = async (): Promise<string> => {
    for (;;) {
      const text = await line()
      if (!text.startsWith("* ")) return text
    }
  }
  const capabilities = async () => {
    say("c CAPABILITY")
    const text = await line()
    await answer()
    return new Set(text.split(" ").slice(2))
  }
  return { say, line, answer, capabilities }
}
