/**
 * From "call this number and say this" to the one command that does it all at the switch. Pure: opens no socket.
 *
 * The call is one shot, an inline dialplan that pauses, plays and hangs up: nothing has to be sent to it any more, so it goes
 * on and ends by itself when our process dies. Ringing is bounded by `originate_timeout` (which also ends a loop of
 * redirects: the switch follows those without a limit of its own), everything after the answer by `sched_hangup`.
 *
 * Nothing of a request reaches the command unless it is made of characters that mean nothing to the switch's parsers:
 * blanks, quotes, commas, braces, backslashes, `$` and line ends never do.
 * Sources: mod_commands.c originate_function, mod_dptools.c inline_dialplan_hunt and sched_hangup_function, switch_channel.c
 * do_execute_on, switch_utils.c switch_separate_string, and calls captured on a real switch.
 */
import { Result } from "effect"

export interface CallRequest {
  /** E.164 with `+`. */
  readonly number: string
  /** The switch's name of the SIP gateway. */
  readonly gateway: string
  /** Between the answer and the first word. Unit: milliseconds. */
  readonly pauseMs: number
  /** How often the message is played. */
  readonly repeat: number
  readonly audio: CallAudio
  /** The channel's id, ours: known again after a crash. */
  readonly uuid: string
  /** Unit: seconds. */
  readonly ringTimeout: number
  /** Shown to the callee: E.164, or an extension of the switch. */
  readonly callerId?: string | undefined
  /** The callee may press a key: listen a little longer than the message lasts. */
  readonly acknowledgement: boolean
}

/** What is played: a path of the switch's machine, an http(s) address, or a tone of the switch itself. */
export interface CallAudio {
  readonly location: string
  /** Unit: milliseconds. */
  readonly durationMs: number
}

export interface CallPlan {
  /** Without `bgapi` before it. */
  readonly command: string
  readonly uuid: string
  readonly number: string
  /** One playing of the message. Unit: milliseconds. */
  readonly messageMs: number
  readonly repeat: number
  readonly pauseMs: number
  /** Silence behind the message, for a key. Unit: milliseconds. */
  readonly graceMs: number
  /** The switch ends the call this long after the answer, whatever happens. Unit: seconds. */
  readonly hangupAfter: number
  /** Unit: seconds. */
  readonly ringTimeout: number
}

/** Unit: playings. Reason: nobody listens to more; the switch takes 128 steps in all. */
export const maxRepeat = 10

/** Unit: milliseconds. Reason: a minute of silence is a dead line to whoever has answered. */
export const maxPauseMs = 60_000

/** Unit: seconds. Bounds of ringing. Reason: below 5 s nobody reaches the telephone; most networks end it at 120 s themselves. */
export const ringBounds = { least: 5, most: 120 } as const

/** How long the line stays open behind the message. Unit: milliseconds. Reason: the time to find the key that was just named. */
export const keyGraceMs = 3_000

/** What a call may last beyond its steps. Unit: seconds. Reason: slow file servers and slow media, each well below this. */
export const hangupMargin = 15

/** Played when there is no voice at all: six beeps. Source: mod_tone_stream; ms on, ms off, Hz. */
export const alarmTone: CallAudio = { location: "tone_stream://%(600,400,880);loops=6", durationMs: 6_000 }

/** Silence with a length in milliseconds; unlike `sleep` it hears keys. Source: mod_tone_stream. */
export const silence = "silence_stream://"

/** Name of a gateway as this platform dials it. */
export const isGatewayName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(name)

