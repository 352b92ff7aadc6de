/**
 * State of one call, folded from its items: its channel's events and the result of the dialling job. Pure. The order of
 * the items does not change the verdict.
 *
 * The switch's events are not always literal (all seen on a real one):
 * - PLAYBACK_STOP says `done` also when the callee hung up or the call was killed during the playback;
 * - `playback_ms` counts what was read of the file, up to 2 s ahead of what was played; the time between PLAYBACK_START
 *   and PLAYBACK_STOP bounds it;
 * - `playback_ms` of CHANNEL_HANGUP_COMPLETE covers the last playback only; `billmsec` covers the whole call, from
 *   answer to hang-up;
 * - a missing file gives neither PLAYBACK_START nor PLAYBACK_STOP;
 * - a call that the gateway or switch did not try has at most a CHANNEL_DESTROY, and no CHANNEL_CREATE.
 */
import type { ChannelEvent } from "#protocols/event-socket/EventSocket.ts"
import { planVariables, silence } from "./CallPlan.ts"

/** The result of the dialling job: `cause` is undefined when the call was answered. */
export interface JobItem {
  readonly _tag: "Job"
  readonly cause: string | undefined
}

export type CallItem = ChannelEvent | JobItem

interface Stop {
  /** Time on the switch's clock, in epoch milliseconds. */
  readonly at: number
  /** Length of this playback. Unit: milliseconds. */
  readonly playbackMs: number
}

/** The planned lengths that a call is judged by. */
export interface Measure {
  readonly messageMs: number
  readonly repeat: number
  readonly pauseMs: number
  readonly graceMs: number
}

export interface CallProgress {
  /** The switch created a channel: the call was tried. */
  readonly created: boolean
  readonly answered: boolean
  readonly starts: ReadonlyArray<number>
  readonly stops: ReadonlyArray<Stop>
  readonly fileNotFound: boolean
  /** Keys the callee pressed, each once. */
  readonly digits: ReadonlySet<string>
  readonly hangupCause: string | undefined
  /** Time from answer to hang-up. Unit: milliseconds. Known at the end. */
  readonly billedMs: number | undefined
  /** Who ended the call: `recv_bye` the callee, `send_bye` the switch. */
  readonly disposition: string | undefined
  readonly job: JobItem | undefined
  readonly ended: boolean
  /** The channel is gone: no more events follow. */
  readonly destroyed: boolean
  /** Events were missed: only totals reported at the end are reliable. */
  readonly gap: boolean
  /** The plan, read from the channel's variables. */
  readonly carried: Measure | undefined
}

export const initial: CallProgress = {
  created: false,
  answered: false,
  starts: [],
  stops: [],
  fileNotFound: false,
  digits: new Set(),
  hangupCause: undefined,
  billedMs: undefined,
  disposition: undefined,
  job: undefined,
  ended: false,
  destroyed: false,
  gap: false,
  carried: undefined
}

/** A call found under way; its earlier events are unknown. */
export const found: CallProgress = { ...initial, created: true, gap: true }

export const fold = (progress: CallProgress, item: CallItem): CallProgress => {
  switch (item._tag) {
    case "Job":
      return { ...progress, job: item, answered: progress.answered || item.cause === undefined }
    case "Lost":
      return { ...progress, gap: true }
    case "Back":
      return progress
    case "Event":
      return foldEvent(progress, item.name, item.headers)
  }
}

