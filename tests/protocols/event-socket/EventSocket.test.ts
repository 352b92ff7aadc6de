import { describe, expect } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Queue } from "effect"
import { inspect } from "node:util"
import { SwitchDouble } from "#support/switch/SwitchDouble.ts"
import { connect, live, names, originate, reasonOf, secret, until, uuid, withClient } from "./EventSocketClient.ts"

describe("EventSocket with a switch", () => {
  live("asks and is answered", () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({ password: secret })
      yield* withClient(
        double.port,
        Effect.fnUntraced(function* (socket) {
          yield* connect(socket)
          expect(yield* socket.api("status")).toMatch(/^UP /)
          expect(yield* socket.api(`uuid_exists ${uuid}`)).toBe("false")
          expect(yield* socket.bgapi("create_uuid")).toMatch(/^[0-9a-f-]{36}$/)
          expect(yield* reasonOf(socket.api("nosuch 12"))).toEqual({
            _tag: "Rejected",
            answer: "-ERR nosuch Command not found!"
          })
          expect(yield* reasonOf(socket.bgapi("originate"))).toMatchObject({
            _tag: "Rejected",
            answer: expect.stringMatching(/^-USAGE/)
          })
        })
      )
    })
  )

  live("dials, and hears the call to its end", () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({ password: secret, audioMs: () => 1_000 })
      yield* withClient(
        double.port,
        Effect.fnUntraced(function* (socket) {
          yield* connect(socket)
          const events = yield* socket.events(uuid.toUpperCase())
          const other = yield* socket.events("11111111-2222-4333-8444-555555555555")
          expect(yield* socket.bgapi(originate("+4930", "'playback:/a.wav,hangup' inline"), { jobUuid: uuid })).toBe(
            `+OK ${uuid}`
          )
          yield* until(Effect.sync(() => double.calls[0]?.ended !== undefined))
          yield* until(Effect.map(Queue.size(events), (size) => size >= 10))
          expect(names(yield* Queue.takeAll(events))).toEqual([
            "CHANNEL_CREATE",
            "CHANNEL_PROGRESS",
            "CHANNEL_ANSWER",
            "PLAYBACK_START",
            "PLAYBACK_STOP",
            "CHANNEL_EXECUTE_COMPLETE",
            "CHANNEL_HANGUP",
            "CHANNEL_EXECUTE_COMPLETE",
            "CHANNEL_HANGUP_COMPLETE",
            "CHANNEL_DESTROY"
          ])
          expect(yield* Queue.size(other)).toBe(0)
        })
      )
    })
  )

  live("says what became of a call that failed, and whether to dial again", () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({
        password: secret,
        callee: (number) => ({ kind: "fails", cause: number === "1" ? "USER_BUSY" : "UNALLOCATED_NUMBER" })
      })
      yield* withClient(
        double.port,
        Effect.fnUntraced(function* (socket) {
          yield* connect(socket)
          const [busy, none] = yield* Effect.all([
            Effect.flip(socket.bgapi(originate("1"))),
            Effect.flip(socket.bgapi(originate("2").replace(uuid, "x")))
          ])
          expect([busy.reason, busy.retryable, busy.sent]).toEqual([
            { _tag: "Rejected", answer: "-ERR USER_BUSY" },
            true,
            true
          ])
          expect([none.reason, none.retryable]).toEqual([
            { _tag: "Rejected", answer: "-ERR UNALLOCATED_NUMBER" },
            false
          ])
        })
      )
    })
  )

  live("gets the result of a job whose event overtakes its reply", () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({ password: secret, bgapiReplyAfterMs: 2_000 })
      yield* withClient(
        double.port,
        Effect.fnUntraced(function* (socket) {
          yield* connect(socket)
          expect(yield* reasonOf(socket.bgapi(originate("+49").replace("trunk", "nosuch")))).toEqual({
            _tag: "Rejected",
            answer: "-ERR INVALID_GATEWAY"
          })
          // The late reply is matched to its own command, not to the next one.
          expect(yield* socket.api("uuid_exists x")).toBe("false")
        })
      )
    })
  )

  live("fails at once while nothing is connected", () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({ password: secret })
      yield* withClient(
        double.port,
        Effect.fnUntraced(function* (socket) {
          expect(yield* reasonOf(socket.api("status"))).toEqual({ _tag: "NotConnected", why: "not dialled yet" })
          yield* connect(socket)
          yield* double.kill
          yield* until(Effect.map(socket.connected, (connected) => !connected))
          const failure = yield* Effect.flip(socket.bgapi("status"))
          expect([failure.reason._tag, failure.sent, failure.retryable]).toEqual(["NotConnected", false, true])
          expect((yield* reasonOf(socket.keep))._tag).toBe("NotConnected")
        })
      )
    })
  )

  live("tells listeners what they missed, over a reconnection; the call lives on", () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({ password: secret })
      yield* withClient(
        double.port,
        Effect.fnUntraced(function* (socket) {
          const early = yield* socket.events(uuid)
          const keeping = yield* connect(socket)
          const events = yield* socket.events(uuid)
          expect(yield* socket.bgapi(originate("+49"))).toBe(`+OK ${uuid}`)
          yield* double.disconnect
          expect(yield* reasonOf(Fiber.join(keeping))).toEqual({
            _tag: "Lost",
            why: "Disconnected, goodbye.",
            sent: true
          })
          yield* connect(socket)
          expect(yield* socket.api(`uuid_exists ${uuid}`)).toBe("true")
          yield* double.hangUp(uuid)
          yield* until(Effect.map(Queue.size(events), (size) => size >= 9))
          const heard = names(yield* Queue.takeAll(events))
          expect(heard.slice(0, 5)).toEqual(["CHANNEL_CREATE", "CHANNEL_PROGRESS", "CHANNEL_ANSWER", "Lost", "Back"])
          expect(heard.at(-1)).toBe("CHANNEL_DESTROY")
          // A listener from before the connection gets the same events.
          expect(names(yield* Queue.takeAll(early)).slice(0, 3)).toEqual(["Lost", "Back", "CHANNEL_CREATE"])
        })
      )
    })
  )

  live("fails a job that was accepted and not done when the connection ends: it may be ringing", () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({ password: secret, callee: () => ({ kind: "rings" }) })
      yield* withClient(
        double.port,
        Effect.fnUntraced(function* (socket) {
          yield* connect(socket)
          const dialling = yield* Effect.forkScoped(Effect.flip(socket.bgapi(originate("+49"))))
          yield* until(Effect.sync(() => double.calls.length === 1))
          // A reply to a later command proves that the job's reply was read.
          yield* socket.api("status")
          yield* double.disconnect
          const failure = yield* Fiber.join(dialling)
          expect([failure.reason._tag, failure.sent, failure.retryable]).toEqual(["Lost", true, true])
        })
      )
    })
  )

  live("finds a half-open peer, and fails whoever waits", () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({ password: secret })
      yield* withClient(
        double.port,
        Effect.fnUntraced(function* (socket) {
          const keeping = yield* connect(socket)
          const events = yield* socket.events(uuid)
          yield* double.pause
          const job = yield* Effect.forkScoped(Effect.flip(socket.bgapi(originate("+49"))))
          const api = yield* Effect.forkScoped(Effect.flip(socket.api("status", Duration.seconds(15))))
          expect((yield* reasonOf(Fiber.join(keeping)))._tag).toBe("Timeout")
          for (const failure of [yield* Fiber.join(job), yield* Fiber.join(api)])
            expect([failure.reason._tag, failure.sent]).toEqual(["Lost", true])
          expect(names(yield* Queue.takeAll(events))).toEqual(["Lost"])
          yield* double.resume
          yield* connect(socket)
          expect(yield* socket.api("status")).toMatch(/^UP/)
        }),
        { probeInterval: Duration.millis(100), probeTimeout: Duration.millis(500) }
      )
    })
  )

  live("is told by a wrong password and by an ACL, and never says the password", () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({ password: "another" })
      yield* withClient(
        double.port,
        Effect.fnUntraced(function* (socket) {
          const failure = yield* Effect.flip(socket.keep)
          expect([failure.reason, failure.retryable]).toEqual([{ _tag: "Refused", by: "password" }, false])
          expect(yield* reasonOf(socket.api("status"))).toEqual({
            _tag: "NotConnected",
            why: "connect: the switch refuses the password"
          })
          yield* double.admit(false)
          const refusal = yield* Effect.flip(socket.keep)
          expect(refusal.reason).toEqual({ _tag: "Refused", by: "acl" })
          for (const text of [failure, refusal].flatMap((error) => [
            error.message,
            JSON.stringify(error),
            inspect(error, { depth: 9 })
          ]))
            expect(text).not.toContain("s3cret")
        })
      )
    })
  )

  live("sends nothing that holds a line break", () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({ password: secret })
      yield* withClient(
        double.port,
        Effect.fnUntraced(function* (socket) {
          yield* connect(socket)
          for (const attempt of [
            socket.api("status\n\napi hupall"),
            socket.bgapi("status\r\n\r\nexit"),
            socket.bgapi("status", { jobUuid: "x\n\nexit" })
          ]) {
            const failure = yield* Effect.flip(attempt)
            expect([failure.reason._tag, failure.sent]).toEqual(["Protocol", false])
          }
          yield* socket.api("status")
          expect(
            double.commands.filter((command) => !command.startsWith("event ") && command !== "api uptime s")
          ).toEqual(["api status"])
        })
      )
    })
  )

  live("does not keep two connections", () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({ password: secret })
      yield* withClient(
        double.port,
        Effect.fnUntraced(function* (socket) {
          yield* connect(socket)
          expect(Exit.hasDies(yield* Effect.exit(socket.keep))).toBe(true)
          expect(double.clients).toBe(1)
        })
      )
    })
  )
})
