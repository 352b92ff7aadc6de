import { type ChannelEvent, EventSocket, type EventSocketOptions } from "#protocols/event-socket/EventSocket.ts"
import * as Line from "#protocols/event-socket/Line.ts"
import type { EventSocketError } from "#protocols/event-socket/EventSocketError.ts"
import { maxBuffered } from "#protocols/event-socket/Channels.ts"
import { accepting, authRequest, event, rawSwitch, reply, response } from "#support/switch/RawSwitch.ts"
import { SwitchDouble } from "#support/switch/SwitchDouble.ts"
import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Queue, Redacted, Result, type Scope } from "effect"
import { inspect } from "node:util"

const secret = "s3cret-pass word"
const uuid = "0b5b1a0c-8f5e-4a63-9a5c-5ad5c9d7c3f1"
/** Far longer than any step takes. */
const patience = "20 seconds"

/** Runs with a client of the switch on that port. `keep` opens the connection. */
const withClient = <A, E>(
  port: number,
  use: (socket: EventSocket["Service"]) => Effect.Effect<A, E, Scope.Scope>,
  options: Partial<EventSocketOptions> = {}
) =>
  Effect.flatMap(EventSocket, use).pipe(
    Effect.provide(Line.layer({ host: "127.0.0.1", port, password: Redacted.make(secret), ...options }))
  )

const until = (condition: Effect.Effect<boolean>): Effect.Effect<void> =>
  Effect.flatMap(condition, (met) => (met ? Effect.void : Effect.delay(until(condition), "5 millis")))

/** Keeps the connection in the background. Returns when it is established. */
const connect = Effect.fnUntraced(function* (socket: EventSocket["Service"]) {
  const keeping = yield* Effect.forkScoped(socket.keep)
  yield* until(socket.connected).pipe(Effect.raceFirst(Fiber.join(keeping)))
  return keeping
})

const names = (items: ReadonlyArray<ChannelEvent>) =>
  items.map((item) => (item._tag === "Event" ? item.name : item._tag))
const reasonOf = <A>(effect: Effect.Effect<A, EventSocketError>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)
const originate = (number: string, app = "&park()") =>
  `originate {origination_uuid=${uuid},ignore_early_media=true}sofia/gateway/trunk/${number} ${app}`

const live = (name: string, test: () => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.timeout(test(), patience)), 30_000)

