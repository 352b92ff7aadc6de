/** Mails submitted to a real Postfix, counted by mail-admin. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { freePort } from "#support/peers/Loopback.ts"
import * as Postfix from "#support/peers/Postfix.ts"
import * as Swaks from "#support/peers/Swaks.ts"
import * as RawSmtp from "#support/RawSmtp.ts"
import { events, mailServer, startAdmin } from "../Admin.ts"

const user = { address: "ann@example.test", password: "secret" }
const credentials = Buffer.from(`\0${user.address}\0${user.password}`).toString("base64")

/** Settings of the README, plus permission for clients to set their address (XCLIENT). */
const settings = (port: number) => [
  `smtpd_end_of_data_restrictions = check_policy_service inet:127.0.0.1:${port}`,
  "smtpd_policy_service_default_action = dunno",
  "smtpd_policy_service_timeout = 5s",
  "smtpd_authorized_xclient_hosts = 127.0.0.0/8"
]

/** Submits `count` mails on one connection as a client with that address. */
const handIn = (port: number, from: string, count: number, signedIn = true) =>
  Effect.scoped(
    Effect.gen(function* () {
      const smtp = yield* RawSmtp.connect({ port })
      const codes = [
        yield* smtp.reply,
        yield* smtp.say("EHLO a.test"),
        yield* smtp.say(`XCLIENT ADDR=${from}`),
        yield* smtp.say("EHLO a.test")
      ]
      if (signedIn) codes.push(yield* smtp.say(`AUTH PLAIN ${credentials}`))
      for (let mail = 0; mail < count; mail++) {
        codes.push(
          yield* smtp.say(`MAIL FROM:<${user.address}>`),
          yield* smtp.say("RCPT TO:<bob@example.test>"),
          yield* smtp.data("Subject: x\n\ny")
        )
      }
      expect(codes.map(({ code }) => code).filter((code) => code >= 400)).toEqual([])
    })
  )

describePeers(["postfix", "dovecot", "swaks"], "mails handed in at Postfix", () => {
  it.live(
    "twenty mails of an authenticated client cause one ban, nineteen none, and mails of other servers never count",
    () =>
      Effect.gen(function* () {
        const port = yield* freePort
        const suite = yield* startAdmin({ env: { ...mailServer, SIGNALBOX_POLICY_PORT: String(port) } })
        const dovecot = yield* Dovecot.make({ users: [user] })
        const postfix = yield* Postfix.make({
          lmtpPort: yield* freePort,
          authSocket: dovecot.submissionAuthSocket,
          settings: settings(port)
        })
        const heard = Effect.map(events(suite, "security.ban."), (all) =>
          all.map(({ address, rule }) => [address, rule])
        )
        yield* handIn(postfix.smtpPort, "192.0.2.1", 25, false)
        yield* handIn(postfix.smtpPort, "192.0.2.19", 19)
        yield* handIn(postfix.smtpPort, "192.0.2.20", 21)
        yield* until(
          "the ban",
          Effect.map(heard, (found) => found.length > 0)
        )
        expect(yield* heard).toEqual([["192.0.2.20", "mail-spam-sender"]])
        yield* handIn(postfix.smtpPort, "192.0.2.19", 1)
        yield* until(
          "the next ban",
          Effect.map(heard, (found) => found.length === 2)
        )
      }),
    60_000
  )

  it.live(
    "are delivered while our port is closed, and a port in use is reported and retried",
    () =>
      Effect.gen(function* () {
        const port = yield* freePort
        const first = yield* startAdmin({ env: { ...mailServer, SIGNALBOX_POLICY_PORT: String(port) } })
        const health = (suite: typeof first) =>
          Effect.map(
            suite.call("GET", "/health"),
            ({ json }) => (json.daemons?.["mail-admin"] ?? json).components.policy_service
          )
        yield* until(
          "it listens",
          Effect.map(health(first), ({ status }) => status === "ok")
        )
        const second = yield* startAdmin({ env: { ...mailServer, SIGNALBOX_POLICY_PORT: String(port) } })
        yield* until(
          "the second waits",
          Effect.map(
            health(second),
            ({ detail, status }) => status === "degraded" && detail === `port ${port} is held by another process`
          )
        )
        const away = yield* freePort
        const postfix = yield* Postfix.make({ lmtpPort: yield* freePort, settings: settings(away) })
        const sent = yield* Swaks.send({
          port: postfix.smtpPort,
          from: user.address,
          to: "bob@example.test",
          subject: "x",
          body: "y"
        })
        expect(sent.accepted, sent.transcript).toBe(true)
      }),
    60_000
  )
})
