import { describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted, Result } from "effect"
import { createServer, type Server } from "node:net"
import { expect } from "vitest"
import * as MailRelay from "#core/mail-relay/MailRelay.ts"
import * as RelayAddress from "#core/second-path/RelayAddress.ts"
import * as MailSink from "#support/MailSink.ts"

const mail: MailRelay.RelayedMail = {
  from: "signalbox@host.test",
  to: ["boss@ok.test", "deputy@ok.test"],
  subject: "Grüße: nothing is wrong",
  text: "first\n.\nlast ✓\n",
  messageId: "<one@host.test>",
  headers: { "Auto-Submitted": "auto-generated" }
}

const relayAt = (port: number, credentials?: RelayAddress.Relay["credentials"]): RelayAddress.Relay => ({
  host: "127.0.0.1",
  port,
  implicitTls: false,
  credentials
})

/** A server that sends only these bytes. */
const saying = (bytes: string) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<Server>((resolve) => {
          const server = createServer((socket) => {
            socket.on("error", () => {})
            socket.write(bytes)
          }).listen(0, "127.0.0.1", () => resolve(server))
        })
    ),
    (server) => Effect.sync(() => server.close())
  )

describe("a relay's address", () => {
  it("is parsed with its default ports", () => {
    const read = (raw: string) => Result.getOrUndefined(RelayAddress.parse(raw))
    expect(read("smtp://mail.test")).toMatchObject({
      host: "mail.test",
      port: 25,
      implicitTls: false,
      credentials: undefined
    })
    expect(read("smtps://mail.test")).toMatchObject({ port: 465, implicitTls: true })
    expect(read("smtp://[::1]:26/")).toMatchObject({ host: "::1", port: 26 })
    const withUser = read("smtp://us%40er:p%3Ass@mail.test")
    expect(withUser).toMatchObject({ port: 587, credentials: { user: "us@er" } })
    expect(Redacted.value(withUser!.credentials!.password)).toBe("p:ss")
  })

  it.each([
    "",
    "mail.test",
    "http://mail.test",
    "smtp://",
    "smtp://user@mail.test",
    "smtp://mail.test/path",
    "smtp://mail.test?x=1",
    "smtp://u:%E0%A4%A@mail.test"
  ])("%s is refused", (raw) => expect(Result.isFailure(RelayAddress.parse(raw))).toBe(true))
})

describe("a mail", () => {
  it.live("arrives unchanged at every recipient", () =>
    Effect.gen(function* () {
      const sink = yield* MailSink.make()
      yield* MailRelay.send(relayAt(sink.port), mail)
      expect(sink.mails).toHaveLength(1)
      const [sunk] = sink.mails
      expect(sunk).toMatchObject({ from: "signalbox@host.test", to: ["boss@ok.test", "deputy@ok.test"] })
      expect(sunk!.mail).toMatchObject({ subject: mail.subject, text: mail.text, messageId: "<one@host.test>" })
      expect(sunk!.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
      expect(sunk!.raw).not.toMatch(/text\/html/)
    })
  )

  it("has a message with the relay's text, when there is one", () => {
    const error = (detail: string) => new MailRelay.MailRelayError({ reason: "Refused", relay: "mx.test", detail })
    expect(error("550 no").message).toBe(`${error("").message}: 550 no`)
    expect(error("").message).toMatch(/^relay mx\.test .*\w$/)
  })

  it.live("is refused, deferred or lost: each error tells whether a retry helps", () =>
    Effect.gen(function* () {
      const sink = yield* MailSink.make()
      const failure = (relay: RelayAddress.Relay) =>
        Effect.map(Effect.flip(MailRelay.send(relay, mail)), ({ reason, retryable }) => ({ reason, retryable }))
      sink.behave(554)
      expect(yield* failure(relayAt(sink.port))).toEqual({ reason: "Refused", retryable: false })
      sink.behave(451)
      expect(yield* failure(relayAt(sink.port))).toEqual({ reason: "PutOff", retryable: true })
      yield* sink.close
      expect(yield* failure(relayAt(sink.port))).toEqual({ reason: "Unreachable", retryable: true })
      const rude = yield* saying("554 go away\r\n")
      expect(yield* failure(relayAt((rude.address() as { port: number }).port))).toEqual({
        reason: "Refused",
        retryable: false
      })
    })
  )

  it.live("without an answer leaves no open connection after the timeout", () =>
    Effect.gen(function* () {
      const sink = yield* MailSink.make()
      sink.behave("silent")
      const sending = yield* Effect.forkChild(MailRelay.send(relayAt(sink.port), mail))
      yield* Effect.sleep(300)
      yield* Fiber.interrupt(sending)
      // The library closes its connection, so the server can stop within its own timeout for open ones.
      yield* sink.close
      expect(sink.mails).toEqual([])
    })
  )
})

describe("signing in", () => {
  const open = (password: string) => ({ user: "us", password: Redacted.make(password) })
  const sinkWithUser = MailSink.make({
    authOptional: false,
    allowInsecureAuth: true,
    // A relay that repeats the password in its refusal.
    onAuth: (auth, _session, done) =>
      auth.password === "right-one"
        ? done(null, { user: "us" })
        : done(Object.assign(new Error(`no: ${auth.password}`), { responseCode: 535 }))
  })

  it.live("uses the credentials, and a refusal does not contain the password", () =>
    Effect.gen(function* () {
      const sink = yield* sinkWithUser
      yield* MailRelay.send(relayAt(sink.port, open("right-one")), mail)
      expect(sink.mails).toHaveLength(1)
      const error = yield* Effect.flip(MailRelay.send(relayAt(sink.port, open("wrong-one")), mail))
      expect(error.reason).toBe("SignInRefused")
      expect(JSON.stringify(error) + error.message).not.toContain("wrong-one")
      expect((yield* Effect.flip(MailRelay.probe(relayAt(sink.port, open("wrong-one"))))).reason).toBe("SignInRefused")
      yield* MailRelay.probe(relayAt(sink.port, open("right-one")))
      expect(sink.mails).toHaveLength(1)
    })
  )
})
