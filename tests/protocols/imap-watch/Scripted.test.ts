import { describe, expect } from "@effect/vitest"
import { Duration, Effect, Queue } from "effect"
import { performance } from "node:perf_hooks"
import { live, scripted } from "./ScriptedServer.ts"

describe("with a server that follows a script", () => {
  const signedIn = "* PREAUTH [CAPABILITY IMAP4rev1 IDLE LIST-STATUS] hi\r\n"
  const idling = ["TAG OK\r\n", "TAG OK\r\n", "+ idling\r\n"]

  live("a server that refuses NOTIFY is watched by IDLE, and one that refuses IDLE, too, by looking", () =>
    Effect.gen(function* () {
      const greeting = "* PREAUTH [CAPABILITY IMAP4rev1 NOTIFY IDLE LIST-STATUS] hi\r\n"
      expect((yield* (yield* scripted(greeting, ["TAG NO\r\n", ...idling])).watching).mode).toBe("idle")
      expect(
        (yield* (yield* scripted(greeting, ["TAG BAD\r\n", "TAG OK\r\n", "TAG OK\r\n", "TAG NO\r\n"])).watching).mode
      ).toBe("poll")
    })
  )

  for (const [name, said, tag] of [
    ["a BYE", "* BYE shutting down\r\n", "Bye"],
    ["a BYE instead of a greeting", "", "Bye"],
    ["bytes that are no IMAP", "\0\n", "Protocol"],
    ["a literal without end", '* LIST () "/" {4000000000}\r\n', "Protocol"],
    ["an answer that nothing asked for", "X9 OK\r\n", "Protocol"],
    ["IDLE ended by the server", "A3 OK done\r\n", "Lost"]
  ] as const) {
    live(`${name} ends it as ${tag}`, () =>
      Effect.gen(function* () {
        const { watching } = yield* scripted(said === "" ? "* BYE too many\r\n" : signedIn, [
          ...idling.slice(0, 2),
          `${idling[2]}${said}`
        ])
        const failing = Effect.flatMap(watching, ({ changes }) => Effect.forever(Queue.take(changes)))
        expect((yield* Effect.flip(failing)).reason._tag).toBe(tag)
      })
    )
  }

  live("a server that answers, but never comes to the end of its folders, is given up", () =>
    Effect.gen(function* () {
      const folders = Array.from({ length: 200 }, (_, at) => `* LIST () "/" f${at}\r\n`).join("")
      const { watching } = yield* scripted(
        "* PREAUTH [CAPABILITY IMAP4rev1] hi\r\n",
        [`${folders}TAG OK\r\n`, ...Array<string>(200).fill("TAG OK\r\n")],
        { lookTimeout: Duration.millis(300), answerAfter: 50 }
      )
      expect(yield* Effect.flip(watching)).toMatchObject({
        step: "LIST",
        reason: { _tag: "Timeout", milliseconds: 300 }
      })
    })
  )

  live("a server that talks without end leaves the processor to others", () =>
    Effect.gen(function* () {
      const flood = `* STATUS INBOX (MESSAGES 2 UIDNEXT 9)\r\n`.repeat(20_000)
      const { watching } = yield* scripted(
        "* PREAUTH [CAPABILITY IMAP4rev1 LIST-STATUS] hi\r\n",
        [`TAG OK\r\n${flood}`],
        { more: flood }
      )
      yield* watching
      yield* Effect.sleep("1 seconds")
      const before = process.cpuUsage()
      const loop = performance.eventLoopUtilization()
      yield* Effect.sleep("2 seconds")
      expect(performance.eventLoopUtilization(loop).utilization).toBeLessThan(0.5)
      expect(process.cpuUsage(before).user).toBeLessThan(1_500_000)
    })
  )
})
