/**
 * A steady load of alarms with mixed targets, submitted to our SMTP listener, to the mailbox, and to the API. Senders
 * retry like a mail server until an alarm is accepted.
 */
import { Effect } from "effect"
import * as AlarmSender from "#support/AlarmSender.ts"
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

/** Longest wait for one answer. Unit: milliseconds. */
const patience = 15_000

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

const mailOf = ({ id, subject }: Alarm) => ({
  sender,
  recipient: mailbox.address,
  subject,
  body: `alarm number ${id}`,
  messageId: `${id}@outage.example`
})

const tries: Readonly<Record<Door, (site: Site, alarm: Alarm) => Effect.Effect<number>>> = {
  listener: ({ smtpPort }, alarm) =>
    Effect.map(AlarmSender.sendMail({ ...mailOf(alarm), port: smtpPort, replyTimeout: patience }), (code) =>
      Math.max(0, code)
    ),
  mailbox: ({ dovecot }, alarm) =>
    Effect.match(dovecot.deliver(mailbox.address, AlarmSender.mailText(mailOf(alarm))), {
      onSuccess: () => 250,
      onFailure: () => 0
    }),
  api: ({ token, unit }, alarm) =>
    Effect.map(
      AlarmSender.trigger({
        ...mailOf(alarm),
        base: unit.addresses()["comm-dispatcher"],
        token,
        key: `outage ${alarm.id}`,
        timeout: patience
      }),
      (status) => (status === 202 ? 250 : status)
    )
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
