/** Alarms of a crash run, their receivers, and a sender that retries like a mail server. */
import { Effect } from "effect"
import * as AlarmSender from "#support/AlarmSender.ts"
import { BotApiDouble } from "#support/BotApiDouble.ts"
import type { Random } from "#support/Random.ts"
import type { SwitchDoubleShape } from "#support/switch/SwitchDouble.ts"
import { WebhookSink } from "#support/WebhookSink.ts"
import { type Behaviour, numberOf, startTelephone } from "./Telephone.ts"
import type { Severity } from "#daemons/comm-dispatcher/vocabulary/Target.ts"

export const sender = "device@crash.example"

/** Where an alarm is submitted: the SMTP listener, or the trigger endpoint with its own Idempotency-Key. */
export type Door = "smtp" | "http"

export interface Alarm extends Behaviour {
  readonly id: number
  readonly door: Door
  readonly severity: Severity
  readonly subject: string
  readonly body: string
  /** Path of its webhook at the sink; undefined: no webhook. */
  readonly path: string | undefined
  /** Chat of its message; undefined: no message. */
  readonly chat: string | undefined
  /** Number that it calls; undefined: no call. */
  readonly number: string | undefined
  /** Time of the first attempt. Unit: epoch milliseconds. */
  firstTried: number | undefined
  accepted: number | undefined
  tries: number
}

const firstChat = 1_000_000

/** Longest wait for one answer. Unit: milliseconds. */
const patience = 8_000

/** Attempts of an alarm with RETRY. */
export const retryAttempts = 4

/** Longest answer time of a receiver, so that kills hit deliveries in progress. Unit: milliseconds. */
const slowest = 120

/**
 * Alarms with all combinations of targets, with and without RETRY. Each target belongs to one alarm only, so that
 * duplicates are detectable. `calls`: number of alarms, spread evenly, that also or only call a number.
 */
export const makeAlarms = (count: number, sink: string, doors: (id: number) => Door, calls = 0): ReadonlyArray<Alarm> =>
  Array.from({ length: count }, (_, id): Alarm => {
    const nth = Math.floor((id * calls) / count)
    const call = calls > 0 && nth !== Math.floor(((id - 1) * calls) / count) ? callers[nth % callers.length] : undefined
    const path = id % 5 === 1 || call?.alone === true ? undefined : `/alarm/${id}`
    const chat = id % 5 === 2 || call?.alone === true ? undefined : String(firstChat + id)
    const number = call === undefined ? undefined : numberOf(id)
    const failures = call?.failures ?? (id % 10 < 6 ? 0 : (id % 2) + 1)
    const severity = call?.severity ?? (id % 2 === 0 ? "CRITICAL" : "INFO")
    const targets = [
      ...(number === undefined ? [] : [`CALL+${number}`]),
      ...(path === undefined ? [] : [`WEBHOOK+${sink}${path}`]),
      ...(chat === undefined ? [] : [`MESSENGER+${chat}`])
    ]
    return {
      id,
      door: doors(id),
      severity,
      subject: `${severity}:${targets.join(";")}${failures > 0 ? `;RETRY:${retryAttempts}x1m` : ""}`,
      body: `alarm number ${id}${call?.long === true ? longText : ""}`,
      path,
      chat,
      number,
      failures,
      long: call?.long === true,
      firstTried: undefined,
      accepted: undefined,
      tries: 0
    }
  })

/** Text that follows the alarm's unique number. Its speech has the maximum length. */
const longText = `. ${"Die Temperatur im Maschinenraum steigt, Pumpe drei steht still, und der Ersatz ist nicht bereit. ".repeat(6).trim()}`

interface Caller extends Partial<Behaviour> {
  readonly severity: Severity
  readonly failures: number
  /** The alarm has no other target. */
  readonly alone: boolean
}

/** Alarms with a call use these settings in turn. */
const callers: ReadonlyArray<Caller> = [
  { severity: "CRITICAL", failures: 0, alone: true },
  { severity: "WARNING", failures: 1, alone: false },
  { severity: "ALERT", failures: 0, alone: false, long: true },
  { severity: "INFO", failures: 0, alone: true },
  { severity: "CRITICAL", failures: 2, alone: false },
  { severity: "WARNING", failures: 0, alone: true },
  { severity: "ALERT", failures: 1, alone: true },
  { severity: "INFO", failures: 0, alone: false }
]

export interface Receivers {
  readonly sink: WebhookSink
  readonly bot: BotApiDouble
  readonly telephone: SwitchDoubleShape
  readonly sinkUrl: string
  readonly botUrl: string
}

/**
 * Starts a webhook receiver, a bot API and a telephone switch. They fail the first attempts of alarms according to
 * `behaviourOf`.
 */
export const startReceivers = Effect.fnUntraced(function* (random: Random, behaviourOf: (id: number) => Behaviour) {
  const failuresOf = (id: number) => behaviourOf(id).failures
  const telephone = yield* startTelephone(behaviourOf)
  return yield* Effect.acquireRelease(
    Effect.promise(async (): Promise<Receivers> => {
      const sink = new WebhookSink()
      sink.behaviour = (request, before) => ({
        status: before < failuresOf(Number(request.path.split("/").at(-1))) ? 503 : 200,
        delay: random.between(0, slowest)
      })
      const bot = new BotApiDouble({
        failing: (chat, before) => (before < failuresOf(Number(chat) - firstChat) ? "500" : undefined),
        delay: () => random.between(0, slowest)
      })
      return { sink, bot, telephone, sinkUrl: await sink.start(), botUrl: await bot.start() }
    }),
    ({ bot, sink }) => Effect.promise(() => Promise.all([bot.stop(), sink.stop()]))
  )
})

export interface Doors {
  readonly smtpPort: number
  readonly trigger: () => string | undefined
  readonly token: string
}

/** Submits an alarm until it is accepted. Each attempt sends the same mail, so the cooldown detects duplicates. */
export const handIn = (alarm: Alarm, doors: Doors) =>
  Effect.gen(function* () {
    alarm.firstTried = Date.now()
    for (;;) {
      alarm.tries += 1
      if (yield* alarm.door === "smtp" ? bySmtp(alarm, doors.smtpPort) : byHttp(alarm, doors)) break
      yield* Effect.sleep(150)
    }
    alarm.accepted = Date.now()
  })

const bySmtp = ({ body, id, subject }: Alarm, port: number): Effect.Effect<boolean> =>
  Effect.map(
    AlarmSender.sendMail({ port, sender, subject, body, messageId: `${id}@crash.example`, replyTimeout: patience }),
    (code) => code === 250
  )

const byHttp = ({ body, id, subject }: Alarm, { token, trigger }: Doors): Effect.Effect<boolean> =>
  Effect.map(
    AlarmSender.trigger({ base: trigger(), token, key: `alarm ${id}`, sender, subject, body, timeout: patience }),
    (status) => {
      if (status >= 400 && status < 500) throw new Error(`the trigger of alarm ${id} was answered ${status}`)
      return status === 202
    }
  )
