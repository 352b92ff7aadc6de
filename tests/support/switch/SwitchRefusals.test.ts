/** Commands that the double refuses, answers or queues as the real switch does. */
import { describe, expect } from "@effect/vitest"
import { Effect } from "effect"
import { commandsOf } from "./Capture.ts"
import { SwitchDouble } from "./SwitchDouble.ts"
import { ask, auth, captured, client, heard, isEvent, live, masked, spokenAnswers, until } from "./Conversation.ts"

describe("refuses what the real switch refuses", () => {
  live("commands before authentication, a wrong password, an address (B03, B02, B93)", () =>
    Effect.gen(function* () {
      expect((yield* ask({}, ["api status", auth])).answers).toEqual(["-ERR command not found", "+OK accepted"])
      for (const [prefix, options] of [
        ["B02", {}],
        ["B93", { admitted: false }]
      ] as const) {
        const double = yield* SwitchDouble.make({ password: "ClueCon" })
        yield* double.admit(!("admitted" in options))
        const { ended, messages, send } = yield* client(double.port)
        yield* until(() => messages.length > 0)
        send("auth wrong\n\n")
        yield* until(ended)
        expect(heard(messages)).toEqual(captured(prefix))
      }
    })
  )

  live("commands it does not know (B03)", () =>
    Effect.gen(function* () {
      const { answers } = yield* ask({}, [
        auth,
        "nosuchcommand",
        "api",
        "api nosuchapi",
        "API uptime",
        "bgapi",
        "exit now"
      ])
      expect(answers.map((answer) => (/^\d+$/.test(answer) ? "N" : answer))).toEqual([
        "+OK accepted",
        "-ERR command not found",
        "-ERR command not found",
        "-ERR nosuchapi Command not found!\n",
        "N",
        "-ERR command not found",
        "+OK bye"
      ])
    })
  )

  live("originates it cannot read (B38)", () =>
    Effect.gen(function* () {
      const wanted = commandsOf("B38").slice(2, 5)
      const { answers } = yield* ask({}, [auth, ...wanted, "api originate a b c d e f g h"])
      expect(answers.slice(1, 4)).toEqual(spokenAnswers("B38").slice(2, 5))
      expect(answers[4]).toMatch(/^-USAGE/)
    })
  )

  live("channels that are not there, unknown gateways, subscriptions to nothing (B04, B62, B71)", () =>
    Effect.gen(function* () {
      const { answers } = yield* ask({}, [
        auth,
        "api uuid_exists nosuch",
        "api uuid_kill nosuch",
        "api sofia status gateway nosuch",
        "event json",
        "event json NOSUCHEVENT",
        "api show channels",
        "api show channels as json"
      ])
      expect(answers.slice(1)).toEqual([
        "false",
        "-ERR No such channel!\n",
        "Invalid Gateway!\n",
        "-ERR no keywords supplied",
        "-ERR no keywords supplied",
        "\n0 total.\n",
        '{"row_count": 0}\n'
      ])
      for (const answer of ["false", "-ERR No such channel!\n", "\n0 total.\n", '{"row_count": 0}\n'])
        expect(spokenAnswers("B04")).toContain(answer)
      expect(spokenAnswers("B62")).toContain("Invalid Gateway!\n")
    })
  )

  live("says whether a gateway is up, in the same rows (B62)", () =>
    Effect.gen(function* () {
      const { answers } = yield* ask({}, [auth, "api sofia status gateway gw-up", "api sofia status gateway gw-down"])
      const real = (name: string) =>
        spokenAnswers("B62")
          .find((answer) => answer.includes(`Name    \t${name}\n`))!
          .split("\n")
      for (const [index, name] of [
        [1, "gw-up"],
        [2, "gw-down"]
      ] as const) {
        for (const row of ["Name", "Profile", "State", "Status"]) {
          const rowOf = (lines: ReadonlyArray<string>) => lines.find((line) => line.startsWith(row.padEnd(8) + "\t"))
          expect(rowOf(answers[index]!.split("\n"))).toBe(rowOf(real(name)))
        }
      }
    })
  )

  live("calls while it is paused or full (B92)", () =>
    Effect.gen(function* () {
      const call = "api originate sofia/gateway/gw-up/1000 &park()"
      const { answers, double } = yield* ask({ maxSessions: 1 }, [
        auth,
        "api fsctl pause",
        call,
        "api fsctl resume",
        call,
        call,
        "api hupall"
      ])
      expect(answers.slice(1).map((answer) => masked(answer))).toEqual(
        [
          "+OK\n",
          "-ERR DESTINATION_OUT_OF_ORDER\n",
          "+OK\n",
          "+OK UUID\n",
          "-ERR DESTINATION_OUT_OF_ORDER\n",
          "+OK hangup all channels with cause MANAGER_REQUEST\n"
        ].map((each) => masked(each))
      )
      expect(double.mostAtOnce).toBe(1)
    })
  )

  live("a second call with the uuid of a first", () =>
    Effect.gen(function* () {
      const call =
        "api originate {origination_uuid=11111111-2222-4333-8444-000000000001}sofia/gateway/gw-up/1000 &park()"
      const { answers, double } = yield* ask({}, [auth, call, call])
      expect(answers.slice(1)).toEqual([
        "+OK 11111111-2222-4333-8444-000000000001\n",
        "-ERR DESTINATION_OUT_OF_ORDER\n"
      ])
      expect(double.calls).toHaveLength(1)
    })
  )

  live("anything else while an api blocks: events and later commands wait (B83)", () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({ password: "ClueCon", gateways: { "gw-up": "up" } })
      const { messages: all, send } = yield* client(double.port)
      send(
        `${auth}\n\nevent json CHANNEL_CREATE CHANNEL_ANSWER\n\napi originate sofia/gateway/gw-up/1 &park()\n\napi uuid_exists x\n\n`
      )
      yield* until(() => all.length === 7)
      expect(
        heard(all)
          .slice(3)
          .map((line) => JSON.parse(line))
          .map(([kind, text]) => (kind === "api/response" ? text : kind))
      ).toEqual(["+OK UUID\n", "CHANNEL_CREATE", "CHANNEL_ANSWER", "false"])
    })
  )

  live("loses the job of who has not subscribed (B74)", () =>
    Effect.gen(function* () {
      const { double, messages } = yield* ask({}, [
        auth,
        "bgapi uptime",
        "api status",
        "event json BACKGROUND_JOB",
        "api status"
      ])
      expect(messages.some((each) => isEvent(each, "BACKGROUND_JOB"))).toBe(false)
      expect(double.commands).toEqual(["bgapi uptime", "api status", "event json BACKGROUND_JOB", "api status"])
    })
  )
})
