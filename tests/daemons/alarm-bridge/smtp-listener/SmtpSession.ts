/** SMTP sessions with the listener, for its tests. */
import { Effect } from "effect"
import { expect } from "vitest"
import * as RawSmtp from "#support/RawSmtp.ts"

/** Opens a connection and reads the greeting and the extensions (`offers`) of the listener. */
export const greet = Effect.fnUntraced(function* (port: number, options: { readonly tls?: boolean } = {}) {
  const smtp = yield* RawSmtp.connect({ port, ...options })
  expect((yield* smtp.reply).code).toBe(220)
  const hello = yield* smtp.say("EHLO device.test")
  expect(hello.code).toBe(250)
  return { ...smtp, offers: hello.lines.join("\n") }
})

/** Opens a connection on which only the mail itself is missing. */
export const begin = Effect.fnUntraced(function* (port: number) {
  const smtp = yield* greet(port)
  yield* smtp.say("MAIL FROM:<device@example.test>")
  yield* smtp.say("RCPT TO:<anything@anywhere>")
  return smtp
})

/** A mail with this subject. */
export const message = (subject: string) =>
  `From: "Device" <device@example.test>\nSubject: ${subject}\nMessage-ID: <1@device>\n\nbody\n`

/** Sends one mail on a new connection. Returns the reply to the final dot, or the refusal. */
export const send = (port: number, text: string) =>
  Effect.scoped(Effect.flatMap(begin(port), (smtp) => smtp.data(text)))
