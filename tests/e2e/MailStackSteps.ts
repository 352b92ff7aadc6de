/** Steps of users and other mail servers at a mail stack: sign in, send, read. */
import { Effect, Result } from "effect"
import { ImapFlow } from "imapflow"
import * as XOAuth2 from "#protocols/sasl/XOAuth2.ts"
import { poll } from "#support/peers/Loopback.ts"
import type { MailStack } from "#support/peers/MailStack.ts"
import * as RawSmtp from "#support/RawSmtp.ts"
import { password } from "../daemons/mail-admin/Admin.ts"

/**
 * Longest time until a message is in its mailbox. Unit: milliseconds. Reason: 0.1 s on an idle machine, many times that
 * on a loaded one.
 */
const arrival = 20_000

/** Sign-in data. Default: the password of all users in the tests of mail-admin. */
export interface Login {
  readonly user: string
  readonly pass?: string
  readonly token?: string
  readonly method?: "PLAIN" | "LOGIN"
}

/**
 * An IMAP session over TLS with INBOX open, cut at scope end. A string with the server's response code when the login
 * is refused.
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

/** `ok`, or the server's response code of the refusal. */
export const signIn = (stack: MailStack, login: Login) =>
  Effect.scoped(Effect.map(imap(stack, login), (client) => (typeof client === "string" ? client : "ok")))

/** Subjects in INBOX, oldest first, once there are `count`, or at the end of the wait. */
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

/** An SMTP session on port 25, after EHLO. `replyTimeout`: as in RawSmtp. */
export const port25 = Effect.fnUntraced(function* (stack: MailStack, replyTimeout?: number) {
  const smtp = yield* RawSmtp.connect({ port: stack.smtpPort, ...(replyTimeout === undefined ? {} : { replyTimeout }) })
  yield* smtp.reply
  return { ...smtp, hello: yield* smtp.say("EHLO elsewhere.test") }
})

/** An SMTP session on a submission port, encrypted and after EHLO, but not signed in. */
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

/** Signs in. Returns the code of the last reply. */
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

/** Sends envelope and message. Returns the reply codes of MAIL, RCPT and the message, up to the first refusal. */
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
