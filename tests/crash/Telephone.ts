/** The telephone of a crash run: a switch that lives in the test's process and outlives everything that is killed. */
import { Effect } from "effect"
import { callWords } from "#daemons/comm-dispatcher/channels/call/CallWords.ts"
import { espeakVoice } from "#core/speech/EspeakNg.ts"
import { nameOf } from "#core/speech/SpeechCache.ts"
import { spokenText } from "#core/speech/SpokenText.ts"
import { answers, busy } from "#support/switch/Callee.ts"
import { SwitchDouble, type SwitchDoubleShape } from "#support/switch/SwitchDouble.ts"
import type { Severity } from "#daemons/comm-dispatcher/vocabulary/Target.ts"

/**
 * Real milliseconds of one of the switch's. A call of 20 s (ringing, pause, the message twice, time for a key) takes
 * 0.8 s.
 */
const timeScale = 0.04

/**
 * Ringing of those who take their time. Unit: milliseconds of the switch. With a long text it makes a call of 6 s,
 * which is still going on when the successor of a killed process asks for it.
 */
const longRinging = 40_000

/** Playings of the message; the platform's default. */
export const repeat = 2

const firstNumber = 4_930_100_000

/** The number that belongs to one alarm alone. */
export const numberOf = (id: number): string => `+${firstNumber + id}`

/** How the receivers of one alarm behave. */
export interface Behaviour {
  /** How often each fails before it takes this alarm's. */
  readonly failures: number
  /** Its call takes its time. */
  readonly long: boolean
}

/** Whoever is called is busy as often as the alarm's receivers fail, and then hears everything. */
export const startTelephone = (behaviourOf: (id: number) => Behaviour) =>
  SwitchDouble.make({
    timeScale,
    callee: (number, nth) => {
      const { failures, long } = behaviourOf(Number(number) - firstNumber)
      return nth < failures ? busy : long ? { kind: "answers", afterMs: longRinging } : answers
    }
  })

/** Shown as the caller by the process of this name, so that the switch knows whose call it is. */
export const callerIdOf = (unit: string): string => [...unit].map((letter) => letter.charCodeAt(0) % 10).join("")

/** One call as the switch saw it. Times are epoch milliseconds. */
export interface Dialled {
  readonly uuid: string
  readonly number: string
  readonly started: number
  readonly answered: number | undefined
  readonly ended: number | undefined
  /** Name of the audio that was to be played. */
  readonly audio: string | undefined
  /** How often it was played to its end. */
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

/** Name of the audio that says it: with the mark of a possible second, or without. */
export const spokenAs = (severity: Severity, text: string, possibleSecond: boolean): string =>
  nameOf(
    spokenText(callWords({ severity, text, possibleSecond, language: "de", acknowledgement: true })),
    "espeak-ng",
    espeakVoice,
    "wav"
  )

/** The settings that lead calls to it. No call goes without the lock, however long the run takes. */
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

/** A call that was going on when something was killed. */
export interface CutCall {
  readonly uuid: string
  /** The kill took the process that made the call, so that its successor has to ask for it. */
  readonly orphaned: boolean
  /** Whether the switch was asked whether it still exists, after the kill. */
  readonly asked: boolean
}

/** What is going on at the switch at this moment; `asked` tells later whether it was asked after since then. */
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

/** Waits for a call, so long at most; whether there is one. */
export const inMidCall = (telephone: SwitchDoubleShape, atMost: number) =>
  Effect.gen(function* () {
    const deadline = Date.now() + atMost
    while (Date.now() < deadline) {
      if (telephone.calls.some(({ ended }) => ended === undefined)) return true
      yield* Effect.sleep(10)
    }
    return false
  })
