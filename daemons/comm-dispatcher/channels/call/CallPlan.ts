/**
 * Turns a call request into one command of the switch. Pure: opens no socket.
 *
 * The command carries an inline dialplan that pauses, plays and hangs up. Nothing else is sent, so the call continues
 * and ends by itself when this process dies. `originate_timeout` bounds ringing (also redirect loops, which the switch
 * does not bound); `sched_hangup` bounds everything after the answer.
 *
 * Text of a request enters the command only if it has no characters that the switch's parsers treat specially: blanks,
 * quotes, commas, braces, backslashes, `$` and line ends are refused.
 *
 * Sources: mod_commands.c originate_function, mod_dptools.c inline_dialplan_hunt and sched_hangup_function,
 * switch_channel.c do_execute_on, switch_utils.c switch_separate_string, and calls captured on a real switch.
 */
import { Result } from "effect"

export interface CallRequest {
  /** E.164 with `+`. */
  readonly number: string
  /** Name of the SIP gateway in the switch. */
  readonly gateway: string
  /** Pause between the answer and the first word. Unit: milliseconds. */
  readonly pauseMs: number
  /** Number of playbacks. */
  readonly repeat: number
  readonly audio: CallAudio
  /** The channel's id, chosen by us, so that it is known after a crash. */
  readonly uuid: string
  /** Longest ringing. Unit: seconds. */
  readonly ringTimeout: number
  /** Shown to the callee: E.164, or an extension of the switch. */
  readonly callerId?: string | undefined
  /** The callee may acknowledge by a key: the line stays open a little longer than the message. */
  readonly acknowledgement: boolean
}

/** The audio: a path on the switch's machine, an http(s) address, or a tone of the switch. */
export interface CallAudio {
  readonly location: string
  /** Length of the audio. Unit: milliseconds. */
  readonly durationMs: number
}

export interface CallPlan {
  /** Command of the switch, without the leading `bgapi`. */
  readonly command: string
  readonly uuid: string
  readonly number: string
  /** Length of one playback. Unit: milliseconds. */
  readonly messageMs: number
  readonly repeat: number
  readonly pauseMs: number
  /** Silence after the message, for a key. Unit: milliseconds. */
  readonly graceMs: number
  /** The switch ends the call this long after the answer. Unit: seconds. */
  readonly hangupAfter: number
  /** Longest ringing. Unit: seconds. */
  readonly ringTimeout: number
}

/** Maximum number of playbacks of a message. Reason: nobody listens to more; the switch accepts 128 steps in total. */
export const maxRepeat = 10

/**
 * Longest pause after the answer. Unit: milliseconds. Reason: after a minute of silence the callee believes the line is
 * dead.
 */
export const maxPauseMs = 60_000

/**
 * Bounds of ringing. Unit: seconds. Reason: below 5 s nobody reaches the telephone; most networks end ringing at 120 s.
 */
export const ringBounds = { least: 5, most: 120 } as const

/** How long the line stays open after the message. Unit: milliseconds. Reason: the time to find the key. */
export const keyGraceMs = 3_000

/**
 * Allowance beyond the steps of a call. Unit: seconds. Reason: slow file servers and slow media, each well below this.
 */
export const hangupMargin = 15

/** Played when no voice is available: six beeps. Source: mod_tone_stream; ms on, ms off, Hz. */
export const alarmTone: CallAudio = { location: "tone_stream://%(600,400,880);loops=6", durationMs: 6_000 }

/** Silence of a given length in milliseconds; unlike `sleep` it detects keys. Source: mod_tone_stream. */
export const silence = "silence_stream://"

/** Whether the text is a valid gateway name. */
export const isGatewayName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(name)

/** The plan, or a sentence that says why the request cannot be dialled. */
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
    // The hang-up cause is ALLOTTED_TIMEOUT.
    `execute_on_answer=sched_hangup:+${hangupAfter}`,
    ...(request.callerId === undefined ? [] : [`origination_caller_id_number=${request.callerId}`]),
    // Returned with every event, so that a call can be judged after its process died.
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
  // Only tones contain commas.
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

/** Channel variables that carry the plan. Events show them with the prefix `variable_`. */
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

/** Whether the location is safe in a command of the switch. */
export const isPlayable = (location: string): boolean =>
  location === alarmTone.location || isPlainPath(location) || isPlainAddress(location)

/**
 * Longest message. Unit: milliseconds. Reason: far beyond the longest spoken text; bounds how long one alarm occupies a
 * line.
 */
export const maxMessageMs = 600_000

export const isCallerId = (text: string): boolean => /^\+?\d{1,15}$/.test(text)

/**
 * Longest location of audio. Unit: characters. Reason: PATH_MAX is 4,096, and a command must stay readable in a log.
 */
const maxLocation = 1_024

const isPlainPath = (path: string): boolean =>
  path.length <= maxLocation && /^(\/[A-Za-z0-9_@+.-]+)+$/.test(path) && !/\/\.\.?(\/|$)/.test(path)

const isPlainAddress = (address: string): boolean =>
  address.length <= maxLocation && /^https?:\/\/[A-Za-z0-9_.:[\]-]+(\/[A-Za-z0-9_.~%=&?+:@/-]*)?$/.test(address)

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most
