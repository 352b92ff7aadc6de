/** `signalbox sip …` beside a running sip-config: the route of a call, in the requested language. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { beforeAll, expect } from "vitest"
import { ensureBuilt, environmentOf, run } from "#support/Executable.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { as, callsOf, startTelephony } from "../daemons/sip-config/Telephony.ts"

beforeAll(ensureBuilt, 60_000)

it.live(
  "tells where a call goes in English, or in German when asked, as text and as JSON, and fails for who is not there",
  () =>
    Effect.gen(function* () {
      const suite = yield* startTelephony()
      const mine = callsOf(suite, as(81))
      const ann = yield* mine.extension("1001", { domain: "voice.a81.test" })
      const group = yield* mine.ringGroup("Sales", ["1001"], { number: "600", domain: "voice.a81.test" })
      yield* mine.did("+4930900810", "ring_group", group.id)
      const dataDir = yield* temporaryDirectory()
      const route = (...args: ReadonlyArray<string>) =>
        Effect.promise(() =>
          run(["sip", "route", ...args], { ...environmentOf(dataDir), DATABASE_URL: suite.database.url })
        )

      const english = yield* route("+49170111", "030 900810")
      expect([english.code, english.stdout], english.stderr).toEqual([
        0,
        [
          "context     The call comes from outside.",
          "number      The number +4930900810 is ours, of tenant 81.",
          'destination +4930900810 leads to the ring group "Sales".',
          'destination The ring group "Sales" rings 1 of 1 extensions, simultaneous, 20 s.',
          'result      Ring group "Sales": 1001.',
          ""
        ].join("\n")
      ])
      expect(yield* route("+49170111", "030 900810", "--lang", "en")).toMatchObject({ code: 0, stdout: english.stdout })
      const german = yield* route("+49170111", "030 900810", "--lang", "de")
      expect([german.code, german.stdout], german.stderr).toEqual([
        0,
        [
          "context     Der Anruf kommt von außen.",
          "number      Die Rufnummer +4930900810 gehört zu uns, zum Mandanten 81.",
          "destination +4930900810 führt zur Rufgruppe „Sales“.",
          "destination Die Rufgruppe „Sales“ lässt 1 von 1 Nebenstellen klingeln, alle zugleich, 20 s lang.",
          "result      Rufgruppe „Sales“: 1001.",
          ""
        ].join("\n")
      ])

      // A bare extension belongs to the named tenant.
      const told = JSON.parse((yield* route("1001", "1001", "--tenant", "81", "--lang", "de", "--json")).stdout)
      expect(told).toMatchObject({ origin: "phone", context: "tenant-81", outcome: "Extension", status: null })
      expect(told.steps.at(-1)).toEqual({
        kind: "result",
        code: "extension_is_called",
        text: `Die Nebenstelle ${ann.extension}@voice.a81.test klingelt.`
      })
      expect(yield* route("1001", "1001")).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("The call comes from outside.")
      })

      expect(yield* route("1009@voice.a81.test", "1001")).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringContaining("\nsignalbox: 1009@voice.a81.test is no extension of ours.\n")
      })
      expect(yield* route("1009@voice.a81.test", "1001", "--lang", "de")).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringContaining("\nsignalbox: 1009@voice.a81.test ist keine Nebenstelle von uns.\n")
      })
      expect(yield* route("1001", "1002", "--lang", "fr")).toMatchObject({ code: 64 })
    }),
  120_000
)
