/** What tests can do with the double: play files, press keys, count calls, stop it. */
import { describe, expect } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ask, auth, client, heard, isEvent, live, until } from "./Conversation.ts"

describe("its controls", () => {
  const subscribe = "event json CHANNEL_ANSWER CHANNEL_HANGUP_COMPLETE PLAYBACK_STOP DTMF BACKGROUND_JOB"
  const originate = (number: string, app: string) =>
    `bgapi originate {ignore_early_media=true}sofia/gateway/gw-up/${number} ${app}`

  live("play a WAV file by its own length, an address by a given one, parts one after the other", () =>
    Effect.gen(function* () {
      const directory = mkdtempSync(join(tmpdir(), "switch-"))
      const path = join(directory, "half.wav")
      const data = Buffer.alloc(16_000)
      const head = Buffer.alloc(44)
      head.write("RIFF", 0)
      head.write("WAVEfmt ", 8)
      head.writeUInt32LE(16, 16)
      head.writeUInt32LE(16_000, 24)
      head.writeUInt32LE(32_000, 28)
      head.write("data", 36)
      head.writeUInt32LE(data.length, 40)
      writeFileSync(path, Buffer.concat([head, data]))
      const steps = `'playback:${path},playback:http://host/a.wav,playback:file_string://silence_stream://100!${path},playback:${directory}/none.wav,hangup' inline`
      const { double, messages } = yield* ask({}, [auth, subscribe, originate("1", steps)])
      yield* until(() => double.calls[0]?.ended !== undefined)
      yield* until(() => messages.filter((each) => isEvent(each, "PLAYBACK_STOP")).length === 3)
      expect(double.calls[0]?.heardMs).toBe(500 + 2_000 + 600)
      expect(double.calls[0]?.heard).toHaveLength(3)
      rmSync(directory, { recursive: true })
    })
  )

  live("count the calls that exist at once", () =>
    Effect.gen(function* () {
      const park = "&park()"
      const { double } = yield* ask({}, [auth, originate("1", park), originate("2", park), originate("3", park)])
      yield* until(() => double.calls.length === 3)
      expect([double.mostAtOnce, ...double.calls.map(({ overlapping }) => overlapping)]).toEqual([3, 1, 2, 3])
      for (const { uuid } of double.calls) yield* double.hangUp(uuid)
      expect(double.calls.every(({ ended }) => ended !== undefined)).toBe(true)
    })
  )

  live("leave a key pressed in a pause to the playback after it", () =>
    Effect.gen(function* () {
      const { messages } = yield* ask(
        { audioMs: () => 1_000, callee: () => ({ kind: "answers", digits: [{ digit: "1", afterMs: 200 }] }) },
        [
          auth,
          "event json PLAYBACK_START DTMF CHANNEL_DESTROY",
          originate("1", "'sleep:1000,playback:/a.wav,hangup' inline")
        ]
      )
      yield* until(() => messages.some((each) => isEvent(each, "CHANNEL_DESTROY")))
      expect(
        heard(messages)
          .slice(4)
          .map((line) => JSON.parse(line)[0])
      ).toEqual(["PLAYBACK_START", "DTMF", "CHANNEL_DESTROY"])
    })
  )

  live("die and come back on the same port, without the calls", () =>
    Effect.gen(function* () {
      const { double } = yield* ask({}, [auth, "api originate sofia/gateway/gw-up/1000 &park()"])
      const { port } = double
      yield* double.kill
      const gone = yield* client(port)
      yield* until(gone.ended)
      yield* double.restart
      expect(double.port).toBe(port)
      const { messages, send } = yield* client(port)
      yield* until(() => messages.length === 1)
      send(`${auth}\n\napi show channels\n\n`)
      yield* until(() => messages.length === 3)
      expect(messages[2]?.body.toString()).toBe("\n0 total.\n")
    })
  )
})
