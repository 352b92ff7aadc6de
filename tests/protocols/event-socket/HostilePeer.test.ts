import { describe, expect } from "@effect/vitest"
import { Duration, Effect, Fiber, Queue, Redacted, Result } from "effect"
import { maxBuffered } from "#protocols/event-socket/Channels.ts"
import { accepting, authRequest, event, rawSwitch, reply, response } from "#support/switch/RawSwitch.ts"
import { connect, live, names, reasonOf, until, uuid, withClient } from "./EventSocketClient.ts"

describe("EventSocket with a peer that is no switch", () => {
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
