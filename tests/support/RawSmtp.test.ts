import * as RawSmtp from "#support/RawSmtp.ts"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import type { AddressInfo } from "node:net"
import { SMTPServer } from "smtp-server"
import { describe, expect } from "vitest"

/** An smtp-server (npm package) that keeps received messages. */
const server = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly port: number; readonly messages: Array<string>; readonly close: () => void }>(
        (resolve) => {
          const messages: Array<string> = []
          const smtp = new SMTPServer({
            authOptional: true,
            disableReverseLookup: true,
            closeTimeout: 10,
            onData: (stream, _session, done) => {
              let text = ""
              stream
                .on("data", (chunk: Buffer) => (text += chunk.toString()))
                .on("end", () => {
                  messages.push(text)
                  done()
                })
            }
          })
          smtp.on("error", () => {})
          smtp.listen(0, "127.0.0.1", () =>
            resolve({
              port: (smtp.server.address() as AddressInfo).port,
              messages,
              close: () => void smtp.close(() => {})
            })
          )
        }
      )
  ),
  (opened) => Effect.sync(opened.close)
)

describe("RawSmtp", () => {
  it.live("holds a whole conversation over STARTTLS, with replies of several lines and doubled dots", () =>
    Effect.gen(function* () {
      const { messages, port } = yield* server
      const client = yield* RawSmtp.connect({ port })
      expect((yield* client.reply).code).toBe(220)
      const hello = yield* client.say("EHLO test.invalid")
      expect(hello.lines.length).toBeGreaterThan(2)
      expect(hello.lines).toContain("STARTTLS")
      expect((yield* client.startTls).code).toBe(220)
      expect((yield* client.say("EHLO test.invalid")).lines).not.toContain("STARTTLS")
      yield* client.writeSlowly("MAIL FROM:<a@example.test>\r\n", { size: 5, pause: 1 })
      expect((yield* client.reply).code).toBe(250)
      expect((yield* client.say("RCPT TO:<b@example.test>")).code).toBe(250)
      expect((yield* client.data("Subject: x\n\n.one\n..two\n")).code).toBe(250)
      expect(messages).toEqual(["Subject: x\r\n\r\n.one\r\n..two\r\n"])
      expect((yield* client.say("NONSENSE")).code).toBe(500)
      yield* client.say("QUIT")
      yield* client.closed
      expect(yield* Effect.flip(client.say("NOOP"))).toMatchObject({ reason: "Closed" })
    })
  )

  it.live("tells a silent server from one that is not there; a reset is felt by the other side", () =>
    Effect.gen(function* () {
      const { port } = yield* server
      const client = yield* RawSmtp.connect({ port, replyTimeout: 5_000 })
      yield* client.reply
      yield* client.write("NOOP")
      expect(yield* Effect.flip(client.reply)).toMatchObject({ reason: "Timeout" })
      yield* client.write("\r\n")
      expect((yield* client.reply).code).toBe(250)
      yield* client.reset
      yield* client.closed
      expect(yield* Effect.flip(RawSmtp.connect({ port: 1 }))).toMatchObject({ reason: "Refused" })
    })
  )
})
