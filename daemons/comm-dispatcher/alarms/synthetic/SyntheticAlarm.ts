/**
 * The daily test alarm: a real mail to the alarm mailbox or listener, whose run must end `delivered`. Defined by
 * settings; pure. It is sent once a day at a time of this machine's clock, and its Message-ID names the firing.
 *
 * The subject is the same every day, so the cooldown of duplicates must be shorter than a day.
 */
import { type Redacted, Result } from "effect"
import { createHash } from "node:crypto"
import { alarmSmtpPort } from "#core/config/AlarmSettings.ts"
import { noticeSettings, optionalAddress, relayAddress, relayOf } from "#core/second-path/NoticeSettings.ts"
import type { Relay } from "#core/second-path/RelayAddress.ts"
import * as Settings from "#core/config/Settings.ts"
import { parse } from "../subject/AlarmSubject.ts"
import * as SenderPolicy from "../trigger/SenderPolicy.ts"

/** A time of day on this machine's clock. */
export interface TimeOfDay {
  readonly hour: number
  readonly minute: number
}

/** Time limit from sending to `delivered`. Unit: minutes. */
export const arrivalLimit = 10

/** Length of the shortest day, when summer time begins. Unit: seconds. */
const shortestDay = 23 * 3600

const time = (raw: string): Result.Result<TimeOfDay | undefined, string> => {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(raw.trim())
  return match === null
    ? Result.fail("must be a time of day such as 06:30")
    : Result.succeed({ hour: Number(match[1]), minute: Number(match[2]) })
}

export const syntheticSettings = {
  syntheticAt: Settings.parsed<TimeOfDay | undefined>(
    "SIGNALBOX_SYNTHETIC_ALARM_AT",
    { doc: "Local time of the daily test alarm, HH:MM; unset: no test alarm", default: undefined },
    time
  ),
  syntheticFrom: optionalAddress("SIGNALBOX_SYNTHETIC_ALARM_FROM", {
    doc: "Sender of the test alarm, which must be allowed to raise alarms; required with a time"
  }),
  syntheticTargets: Settings.optionalText("SIGNALBOX_SYNTHETIC_ALARM_TARGETS", {
    doc:
      "Targets of the test alarm in the syntax of a subject, such as WEBHOOK+https://host/path; unset: " +
      "MESSENGER+ and the heartbeat chat"
  }),
  syntheticTo: optionalAddress("SIGNALBOX_SYNTHETIC_ALARM_TO", {
    doc: "Alarm mailbox that gets the test alarm, through the relay of the notices; unset: our own SMTP listener"
  }),
  syntheticRelay: relayAddress("SIGNALBOX_SYNTHETIC_ALARM_SMTP_URL", {
    doc: "SMTP server for the test alarm, in place of the relay or our own listener; smtp://host:port"
  }),
  alarmSmtpPort,
  noticeRelay: noticeSettings.noticeRelay
}

/** Settings of the test alarm, and settings that it depends on. */
export interface SyntheticConfig extends Settings.Values<typeof syntheticSettings> {
  readonly heartbeatChat: string | undefined
  readonly allowedSenders: ReadonlyArray<string>
  readonly allowedDomains: ReadonlyArray<string>
  /** Cooldown of duplicates. Unit: seconds. */
  readonly cooldown: number
  readonly noticeRelay: Redacted.Redacted | undefined
}

export interface SyntheticAlarm {
  readonly at: TimeOfDay
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly relay: Relay
}

/** The test alarm; undefined when none is configured. */
export const make = (config: SyntheticConfig): SyntheticAlarm | undefined => {
  const { syntheticAt: at, syntheticFrom: from, syntheticTo: to } = config
  const targets = targetsOf(config)
  return at === undefined || from === undefined || targets === undefined
    ? undefined
    : {
        at,
        from,
        to: to ?? "alarm@localhost",
        subject: `INFO:${targets}`,
        // At each access, because the relay of the notices may change.
        get relay() {
          return relayOf(
            config.syntheticRelay ?? (to === undefined ? undefined : config.noticeRelay),
            to === undefined
              ? { host: "127.0.0.1", port: config.alarmSmtpPort, implicitTls: false, credentials: undefined }
              : undefined
          )
        }
      }
}

/** Problems between the settings. */
export const conflicts = (config: SyntheticConfig): ReadonlyArray<Settings.SettingProblem> => {
  if (config.syntheticAt === undefined) return []
  const problems: Array<Settings.SettingProblem> = []
  const { cooldown, syntheticFrom: from } = config
  if (from === undefined)
    problems.push({ name: "SIGNALBOX_SYNTHETIC_ALARM_FROM", message: "is required for the daily test alarm" })
  else if (
    // Without lists in the environment, the lists are in the database.
    config.allowedSenders.length + config.allowedDomains.length > 0 &&
    !Result.isSuccess(Result.flatMap(SenderPolicy.make(config), (policy) => SenderPolicy.check(policy, from)))
  ) {
    problems.push({ name: "SIGNALBOX_SYNTHETIC_ALARM_FROM", message: "is not among the allowed senders" })
  }
  const targets = targetsOf(config)
  const subject = targets === undefined ? undefined : parse(`INFO:${targets}`)
  if (subject === undefined) {
    problems.push({
      name: "SIGNALBOX_SYNTHETIC_ALARM_TARGETS",
      message: "or SIGNALBOX_HEARTBEAT_CHAT_ID is required for the daily test alarm"
    })
  } else if (Result.isFailure(subject)) {
    problems.push({ name: "SIGNALBOX_SYNTHETIC_ALARM_TARGETS", message: `cannot be read: ${subject.failure.message}` })
  }
  if (cooldown >= shortestDay) {
    problems.push({
      name: "SIGNALBOX_ALARM_COOLDOWN",
      message: `must be below ${shortestDay}, or the daily test alarm is a duplicate of the last one`
    })
  }
  return problems
}

const targetsOf = ({ heartbeatChat, syntheticTargets }: SyntheticConfig): string | undefined =>
  syntheticTargets ?? (heartbeatChat === undefined ? undefined : `MESSENGER+${heartbeatChat}`)

/** Last due time at or before `now`. Epoch milliseconds. A time that summer time skips falls an hour later. */
export const lastFiring = ({ hour, minute }: TimeOfDay, now: number): number => {
  const day = new Date(now)
  const today = new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour, minute).getTime()
  return today <= now ? today : new Date(day.getFullYear(), day.getMonth(), day.getDate() - 1, hour, minute).getTime()
}

/** Message-ID of one firing. It changes with sender, subject and recipient. */
export const messageIdOf = ({ from, subject, to }: SyntheticAlarm, firing: number): string => {
  const what = createHash("sha256").update(`${subject}\n${to}\n${from}`).digest("hex").slice(0, 12)
  const at = new Date(firing).toISOString().replace(/[-:]|\.000/g, "")
  return `<daily-test.${at}.${what}@${from.slice(from.indexOf("@") + 1)}>`
}