/** The plan, or a sentence that says what cannot be dialled. */
export const make = (request: CallRequest): Result.Result<CallPlan, string> => {
  const problem = problemOf(request)
  if (problem !== undefined) return Result.fail(problem)
  const { audio, gateway, number, pauseMs, repeat, ringTimeout, uuid } = request
  const graceMs = request.acknowledgement ? keyGraceMs : 0
  const hangupAfter = Math.ceil((pauseMs + repeat * audio.durationMs + graceMs) / 1_000) + hangupMargin
  const variables = [
    `origination_uuid=${uuid}`,
    "ignore_early_media=true",
    `originate_timeout=${ringTimeout}`,
    "playback_terminators=none",
    // Its cause is ALLOTTED_TIMEOUT.
    `execute_on_answer=sched_hangup:+${hangupAfter}`,
    ...(request.callerId === undefined ? [] : [`origination_caller_id_number=${request.callerId}`]),
    // They come back with every event, so that a call that outlived its caller can still be judged.
    `${planVariables.messageMs}=${audio.durationMs}`,
    `${planVariables.repeat}=${repeat}`,
    `${planVariables.pauseMs}=${pauseMs}`,
    `${planVariables.graceMs}=${graceMs}`
  ]
  const steps = [
    ...(pauseMs === 0 ? [] : [`sleep:${pauseMs}`]),
    ...Array.from({ length: repeat }, () => `playback:${audio.location}`),
    ...(graceMs === 0 ? [] : [`playback:${silence}${graceMs}`]),
    "hangup:NORMAL_CLEARING"
  ]
  // Only a tone holds commas.
  const inline = steps.map((step) => step.replaceAll(",", "\\,")).join(",")
  const command = `originate {${variables.join(",")}}sofia/gateway/${gateway}/${number} '${inline}' inline`
  return Result.succeed({
    command,
    uuid,
    number,
    messageMs: audio.durationMs,
    repeat,
    pauseMs,
    graceMs,
    hangupAfter,
    ringTimeout
  })
}

/** Channel variables that carry the plan, by what of it they carry. Events show them with `variable_` before the name. */
export const planVariables = {
  messageMs: "signalbox_message_ms",
  repeat: "signalbox_repeat",
  pauseMs: "signalbox_pause_ms",
  graceMs: "signalbox_grace_ms"
} as const

const problemOf = (request: CallRequest): string | undefined => {
  const { audio, callerId, gateway, number, pauseMs, repeat, ringTimeout, uuid } = request
  if (!/^\+[1-9]\d{5,14}$/.test(number)) return "the number is not E.164"
  if (!isGatewayName(gateway)) return "the gateway's name may hold letters, digits and . _ - only"
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid)) return "the channel's id is not a uuid"
  if (callerId !== undefined && !isCallerId(callerId)) return "the caller id may hold digits with + before them only"
  if (!isWithin(repeat, 1, maxRepeat)) return `repeat must be from 1 to ${maxRepeat}`
  if (!isWithin(pauseMs, 0, maxPauseMs)) return `pause_ms must be from 0 to ${maxPauseMs}`
  if (!isWithin(ringTimeout, ringBounds.least, ringBounds.most))
    return `the ring time-out must be from ${ringBounds.least} to ${ringBounds.most} s`
  if (!isWithin(audio.durationMs, 1, maxMessageMs)) return `the message must last from 1 to ${maxMessageMs} ms`
  return isPlayable(audio.location) ? undefined : "the audio's path holds characters that a switch reads as its own"
}

/** Whether a switch would take the location for what it is, and for nothing more. */
export const isPlayable = (location: string): boolean =>
  location === alarmTone.location || isPlainPath(location) || isPlainAddress(location)

/** Unit: milliseconds. Reason: beyond the longest spoken text by far; bounds what one alarm can hold a line for. */
export const maxMessageMs = 600_000

export const isCallerId = (text: string): boolean => /^\+?\d{1,15}$/.test(text)

/** Unit: characters. Reason: PATH_MAX is 4,096, and a whole command has to stay readable in a log. */
const maxLocation = 1_024

const isPlainPath = (path: string): boolean =>
  path.length <= maxLocation && /^(\/[A-Za-z0-9_@+.-]+)+$/.test(path) && !/\/\.\.?(\/|$)/.test(path)

const isPlainAddress = (address: string): boolean =>
  address.length <= maxLocation && /^https?:\/\/[A-Za-z0-9_.:[\]-]+(\/[A-Za-z0-9_.~%=&?+:@/-]*)?$/.test(address)

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most
