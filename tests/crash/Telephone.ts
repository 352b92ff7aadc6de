/** The telephone switch of a crash run. It lives in the test process, so it survives all kills. */
import { Effect } from "effect"
import { callWords } from "#daemons/comm-dispatcher/channels/call/CallWords.ts"
import { espeakVoice } from "#core/speech/EspeakNg.ts"
import { nameOf } from "#core/speech/SpeechCache.ts"
import { spokenText } from "#core/speech/SpokenText.ts"
import { answers, busy } from "#support/switch/Callee.ts"
import { SwitchDouble, type SwitchDoubleShape } from "#support/switch/SwitchDouble.ts"
import type { Severity } from "#daemons/comm-dispatcher/vocabulary/Target.ts"

/**
 * Real milliseconds per millisecond of the switch. A call of 20 s (ringing, pause, the message twice, time for a key)
 * takes 0.8 s.
 */
const timeScale = 0.04

/**
 * Ringing time of `long` alarms. Unit: milliseconds of the switch. With a long text the call takes 6 s of real time, so
 * it still runs when the successor of a killed process asks for it.
 */
const longRinging = 40_000

/** Number of times the message is played; the default of the platform. */
export const repeat = 2

const firstNumber = 4_930_100_000

/** Number used by this alarm only. */
export const numberOf = (id: number): string => `+${firstNumber + id}`

/** Behaviour of one alarm's receivers. */
export interface Behaviour {
  /** Failures of each receiver before it accepts the alarm. */
  readonly failures: number
  /** Whether its call rings long. */
  readonly long: boolean
}

/** Starts the switch. A callee is busy as often as the alarm's receivers fail, and then hears the complete message. */
export const startTelephone = (behaviourOf: (id: number) => Behaviour) =>
  SwitchDouble.make({
    timeScale,
    callee: (number, nth) => {
      const { failures, long } = behaviourOf(Number(number) - firstNumber)
      return nth < failures ? busy : long ? { kind: "answers", afterMs: longRinging } : answers
    }
  })

/** Caller id of the process with this name. It shows which process made a call. */
export const callerIdOf = (unit: string): string => [...unit].map((letter) => letter.charCodeAt(0) % 10).join("")

/** One call as the switch recorded it. Times in epoch milliseconds. */
export interface Dialled {
  readonly uuid: string
  readonly number: string
  readonly started: number
  readonly answered: number | undefined
  readonly ended: number | undefined
  /** File name of the audio in the call command. */
  readonly audio: string | undefined
  /** Number of complete playbacks. */
  readonly heard: number
}

export const dialled = ({ calls, commands }: SwitchDoubleShape): ReadonlyArray<Dialled> =>
  calls.map(({ answered, ended, heard, number, started, uuid }) => {
    const command = commands.find((command) => command.includes(`origination_uuid=${uuid}`))
    const audio = /playback:\S*?([0-9a-f]+\.wav)/.exec(command ?? "")?.[1]
    return {
      uuid,
      number,
      started,
      answered,
      ended,
      audio,
      heard: heard.filter((path) => audio !== undefined && path.endsWith(audio)).length
    }
  })

/** File name of the speech for this text, with or without the announcement of a possible repeat. */
export const spokenAs = (severity: Severity, text: string, possibleSecond: boolean): string =>
  nameOf(
    spokenText(callWords({ severity, text, possibleSecond, language: "de", acknowledgement: true })),
    "espeak-ng",
    espeakVoice,
    "wav"
  )

/** Settings that direct calls to this switch. The call lock wait is so long that no call proceeds without the lock. */
export const telephoneSettings = (
  telephone: SwitchDoubleShape,
  speechDir: string
): Readonly<Record<string, string>> => ({
  SIGNALBOX_SWITCH_HOST: "127.0.0.1",
  SIGNALBOX_SWITCH_PORT: String(telephone.port),
  SIGNALBOX_SWITCH_PASSWORD: telephone.password,
  SIGNALBOX_SIP_GATEWAY: "trunk",
  SIGNALBOX_CALL_LOCK_WAIT_MS: "600000",
  SIGNALBOX_SPEECH_DIR: speechDir
})

/** A call in progress at a kill. */
export interface CutCall {
  readonly uuid: string
  /** Whether the kill hit the process that made the call, so that its successor must query the call. */
  readonly orphaned: boolean
  /** Whether the new process asked the switch after the kill if the call still exists. */
  readonly asked: boolean
}

/** Calls in progress. `asked` tells later whether the switch was asked about the call since now. */
export const liveCalls = (telephone: SwitchDoubleShape) => {
  const before = telephone.commands.length
  return telephone.calls
    .filter(({ ended }) => ended === undefined)
    .map(({ uuid, variables }) => ({
      uuid,
      callerId: variables["origination_caller_id_number"],
      asked: () => telephone.commands.slice(before).includes(`api uuid_exists ${uuid}`)
    }))
}

/** Waits for a call, at most `atMost` milliseconds. False: there was none. */
export const inMidCall = (telephone: SwitchDoubleShape, atMost: number) =>
  Effect.gen(function* () {
    const deadline = Date.now() + atMost
    while (Date.now() < deadline) {
      if (telephone.calls.some(({ ended }) => ended === undefined)) return true
      yield* Effect.sleep(10)
    }
    return false
  })
