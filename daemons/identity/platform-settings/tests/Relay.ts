/** Connects to each mail relay and signs in; sends a mail when a recipient is named. */
import { Effect, Redacted, Result } from "effect"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { brandSigned } from "#core/html/Brand.ts"
import * as MailRelay from "#core/mail-relay/MailRelay.ts"
import { defaultSender, noticeSettings, relayOf } from "#core/second-path/NoticeSettings.ts"
import { parse, type Relay } from "#core/second-path/RelayAddress.ts"
import { reaching } from "./Reach.ts"
import { type Found, type TestResult, timed } from "./Result.ts"
import { said, words } from "./Texts.ts"
import type { Trial } from "./Trial.ts"

interface Way {
  readonly name: string
  readonly relay: Relay
  readonly from: string
}

/** Submission with TLS from the first byte. Source: RFC 8314 §7.3. */
const implicitTlsPort = 465

/** The relays of the settings, each with the sender of its mails. Without any: the relay of this machine. */
const waysOf = ({ settings, value }: Trial): ReadonlyArray<Way> => {
  const named = (name: string) => {
    const setting = settings.find((one) => one.name === name)
    return setting === undefined ? undefined : value(setting)
  }
  const sender = (name: string) => (named(name) ?? named(noticeSettings.noticeFrom.name)) as string | undefined
  const ways = settings.flatMap((setting): ReadonlyArray<Way> => {
    if (!setting.secret) return []
    const address = value(setting) as Redacted.Redacted | undefined
    if (address === undefined) return []
    const from = sender(setting.name.replace(/SMTP_URL$/, "FROM")) ?? defaultSender(hostname())
    return Result.match(parse(Redacted.value(address)), {
      onFailure: () => [],
      onSuccess: (relay) => [{ name: setting.name, relay, from }]
    })
  })
  const host = named("SMTP_HOST") as string | undefined
  const port = (named("SMTP_PORT") ?? 25) as number
  const status: ReadonlyArray<Way> =
    host === undefined
      ? []
      : [
          {
            name: "SMTP_HOST",
            relay: { host, port, implicitTls: port === implicitTlsPort, credentials: undefined },
            from: sender("MAIL_FROM") ?? defaultSender(hostname())
          }
        ]
  const all = [...ways, ...status]
  return all.length > 0
    ? all
    : [{ name: noticeSettings.noticeRelay.name, relay: relayOf(undefined), from: defaultSender(hostname()) }]
}

const testMail = (name: string, from: string, to: string): MailRelay.RelayedMail => ({
  from,
  to: [to],
  subject: `${words("de").mailSubject} / ${words("en").mailSubject}`,
  text: brandSigned(`${words("en").mailText({ setting: name })}
${words("de").mailText({ setting: name })}
`),
  messageId: `<test.${randomUUID()}@${from.slice(from.lastIndexOf("@") + 1)}>`,
  headers: { "Auto-Submitted": "auto-generated" }
})

const failed = (error: MailRelay.MailRelayError): Effect.Effect<Found> =>
  Effect.succeed({ ok: false, text: said((t) => t.relayRefuses), detail: error.ownWords })

export const testRelay = (trial: Trial, to: string | undefined): Effect.Effect<ReadonlyArray<TestResult>> =>
  Effect.forEach(
    waysOf(trial),
    ({ from, name, relay }) => {
      const where = `${relay.host}:${relay.port}`
      const answers: Found = { ok: true, text: said((t) => t.relayAnswers({ where })) }
      const accepted: Found = { ok: true, text: said((t) => t.mailAccepted({ where, to: to ?? "" })) }
      const look =
        to === undefined
          ? Effect.as(MailRelay.probe(relay), answers)
          : Effect.as(MailRelay.send(relay, testMail(name, from, to)), accepted)
      return timed(name, reaching(relay.host, Effect.catch(look, failed)))
    },
    { concurrency: 4 }
  )
