/** What people and other mail servers do to a mail stack of a test: sign in, send, read. */
import { Effect, Result } from "effect"
import { ImapFlow } from "imapflow"
import * as XOAuth2 from "#protocols/sasl/XOAuth2.ts"
import { poll } from "#support/peers/Loopback.ts"
import type { MailStack } from "#support/peers/MailStack.ts"
import * as RawSmtp from "#support/RawSmtp.ts"
import { password } from "../daemons/mail-admin/Admin.ts"

/**
 * How long a message may take to its mailbox. Unit: milliseconds. Reason: a tenth of a second alone, many times that on
 * a loaded machine.
 */
const arrival = 20_000

/** How somebody signs in. Default: by the password that mail-admin's tests give everybody. */
export interface Login {
  readonly user: string
  readonly pass?: string
  readonly token?: string
  readonly method?: "PLAIN" | "LOGIN"
}

/**
 * An IMAP session over TLS with the inbox open, cut at scope end; `refused` with the server's word when it lets nobody
 * in.
 */
export const imap = (stack: MailStack, { method = "PLAIN", pass = password, token, user }: Login) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const auth =
        token === undefined ? { user, pass, loginMethod: `AUTH=${method}` as const } : { user, accessToken: token }
      const client = new ImapFlow({
        host: "127.0.0.1",
        port: stack.imapsPort,
        secure: true,
        tls: { ca: stack.certificate },
        auth,
        logger: false
      })
      client.on("error", () => {})
      try {
        await client.connect()
        await client.mailboxOpen("INBOX")
        return client
      } catch (error) {
        client.close()
        return (error as { serverResponseCode?: string }).serverResponseCode ?? "refused"
      }
    }),
    (client) => Effect.sync(() => (typeof client === "string" ? undefined : client.close()))
  )

/** `ok`, or the server's word for no. */
export const signIn = (stack: MailStack, login: Login) =>
  Effect.scoped(Effect.map(imap(stack, login), (client) => (typeof client === "string" ? client : "ok")))

/** The subjects in the inbox, oldest first, once there are `count`, or what is there in the end. */
export const subjects = (stack: MailStack, login: Login, count: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const client = yield* imap(stack, login)
      if (typeof client === "string") return [client]
      return yield* Effect.promise(async () => {
        let found: ReadonlyArray<string> = []
        await poll(async () => {
          await client.noop()
          const exists = client.mailbox === false ? 0 : client.mailbox.exists
          found =
            exists === 0
              ? []
              : (await client.fetchAll("1:*", { envelope: true })).map((mail) => mail.envelope?.subject ?? "")
          return found.length >= count ? true : undefined
        }, arrival)
        return found
      })
    })
  )

/** A conversation on port 25, greeted. */
export const port25 = Effect.fnUntraced(function* (stack: MailStack) {
  const smtp = yield* RawSmtp.connect({ port: stack.smtpPort })
  yield* smtp.reply
  return { ...smtp, hello: yield* smtp.say("EHLO elsewhere.test") }
})

/** A conversation on a port for sending, encrypted and greeted; not yet signed in. */
export const submission = Effect.fnUntraced(function* (stack: MailStack, port: 465 | 587) {
  const smtp = yield* RawSmtp.connect(
    port === 465 ? { port: stack.smtpsPort, tls: true } : { port: stack.submissionPort }
  )
  yield* smtp.reply
  if (port === 587) {
    yield* smtp.say("EHLO client.test")
    yield* smtp.startTls
  }
  return { ...smtp, hello: yield* smtp.say("EHLO client.test") }
})

/** Signs in; answers the code of the last reply. */
export const auth = Effect.fnUntraced(function* (
  smtp: RawSmtp.RawSmtp,
  { method = "PLAIN", pass = password, token, user }: Login
) {
  const base64 = (text: string) => Buffer.from(text).toString("base64")
  if (token !== undefined)
    return (yield* smtp.say(`AUTH XOAUTH2 ${Result.getOrThrow(XOAuth2.encode({ user, token }))}`)).code
  if (method === "PLAIN") return (yield* smtp.say(`AUTH PLAIN ${base64(`\0${user}\0${pass}`)}`)).code
  yield* smtp.say("AUTH LOGIN")
  yield* smtp.say(base64(user))
  return (yield* smtp.say(base64(pass))).code
})

/** Envelope and message; answers the codes of MAIL, RCPT and the message, up to the first no. */
export const send = Effect.fnUntraced(function* (
  smtp: RawSmtp.RawSmtp,
  from: string,
  to: string,
  subject: string,
  body = "x\n"
) {
  const message = `From: <${from}>\nTo: <${to}>\nSubject: ${subject}\nMessage-Id: <${crypto.randomUUID()}@client.test>\nDate: ${new Date().toUTCString()}\n\n${body}`
  const codes: Array<number> = []
  for (const step of [
    smtp.say(`MAIL FROM:<${from}> SIZE=${message.length}`),
    smtp.say(`RCPT TO:<${to}>`),
    smtp.data(message)
  ]) {
    const { code } = yield* step
    codes.push(code)
    if (code >= 400) {
      yield* smtp.say("RSET")
      break
    }
  }
  return codes
})
