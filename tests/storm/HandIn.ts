/**
 * Submits the alarms of a storm concurrently: by SMTP devices with one connection each, and by clients of the trigger
 * endpoint.
 */
import { Effect } from "effect"
import * as RawSmtp from "#support/RawSmtp.ts"
import type { StormAlarm } from "./Alarms.ts"
import { sender, type Site } from "./Site.ts"

/** Number of SMTP connections and of HTTP clients. */
const devices = 8
const clients = 8

/** Submits all alarms. Returns the duration in milliseconds. */
export const handIn = (site: Site, alarms: ReadonlyArray<StormAlarm>) =>
  Effect.gen(function* () {
    const begun = Date.now()
    const mails = alarms.filter(({ door }) => door === "smtp").values()
    const requests = alarms.filter(({ door }) => door === "http").values()
    yield* Effect.all(
      [
        ...Array.from({ length: devices }, () => device(site, mails)),
        ...Array.from({ length: clients }, () => client(site, requests))
      ],
      { concurrency: "unbounded", discard: true }
    )
    return Date.now() - begun
  })

const device = (site: Site, alarms: Iterable<StormAlarm>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const smtp = yield* RawSmtp.connect({ port: site.smtpPort, replyTimeout: 30_000 })
      yield* expectCode(smtp.reply, 220)
      yield* expectCode(smtp.say("EHLO device.storm.example"), 250)
      for (const alarm of alarms) {
        yield* expectCode(smtp.say(`MAIL FROM:<${sender}>`), 250)
        yield* expectCode(smtp.say("RCPT TO:<alarm@localhost>"), 250)
        const headers = [
          `From: ${sender}`,
          "To: alarm@localhost",
          `Subject: ${alarm.subject}`,
          `Message-ID: <${alarm.id}@storm.example>`,
          "Date: Sat, 01 Aug 2026 10:00:00 +0000"
        ]
        yield* expectCode(smtp.data(`${headers.join("\n")}\n\n${alarm.body}\n`), 250)
      }
    })
  )

const expectCode = (reply: Effect.Effect<RawSmtp.Reply, RawSmtp.RawSmtpError>, code: number) =>
  Effect.flatMap(reply, (said) =>
    said.code === code
      ? Effect.void
      : Effect.die(new Error(`SMTP answered ${said.code} ${said.lines.join(" ")}, not ${code}`))
  )

const client = (site: Site, alarms: Iterable<StormAlarm>) =>
  Effect.promise(async () => {
    for (const alarm of alarms) {
      const status = await trigger(site, alarm)
      if (status !== 202)
        throw new Error(`the trigger of alarm ${alarm.id} was answered ${status}\n${site.fleet.tail(40)}`)
    }
  })

/** Submits one alarm through the endpoint. Returns the status. */
export const trigger = async (
  { base, token }: Pick<Site, "base" | "token">,
  { body, id, subject }: Pick<StormAlarm, "body" | "id" | "subject">
): Promise<number> => {
  const response = await fetch(`${base}/api/v1/workflows/trigger`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-token": token, "idempotency-key": `storm ${id}` },
    body: JSON.stringify({
      event_type: "email.alarm.received",
      payload: { email_subject: subject, email_body: body, email_from: sender }
    }),
    signal: AbortSignal.timeout(30_000)
  })
  await response.arrayBuffer()
  return response.status
}
