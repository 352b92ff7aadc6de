/**
 * A steady load of alarms with mixed targets, submitted to our SMTP listener, to the mailbox, and to the API. Senders
 * retry like a mail server until an alarm is accepted.
 */
import { Effect } from "effect"
import * as RawSmtp from "#support/RawSmtp.ts"
import { mailbox, sender, type Site } from "./Site.ts"

export type Door = "listener" | "mailbox" | "api"
export type Part = "webhook" | "messenger" | "messenger_voice" | "call"

export interface Alarm {
  readonly id: number
  readonly door: Door
  /** For each target, the path, chat or number at which its arrival is visible. */
  readonly targets: ReadonlyArray<{ readonly part: Part; readonly at: string }>
  readonly subject: string
  /** Time of the first attempt. Unit: epoch milliseconds. */
  readonly firstTried: number
  accepted: number | undefined
  /** SMTP reply codes or HTTP statuses of refusals; 0: no answer. */
  readonly refusals: Array<number>
}

/** `pace`: interval between two alarms. `again`: interval between two attempts of one. Unit: milliseconds. */
const pace = 250
const again = 300

const doors: ReadonlyArray<Door> = ["listener", "api", "mailbox"]
const mixes: ReadonlyArray<ReadonlyArray<Part>> = [
  ["webhook", "messenger"],
  ["webhook", "call"],
  ["webhook", "messenger_voice"],
  ["messenger", "call", "webhook"]
]

let next = 0
let held = false

/** While true, senders do not repeat refused alarms, so that no requests arrive. */
export const holdBack = (hold: boolean): Effect.Effect<void> => Effect.sync(() => void (held = hold))

const makeAlarm = (sink: string): Alarm => {
  const id = next++
  const at: Readonly<Record<Part, string>> = {
    webhook: `/alarm/${id}`,
    messenger: String(1_000_000 + id),
    messenger_voice: String(2_000_000 + id),
    call: `+4930${100_000 + id}`
  }
  const words: Readonly<Record<Part, string>> = {
    webhook: `WEBHOOK+${sink}`,
    messenger: "MESSENGER+",
    messenger_voice: "MESSENGER_VOICE+",
    call: "CALL+"
  }
  const targets = mixes[id % mixes.length]!.map((part) => ({ part, at: at[part] }))
  return {
    id,
    door: doors[id % doors.length]!,
    targets,
    // CRITICAL, so that a call with unknown end is repeated. No alarm has RETRY.
    subject: `CRITICAL:${targets.map(({ at, part }) => words[part] + (part === "call" ? at.slice(1) : at)).join(";")}`,
    firstTried: Date.now(),
    accepted: undefined,
    refusals: []
  }
}

/** Submits one alarm until it is accepted. */
const handIn = (site: Site, alarm: Alarm) =>
  Effect.gen(function* () {
    for (;;) {
      const code = yield* tries[alarm.door](site, alarm)
      if (code === 250) break
      alarm.refusals.push(code)
      if (code >= 500 && alarm.door !== "api") return
      do yield* Effect.sleep(again)
      while (held)
    }
    alarm.accepted = Date.now()
  })

const message = ({ id, subject }: Alarm) =>
  `From: ${sender}\nTo: ${mailbox.address}\nSubject: ${subject}\nMessage-ID: <${id}@outage.example>\nDate: Sat, 01 Aug 2026 10:00:00 +0000\n\nalarm number ${id}\n`

const tries: Readonly<Record<Door, (site: Site, alarm: Alarm) => Effect.Effect<number>>> = {
  listener: ({ smtpPort }, alarm) =>
    Effect.scoped(
      Effect.gen(function* () {
        const smtp = yield* RawSmtp.connect({ port: smtpPort, replyTimeout: 15_000 })
        const replies = [
          yield* smtp.reply,
          yield* smtp.say("EHLO device.example"),
          yield* smtp.say(`MAIL FROM:<${sender}>`),
          yield* smtp.say(`RCPT TO:<${mailbox.address}>`)
        ]
        return (replies.find(({ code }) => code >= 400) ?? (yield* smtp.data(message(alarm)))).code
      })
    ).pipe(Effect.catchTag("RawSmtpError", () => Effect.succeed(0))),
  mailbox: ({ dovecot }, alarm) =>
    Effect.match(dovecot.deliver(mailbox.address, message(alarm)), { onSuccess: () => 250, onFailure: () => 0 }),
  api: ({ token, unit }, alarm) =>
    Effect.promise(async () => {
      const response = await fetch(`${unit.addresses()["comm-dispatcher"]}/api/v1/workflows/trigger`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-service-token": token,
          "idempotency-key": `outage ${alarm.id}`
        },
        body: JSON.stringify({
          event_type: "email.alarm.received",
          payload: { email_subject: alarm.subject, email_body: `alarm number ${alarm.id}`, email_from: sender }
        }),
        signal: AbortSignal.timeout(15_000)
      }).catch(() => undefined)
      await response?.arrayBuffer().catch(() => undefined)
      return response === undefined ? 0 : response.status === 202 ? 250 : response.status
    })
}

/** Requests a call through the API, with additional options. */
export const call = ({ token, unit }: Site, options: object): Effect.Effect<void> =>
  Effect.promise(async () => {
    const response = await fetch(`${unit.addresses()["comm-dispatcher"]}/api/v1/comm/call`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-token": token },
      body: JSON.stringify({ target: "+4930999999", text: `Test call ${next}`, ...options })
    })
    if (response.status !== 202) throw new Error(`POST /comm/call: ${response.status} ${await response.text()}`)
  })

/** Submits alarms at a steady pace for this time. Retries continue in the caller's scope. */
export const load = (site: Site, milliseconds: number) =>
  Effect.gen(function* () {
    const alarms: Array<Alarm> = []
    for (const end = Date.now() + milliseconds; Date.now() < end;) {
      const alarm = makeAlarm(site.sinkUrl)
      alarms.push(alarm)
      yield* Effect.forkScoped(handIn(site, alarm))
      yield* Effect.sleep(pace)
    }
    return alarms as ReadonlyArray<Alarm>
  })

/** Arrival time of each target of the alarm, in epoch milliseconds; undefined: not arrived. */
export const arrivals = ({ bot, sink, telephone }: Site, { targets }: Alarm) =>
  targets.map(({ at, part }) => ({
    part,
    at:
      part === "webhook"
        ? sink.requests.find(({ answered, path }) => path === at && answered === 200)?.at
        : part === "call"
          ? telephone.calls.find(({ cause, number, heardMs }) => number === at && heardMs > 0 && cause !== undefined)
              ?.answered
          : bot.messages.find(({ chatId }) => chatId === at)?.at
  }))