const foldEvent = (before: CallProgress, name: string, headers: Readonly<Record<string, string>>): CallProgress => {
  const progress: CallProgress = {
    ...before,
    created: before.created || name !== "CHANNEL_DESTROY",
    answered: before.answered || name === "CHANNEL_ANSWER" || count(headers["Caller-Channel-Answered-Time"]) > 0,
    hangupCause: headers["Hangup-Cause"] ?? before.hangupCause,
    disposition: headers["variable_sip_hangup_disposition"] ?? before.disposition,
    carried: before.carried ?? carriedBy(headers)
  }
  const at = count(headers["Event-Date-Timestamp"]) / 1_000
  switch (name) {
    case "PLAYBACK_START":
      return isMessage(headers) ? { ...progress, starts: [...progress.starts, at] } : progress
    case "PLAYBACK_STOP":
      return isMessage(headers)
        ? { ...progress, stops: [...progress.stops, { at, playbackMs: count(headers["variable_playback_ms"]) }] }
        : progress
    case "CHANNEL_EXECUTE_COMPLETE":
      return headers["Application-Response"] === "FILE NOT FOUND" &&
        !(headers["Application-Data"] ?? "").startsWith(silence)
        ? { ...progress, fileNotFound: true }
        : progress
    case "DTMF":
      return { ...progress, digits: new Set([...progress.digits, headers["DTMF-Digit"] ?? ""]) }
    case "CHANNEL_HANGUP_COMPLETE":
      return { ...progress, ended: true, billedMs: count(headers["variable_billmsec"]) }
    case "CHANNEL_DESTROY":
      return {
        ...progress,
        ended: true,
        destroyed: true,
        ...(headers["variable_billmsec"] === undefined ? {} : { billedMs: count(headers["variable_billmsec"]) })
      }
    default:
      return progress
  }
}

const isMessage = (headers: Readonly<Record<string, string>>): boolean =>
  !(headers["Playback-File-Path"] ?? "").startsWith(silence)

/** Reads a count of at most 17 digits. Reason: microseconds since 1970 have 16. */
const count = (text: string | undefined): number => (text !== undefined && /^\d{1,17}$/.test(text) ? Number(text) : 0)

const carriedBy = (headers: Readonly<Record<string, string>>): Measure | undefined => {
  const read = (name: string) => headers[`variable_${name}`]
  const messageMs = count(read(planVariables.messageMs))
  const repeat = count(read(planVariables.repeat))
  if (messageMs === 0 || repeat === 0) return undefined
  return { messageMs, repeat, pauseMs: count(read(planVariables.pauseMs)), graceMs: count(read(planVariables.graceMs)) }
}

/**
 * By how much a playback may fall short of the file and still count as played. Unit: milliseconds. Reason: a real
 * switch was up to 40 ms early, and speech ends in silence.
 */
export const slackMs = 300

/** How much of the message was played into the answered call, all playbacks together. Unit: milliseconds. */
export const playedMs = (progress: CallProgress, measure: Measure): number =>
  Math.min(
    progress.gap
      ? playedByBill(progress, measure)
      : playings(progress).reduce((all, ms) => all + Math.min(ms, measure.messageMs), 0),
    measure.repeat * measure.messageMs
  )

/** Whether every playback reached its end while the callee was on the line. */
export const heardToTheEnd = (progress: CallProgress, measure: Measure): boolean => {
  if (!progress.answered) return false
  if (!progress.gap)
    return playings(progress).filter((ms) => ms >= measure.messageMs - slackMs).length >= measure.repeat
  return !progress.fileNotFound && playedByBill(progress, measure) >= measure.repeat * (measure.messageMs - slackMs)
}

/** The k-th stop belongs to the k-th start. A stop whose start was missed is taken as reported. */
const playings = ({ starts, stops }: CallProgress): ReadonlyArray<number> => {
  const begun = starts.toSorted((a, b) => a - b)
  return stops
    .toSorted((a, b) => a.at - b.at || a.playbackMs - b.playbackMs)
    .map(({ at, playbackMs }, index) =>
      begun[index] === undefined ? playbackMs : Math.max(0, Math.min(playbackMs, at - begun[index]))
    )
}

/**
 * Derived from the length of the whole call. A call that the switch ended by its plan went through all steps, including
 * the final silence: with unplayable audio it would be shorter by the length of the message.
 */
const playedByBill = ({ billedMs, disposition }: CallProgress, { graceMs, pauseMs }: Measure): number =>
  Math.max(0, (billedMs ?? 0) - pauseMs - (disposition === "send_bye" ? graceMs : 0))
