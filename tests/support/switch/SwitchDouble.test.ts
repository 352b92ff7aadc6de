/** Calls: the double sends the same messages as the real switch in the captures. */
import { describe, expect } from "@effect/vitest"
import { Effect } from "effect"
import type { Callee } from "./Callee.ts"
import { commandsOf } from "./Capture.ts"
import { SwitchDouble, type SwitchDoubleOptions } from "./SwitchDouble.ts"
import { auth, captured, client, heard, isEvent, live, until } from "./Conversation.ts"

const captureFiles: Readonly<Record<string, number>> = {
  "/srv/sounds/beep1s.wav": 1_000,
  "/srv/sounds/tone5s.wav": 5_000
}

/** Sends the commands of a capture to the double. Returns the double's messages. */
const replay = Effect.fnUntraced(function* (prefix: string, options: SwitchDoubleOptions) {
  const double = yield* SwitchDouble.make({
    password: "ClueCon",
    gateways: { "gw-up": "up", "gw-down": "down" },
    audioMs: (path) => captureFiles[path],
    ...options
  })
  const { messages, send } = yield* client(double.port)
  const commands = commandsOf(prefix).filter((command) => command !== "exit")
  for (const [index, command] of commands.entries()) {
    yield* until(() => messages.filter(({ contentType }) => !contentType.startsWith("text/event-")).length > index)
    if (command.startsWith("api uuid_kill"))
      yield* until(() => messages.some((message) => isEvent(message, "PLAYBACK_START")))
    send(`${command}\n\n`)
  }
  const jobs = commands.filter((command) => command.startsWith("bgapi")).length
  const without = new Set(["B28", "B34"])
  const destroys = without.has(prefix) ? 0 : jobs
  yield* until(
    () =>
      messages.filter((each) => isEvent(each, "BACKGROUND_JOB")).length >= jobs &&
      messages.filter((each) => isEvent(each, "CHANNEL_DESTROY")).length >= destroys
  )
  return heard(messages)
})

const said = (prefix: string) => captured(prefix).filter((each) => !/\+OK bye|text\/disconnect-notice/.test(each))

const fails = (cause: string): Callee => ({ kind: "fails", cause })
const cases: ReadonlyArray<readonly [string, Callee]> = [
  ["B10", { kind: "answers" }],
  ["B11", { kind: "answers" }],
  ["B12", { kind: "answers" }],
  ["B16", { kind: "answers" }],
  ["B20", fails("USER_BUSY")],
  ["B21", { kind: "rings" }],
  ["B22", { kind: "rings" }],
  ["B23", fails("CALL_REJECTED")],
  ["B24", fails("NO_USER_RESPONSE")],
  ["B25", fails("UNALLOCATED_NUMBER")],
  ["B26", fails("NORMAL_TEMPORARY_FAILURE")],
  ["B28", { kind: "answers" }],
  ["B29", { kind: "answers" }],
  ["B30", { kind: "answers" }],
  ["B31", { kind: "answers" }],
  ["B33", { kind: "rings", silent: true }],
  ["B34", { kind: "answers" }],
  ["B37-fail-408", fails("RECOVERY_ON_TIMER_EXPIRE")],
  ["B37-fail-410", fails("NUMBER_CHANGED")],
  ["B37-fail-484", fails("INVALID_NUMBER_FORMAT")],
  ["B37-fail-488", fails("INCOMPATIBLE_DESTINATION")],
  ["B37-fail-604", fails("NO_ROUTE_DESTINATION")],
  ["B50", { kind: "answers", hangsUpAfterMs: 780 }],
  ["B51", { kind: "answers", digits: [{ digit: "1", afterMs: 1_140 }] }],
  ["B52", { kind: "answers", digits: [{ digit: "1", afterMs: 1_140 }] }],
  ["B53", { kind: "answers", digits: [{ digit: "*", afterMs: 1_140 }] }]
]

describe("says what the real switch said", () => {
  for (const [prefix, callee] of cases) {
    live(prefix, () =>
      Effect.map(replay(prefix, { callee: () => callee }), (messages) => expect(messages).toEqual(said(prefix)))
    )
  }

  live("B56, killed by a command: where in the file depends on when", () => {
    const timeless = (lines: ReadonlyArray<string>) =>
      lines.map((line) => line.replace(/"variable_playback_last_offset_pos":"\d+",/, ""))
    return Effect.map(replay("B56", { timeScale: 1 }), (messages) =>
      expect(timeless(messages)).toEqual(timeless(said("B56")))
    )
  })

  live("B39, early media with and without a care for it", () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({
        password: "ClueCon",
        audioMs: (path) => captureFiles[path],
        callee: () => ({ kind: "answers", afterMs: 1_500, earlyMedia: true })
      })
      const { messages, send } = yield* client(double.port)
      const dials = commandsOf("B39").filter((command) => command.startsWith("bgapi"))
      yield* until(() => messages.length === 1)
      send(`${auth}\n\n${commandsOf("B39").find((command) => command.startsWith("event plain"))}\n\n`)
      for (const [index, command] of dials.entries()) {
        send(`${command}\n\n`)
        yield* until(() => messages.filter((each) => isEvent(each, "CHANNEL_DESTROY")).length > index)
      }
      const kinds = (lines: ReadonlyArray<string>) =>
        lines.map((line) => JSON.parse(line)[0]).filter((kind) => !/\//.test(kind))
      expect(dials).toHaveLength(3)
      expect(kinds(heard(messages))).toEqual(kinds(said("B39")))
    })
  )
})
