/** Senders of alarms in tests: a device that speaks SMTP, and a client of the trigger endpoint. */
import { Effect } from "effect"
import * as RawSmtp from "./RawSmtp.ts"

export interface AlarmMail {
  readonly port: number
  readonly sender: string
  /** Default `alarm@localhost`. */
  readonly recipient?: string
  readonly subject: string
  readonly body: string
  readonly messageId: string
  /** Longest wait for one reply. Unit: milliseconds. */
  readonly replyTimeout: number
}

/** The mail as bytes between DATA and the dot. The same alarm always gives the same mail. */
export const mailText = ({ body, messageId, recipient, sender, subject }: Omit<AlarmMail, "port" | "replyTimeout">) =>
  [
    `From: ${sender}`,
    `To: ${recipient ?? "alarm@localhost"}`,
    `Subject: ${subject}`,
    `Message-ID: <${messageId}>`,
    "Date: Sat, 01 Aug 2026 10:00:00 +0000",
    "",
    body,
    ""
  ].join("\n")

/**
 * Sends one mail in a session of its own. Returns the code of the reply that decides: 250 or the first refusal. 0: none
 * came; -1: the connection was refused.
 */
export const sendMail = (mail: AlarmMail): Effect.Effect<number> =>
  Effect.scoped(
    Effect.gen(function* () {
      const smtp = yield* RawSmtp.connect({ port: mail.port, replyTimeout: mail.replyTimeout })
      const replies = [
        yield* smtp.reply,
        yield* smtp.say("EHLO device.example"),
        yield* smtp.say(`MAIL FROM:<${mail.sender}>`),
        yield* smtp.say(`RCPT TO:<${mail.recipient ?? "alarm@localhost"}>`)
      ]
      return (replies.find(({ code }) => code >= 400) ?? (yield* smtp.data(mailText(mail)))).code
    })
  ).pipe(Effect.catchTag("RawSmtpError", ({ reason }) => Effect.succeed(reason === "Refused" ? -1 : 0)))

export interface Trigger {
  /** Address of comm-dispatcher; undefined while it has none. */
  readonly base: string | undefined
  readonly token: string
  readonly key: string
  readonly sender: string
  readonly subject: string
  readonly body: string
  /** Unit: milliseconds. */
  readonly timeout: number
}

/** Raises one alarm through the API. Returns the status; 0: no complete answer. */
export const trigger = ({ base, body, key, sender, subject, timeout, token }: Trigger): Effect.Effect<number> =>
  Effect.promise(async () => {
    if (base === undefined) return 0
    const response = await fetch(`${base}/api/v1/workflows/trigger`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-token": token, "idempotency-key": key },
      body: JSON.stringify({
        event_type: "email.alarm.received",
        payload: { email_subject: subject, email_body: body, email_from: sender }
      }),
      signal: AbortSignal.timeout(timeout)
    }).catch(() => undefined)
    const complete = await response?.arrayBuffer().catch(() => undefined)
    return response === undefined || complete === undefined ? 0 : response.status
  })
