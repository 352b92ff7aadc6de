/** Malformed mails and sessions: each gets a reply, and no accepted mail is lost. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import * as RawSmtp from "#support/RawSmtp.ts"
import { smtpPort, startBridge, subjects, triggers } from "../Bridge.ts"
import { begin, greet } from "./SmtpSession.ts"

describe("hostile input to the SMTP listener", () => {
  it.live(
    "hostile input gets a reply and nothing is lost of what was answered 250",
    () =>
      Effect.gen(function* () {
        const bridge = yield* startBridge({ env: { SIGNALBOX_ALARM_SMTP_TIMEOUT_SECONDS: "5" } })
        const port = yield* smtpPort(bridge)
        const deep = Array.from(
          { length: 500 },
          (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}`
        ).join("\r\n")
        const taken: Array<readonly [string, string | Uint8Array]> = [
          ["8-bit header", Buffer.from("Subject: T\u00fcr\r\n\r\nx\r\n", "latin1")],
          ["NUL", "Subject: nu\0l\r\n\r\na\0b\r\n"],
          ["no header", "just words\r\n"],
          ["nothing", "\r\n"],
          ["dots", "Subject: dots\r\n\r\n..\r\n.. x\r\n"],
          [
            "bytes of all kinds",
            Buffer.concat([
              Buffer.from(Array.from({ length: 65_536 }, (_, index) => (index * 7919) % 256)),
              Buffer.from("\r\n")
            ])
          ],
          ["deep nesting", `Subject: deep\r\n${deep}\r\n`],
          ["a header of 2 MB", `Subject: huge\r\nX: ${"y".repeat(2_000_000)}\r\n\r\nx\r\n`],
          [
            "bare LF around a dot",
            "Subject: smuggled\r\n\r\na\n.\nMAIL FROM:<evil@example.test>\nRCPT TO:<a@b>\nDATA\nSubject: evil\n\nx\r\n"
          ],
          ["a dot before a bare LF", "Subject: smuggled too\r\n\r\na\r\n.\nMAIL FROM:<evil@example.test>\r\n"],
          ["a dot after a bare LF", "Subject: smuggled three\r\n\r\na\n.\r\nMAIL FROM:<evil@example.test>\r\n"]
        ]
        for (const [name, bytes] of taken) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const smtp = yield* begin(port)
              yield* smtp.say("DATA")
              yield* smtp.write(bytes)
              yield* smtp.write(".\r\n")
              expect((yield* smtp.reply).code, name).toBe(250)
              expect((yield* smtp.say("QUIT")).code, name).toBe(221)
            })
          )
        }
        // Several commands and the mail in one write.
        yield* Effect.scoped(
          Effect.gen(function* () {
            const codes: Array<number> = []
            const smtp = yield* RawSmtp.connect({ port })
            codes.push((yield* smtp.reply).code)
            yield* smtp.write(
              "EHLO x\r\nMAIL FROM:<a@x>\r\nRCPT TO:<b@x>\r\nDATA\r\nSubject: pipelined\r\n\r\nx\r\n.\r\nQUIT\r\n"
            )
            while (codes.at(-1) !== 221) codes.push((yield* smtp.reply).code)
            expect(codes).toEqual([220, 250, 250, 250, 354, 250, 221])
          })
        )
        const expected = [
          "Tür",
          "nu l",
          "",
          "",
          "dots",
          "",
          "deep",
          "huge",
          "smuggled",
          "smuggled too",
          "smuggled three",
          "pipelined"
        ]
        const found = yield* triggers(bridge)
        expect(found.map((trigger) => trigger.payload.email_subject).sort()).toEqual(expected.sort())
        expect(found.find((trigger) => trigger.payload.email_subject === "smuggled")!.payload.email_body).toContain(
          "MAIL FROM"
        )
        expect(found.find((trigger) => trigger.payload.email_subject === "dots")!.payload.email_body).toBe(".\n. x")

        // Spam senders talk before the greeting.
        yield* Effect.scoped(
          Effect.gen(function* () {
            const smtp = yield* RawSmtp.connect({ port })
            yield* smtp.write("EHLO x\r\nMAIL FROM:<a@x>\r\nRCPT TO:<b@x>\r\nDATA\r\nSubject: early\r\n\r\nx\r\n.\r\n")
            yield* smtp.closed
          })
        )
        // Input that is no mail: a reply or a disconnection, but no trigger.
        yield* Effect.scoped(
          Effect.gen(function* () {
            const smtp = yield* greet(port)
            expect((yield* smtp.say("DATA")).code).toBe(503)
            expect((yield* smtp.say("MAIL FROM:<a@x> SIZE=999999999")).code).toBe(552)
            expect((yield* smtp.say("\u0000\u0001\u00ff")).code).toBe(500)
            expect((yield* smtp.say("RCPT TO:<a@x>")).code).toBe(503)
            expect((yield* smtp.say("X".repeat(20_000))).code).toBe(421)
            yield* smtp.closed
          })
        )
        yield* Effect.scoped(
          Effect.gen(function* () {
            const cut = yield* begin(port)
            yield* cut.say("DATA")
            yield* cut.write("Subject: cut off\r\n\r\nhalf")
            yield* cut.reset
            const slow = yield* begin(port)
            yield* slow.say("DATA")
            yield* slow.write("Subject: silent\r\n\r\nhalf")
            expect((yield* slow.reply).code).toBe(421)
            yield* slow.closed
            const trickling = yield* begin(port)
            yield* trickling.say("DATA")
            yield* trickling.writeSlowly("Subject: trickled\r\n\r\nx\r\n.\r\n", { size: 3, pause: 20 })
            expect((yield* trickling.reply).code).toBe(250)
          })
        )
        expect((yield* subjects(bridge, expected.length + 1)).slice(-1)).toEqual(["trickled"])
        expect(yield* triggers(bridge)).toHaveLength(expected.length + 1)
        // Not the status of the daemon: on a busy machine it is degraded for the delay of its event loop.
        const { actors, components } = (yield* bridge.call("GET", "/health", { token: yield* bridge.token })).json
        expect(components).toMatchObject({ smtp: { status: "ok" }, database: { status: "ok" } })
        expect(Object.values<{ status: string }>(components).map(({ status }) => status)).not.toContain("degraded")
        expect(actors.map(({ state }: { state: string }) => state)).not.toContain("waiting")
      }),
    120_000
  )
})
