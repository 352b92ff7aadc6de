/** What the listener accepts and refuses, and how two processes share its port. */
import { it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { SMTPServer } from "smtp-server"
import { describe, expect } from "vitest"
import { serverOptions } from "#daemons/alarm-bridge/smtp-listener/SmtpListener.ts"
import type { ListenerConfig } from "#daemons/alarm-bridge/smtp-listener/SmtpSettings.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { freshDatabase } from "#support/Postgres.ts"
import * as RawSmtp from "#support/RawSmtp.ts"
import { smtpPort, startBridge, status, statusWhen, subjects, triggers } from "../Bridge.ts"
import { greet, message, send } from "./SmtpSession.ts"

describe("the SMTP listener", () => {
  it.live("refuses a banned address before anything else, and no other", () =>
    Effect.gen(function* () {
      const config = {
        smtpTls: "off",
        smtpAuth: "off",
        smtpMaxBytes: 1_024,
        smtpMaxConnections: 10,
        smtpTimeout: 60
      } as ListenerConfig
      const answer = (banned: (address: string) => boolean) =>
        Effect.gen(function* () {
          const port = yield* freePort
          const server = new SMTPServer(serverOptions(config, undefined, banned))
          yield* Effect.acquireRelease(
            Effect.promise(() => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()))),
            () => Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve())))
          )
          return yield* (yield* RawSmtp.connect({ port })).reply
        }).pipe(Effect.scoped)
      expect((yield* answer((address) => address === "127.0.0.1")).code).toBe(554)
      expect((yield* answer((address) => address === "127.0.0.2")).code).toBe(220)
    })
  )

  it.live(
    "a mail to any recipient becomes one trigger, and 250 is said when it is stored",
    () =>
      Effect.gen(function* () {
        const bridge = yield* startBridge({})
        const port = yield* smtpPort(bridge)
        const smtp = yield* greet(port)
        expect(smtp.offers).toMatch(/SIZE 10485760/)
        expect(smtp.offers).not.toMatch(/STARTTLS|AUTH/)
        expect((yield* smtp.say("STARTTLS")).code).toBeGreaterThanOrEqual(500)
        expect((yield* smtp.say("MAIL FROM:<envelope@example.test>")).code).toBe(250)
        for (const to of [
          "<one@example.test>",
          "<two@localhost>",
          "<@route:three@example.test>",
          "<postmaster>",
          "<.x..@bad_host>"
        ])
          expect((yield* smtp.say(`RCPT TO:${to}`)).code).toBe(250)
        const reply = yield* smtp.data(message("CRITICAL:WEBHOOK+http://h/a;b"))
        expect(reply).toMatchObject({ code: 250 })
        const [trigger, ...more] = yield* triggers(bridge)
        expect(more).toEqual([])
        expect(reply.lines[0]).toContain(trigger!.trigger_key)
        expect(trigger).toMatchObject({
          trigger_key: expect.stringMatching(/^smtp:[0-9a-f-]{36}$/),
          event_type: "email.alarm.received",
          payload: {
            email_subject: "CRITICAL:WEBHOOK+http://h/a;b",
            email_body: "body",
            email_from: "device@example.test"
          },
          source: {
            kind: "smtp",
            envelope_from: "envelope@example.test",
            envelope_to: expect.arrayContaining(["one@example.test"]),
            client_address: "127.0.0.1",
            message_id: "<1@device>"
          }
        })
        // A second mail on the same connection, with a null sender.
        yield* smtp.say("MAIL FROM:<>")
        yield* smtp.say("RCPT TO:<one@example.test>")
        expect((yield* smtp.data(message("two"))).code).toBe(250)
        expect(yield* subjects(bridge, 2)).toHaveLength(2)
        expect((yield* triggers(bridge))[1]!.source.envelope_from).toBe("")
      }),
    120_000
  )

  it.live(
    "a mail beyond the limit gets 552, connections beyond theirs 421",
    () =>
      Effect.gen(function* () {
        const bridge = yield* startBridge({
          env: { SIGNALBOX_ALARM_SMTP_MAX_BYTES: "20000", SIGNALBOX_ALARM_SMTP_MAX_CONNECTIONS: "2" }
        })
        const port = yield* smtpPort(bridge)
        expect(yield* send(port, `${message("large")}${"x".repeat(76)}\n`.repeat(300))).toMatchObject({ code: 552 })
        const one = yield* greet(port)
        expect(one.offers).toMatch(/SIZE 20000/)
        yield* greet(port)
        const third = yield* RawSmtp.connect({ port })
        expect((yield* third.reply).code).toBe(421)
        expect(yield* triggers(bridge)).toEqual([])
        yield* one.say("MAIL FROM:<a@x>")
        yield* one.say("RCPT TO:<a@x>")
        expect((yield* one.data(message("fits"))).code).toBe(250)
      }),
    120_000
  )

  it.live(
    "a second process waits for the port without complaint and takes it over",
    () =>
      Effect.gen(function* () {
        const env = { SIGNALBOX_ALARM_SMTP_PORT: String(yield* freePort) }
        const database = yield* freshDatabase
        const scope = yield* Scope.make()
        yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
        const first = yield* Scope.provide(startBridge({ database, env }), scope)
        const port = yield* smtpPort(first)
        const second = yield* startBridge({ database, env })
        yield* statusWhen(second, ({ smtp }) => smtp.state === "waiting")
        // Not the status of the daemon: on a busy machine it is degraded for the delay of its event loop.
        expect((yield* second.call("GET", "/health")).json).toMatchObject({
          components: { smtp: { status: "ok", detail: "waiting" } }
        })
        yield* Scope.close(scope, Exit.void)
        expect(yield* smtpPort(second)).toBe(port)
        expect((yield* send(port, message("after"))).code).toBe(250)
      }),
    120_000
  )

  it.live(
    "the status is for callers with a token",
    () =>
      Effect.gen(function* () {
        const bridge = yield* startBridge({ env: { SIGNALBOX_ALARM_SMTP: "off" } })
        expect((yield* bridge.call("GET", "/api/v1/alarm-bridge/status")).status).toBe(401)
        expect(yield* status(bridge)).toEqual({ mailboxes: [], smtp: { state: "off", host: "127.0.0.1", port: null } })
      }),
    120_000
  )
})