describe("with a switch", () => {
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

describe("with a peer that is no switch", () => {
  live("keeps answers with their commands, events in between, and a late one with who gave up", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const peer = yield* rawSwitch(
        authRequest,
        accepting((command, socket) => {
          asked.push(command)
          const noise = event({ "Event-Name": "DTMF", "Unique-ID": uuid })
          if (asked.length === 3)
            socket.write(`${noise}${response("one")}${noise}${response("two")}${noise}${response("three")}`)
        })
      )
      yield* withClient(
        peer.port,
        Effect.fnUntraced(function* (socket) {
          yield* connect(socket)
          const events = yield* socket.events(uuid)
          expect(yield* reasonOf(socket.api("first", Duration.millis(50)))).toEqual({
            _tag: "Timeout",
            milliseconds: 50,
            sent: true
          })
          expect(yield* Effect.all([socket.api("second"), socket.api("third")], { concurrency: 2 })).toEqual([
            "two",
            "three"
          ])
          expect(yield* Queue.size(events)).toBe(3)
        })
      )
    })
  )

  live("takes a job's result before and without its reply, by its own uuid only", () =>
    Effect.gen(function* () {
      const peer = yield* rawSwitch(
        authRequest,
        accepting((command, socket) => {
          const job = (id: string, body: string) =>
            event({ "Event-Name": "BACKGROUND_JOB", "Job-UUID": id, _body: body })
          if (command.startsWith("bgapi"))
            socket.write(
              job("11111111-2222-4333-8444-555555555555", "+OK other") + job(uuid.toUpperCase(), "+OK mine\n")
            )
        })
      )
      yield* withClient(
        peer.port,
        Effect.fnUntraced(function* (socket) {
          yield* connect(socket)
          expect(yield* socket.bgapi("status", { jobUuid: uuid })).toBe("+OK mine")
        })
      )
    })
  )

  live("fails a job that is refused, that nobody ends, or that is asked for twice", () =>
    Effect.gen(function* () {
      const peer = yield* rawSwitch(
        authRequest,
        accepting((command, socket) => {
          socket.write(
            command.startsWith("bgapi bad")
              ? reply("-ERR permission denied")
              : `Content-Type: command/reply\nReply-Text: +OK Job-UUID: ${uuid}\nJob-UUID: ${uuid}\n\n`
          )
        })
      )
      yield* withClient(
        peer.port,
        Effect.fnUntraced(function* (socket) {
          yield* connect(socket)
          expect(yield* reasonOf(socket.bgapi("bad"))).toEqual({ _tag: "Rejected", answer: "-ERR permission denied" })
          const first = yield* Effect.forkScoped(
            reasonOf(socket.bgapi("status", { jobUuid: uuid, timeout: Duration.millis(300) }))
          )
          yield* Effect.yieldNow
          expect((yield* Effect.flip(socket.bgapi("status", { jobUuid: uuid }))).sent).toBe(false)
          expect(yield* Fiber.join(first)).toEqual({ _tag: "Timeout", milliseconds: 300, sent: true })
          // The slot of the job is free again.
          expect((yield* reasonOf(socket.bgapi("status", { jobUuid: uuid, timeout: Duration.millis(50) })))._tag).toBe(
            "Timeout"
          )
        })
      )
    })
  )

  live("bounds what a slow listener holds, keeps the newest, and reads on", () =>
    Effect.gen(function* () {
      const flood = 3 * maxBuffered
      const peer = yield* rawSwitch(
        authRequest,
        accepting((_, socket) => {
          for (let count = 1; count <= flood; count++)
            socket.write(event({ "Event-Name": "DTMF", "Unique-ID": uuid, count: String(count) }))
          socket.write(response("done"))
        })
      )
      yield* withClient(
        peer.port,
        Effect.fnUntraced(function* (socket) {
          yield* connect(socket)
          const events = yield* socket.events(uuid)
          expect(yield* socket.api("flood", Duration.seconds(10))).toBe("done")
          const kept = yield* Queue.takeAll(events)
          expect(kept).toHaveLength(maxBuffered)
          expect(kept.at(-1)).toMatchObject({ headers: { count: String(flood) } })
        })
      )
    })
  )

  live("gives a silent peer up, at each step of the handshake", () =>
    Effect.gen(function* () {
      const mute = yield* rawSwitch("", () => undefined)
      const deaf = yield* rawSwitch(authRequest, () => undefined)
      const half = yield* rawSwitch(
        authRequest,
        (text, socket) => void (text.startsWith("auth") && socket.write(reply("+OK accepted")))
      )
      for (const { port } of [mute, deaf, half]) {
        expect(
          yield* withClient(port, (socket) => Effect.map(reasonOf(socket.keep), ({ _tag }) => _tag), {
            handshakeTimeout: Duration.millis(100)
          })
        ).toBe("Timeout")
      }
    })
  )

  live("ends a connection whose words have no sense", () =>
    Effect.gen(function* () {
      const words = [
        "Content-Length: 99999999\n\n",
        response("an answer to nothing"),
        "Content-Type: text/event-json\nContent-Length: 1\n\n{",
        "rubbish\n\n",
        event({ "Event-Name": "" })
      ]
      for (const word of words) {
        const peer = yield* rawSwitch(
          authRequest,
          accepting((_, socket) => void socket.write(response("ok") + word))
        )
        const reason = yield* withClient(
          peer.port,
          Effect.fnUntraced(function* (socket) {
            const keeping = yield* connect(socket)
            expect(yield* socket.api("x")).toBe("ok")
            return yield* reasonOf(Fiber.join(keeping))
          })
        )
        expect(reason._tag).toBe("Protocol")
      }
    })
  )

  live("is not up when the connection ends with the last answer of the handshake", () =>
    Effect.gen(function* () {
      const peer = yield* rawSwitch(
        authRequest,
        (text, socket) => void socket.write(reply("+OK") + (text.startsWith("event") ? response("nobody asked") : ""))
      )
      yield* withClient(
        peer.port,
        Effect.fnUntraced(function* (socket) {
          const events = yield* socket.events(uuid)
          expect((yield* reasonOf(socket.keep))._tag).toBe("Protocol")
          expect(yield* socket.connected).toBe(false)
          expect(names(yield* Queue.takeAll(events)).at(-1)).toBe("Lost")
        })
      )
    })
  )

  live("refuses an answer to its password that is none, and a password that cannot be sent", () =>
    Effect.gen(function* () {
      const peer = yield* rawSwitch(authRequest, (_, socket) => void socket.write(reply("-ERR invalid")))
      expect(yield* withClient(peer.port, (socket) => reasonOf(socket.keep))).toEqual({
        _tag: "Refused",
        by: "password"
      })
      const before = peer.received()
      const failure = yield* withClient(peer.port, (socket) => Effect.flip(socket.keep), {
        password: Redacted.make("s3cret\n\napi hupall")
      })
      expect(failure.reason._tag).toBe("Protocol")
      expect(failure.message).not.toContain("s3cret")
      expect(peer.received()).toBe(before)
    })
  )

  live("closes its socket when the keeper is stopped", () =>
    Effect.gen(function* () {
      const peer = yield* rawSwitch(
        authRequest,
        accepting(() => undefined)
      )
      yield* withClient(
        peer.port,
        Effect.fnUntraced(function* (socket) {
          const keeping = yield* connect(socket)
          const waiting = yield* Effect.forkScoped(Effect.result(socket.api("status")))
          yield* until(Effect.sync(() => peer.received().includes("api status")))
          yield* Fiber.interrupt(keeping)
          expect(yield* socket.connected).toBe(false)
          const result = yield* Fiber.join(waiting)
          expect(Result.isFailure(result) && result.failure.reason._tag).toBe("Lost")
          yield* until(Effect.sync(() => peer.sockets.every(({ destroyed }) => destroyed)))
        })
      )
    })
  )
})
