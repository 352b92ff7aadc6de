/** Sign-in and encryption of the SMTP listener. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { describe, expect } from "vitest"
import { temporaryDirectory } from "#support/Postgres.ts"
import { smtpPort, startBridge, subjects, triggers, withLog } from "../Bridge.ts"
import { greet, message } from "./SmtpSession.ts"

describe("sign-in and TLS of the SMTP listener", () => {
  it.live(
    "sign-in: none without, 535 for a wrong password, and no password in any log",
    () =>
      withLog((log) =>
        Effect.gen(function* () {
          const plain = (password: string) => `AUTH PLAIN ${Buffer.from(`\0device\0${password}`).toString("base64")}`
          const bridge = yield* startBridge({
            env: {
              SIGNALBOX_ALARM_SMTP_AUTH: "required",
              SIGNALBOX_ALARM_SMTP_USER: "device",
              SIGNALBOX_ALARM_SMTP_PASSWORD: "opensesame"
            }
          })
          const port = yield* smtpPort(bridge)
          const smtp = yield* greet(port)
          expect(smtp.offers).toMatch(/AUTH/)
          expect((yield* smtp.say("MAIL FROM:<a@x>")).code).toBe(530)
          expect((yield* smtp.say(plain("wrongpassword"))).code).toBe(535)
          expect((yield* smtp.say(plain(""))).code).toBe(535)
          expect((yield* smtp.say("MAIL FROM:<a@x>")).code).toBe(530)
          expect((yield* smtp.say(plain("opensesame"))).code).toBe(235)
          yield* smtp.say("MAIL FROM:<a@x>")
          yield* smtp.say("RCPT TO:<a@x>")
          expect((yield* smtp.data(message("signed in"))).code).toBe(250)
          expect(yield* subjects(bridge, 1)).toEqual(["signed in"])
          expect((yield* triggers(bridge))[0]!.source).toMatchObject({ kind: "smtp", authenticated: true })
          expect(log()).toMatch(/accepted a mail/)
          expect(log()).not.toMatch(
            new RegExp(
              ["opensesame", "wrongpassword"]
                .flatMap((word) => [word, Buffer.from(word).toString("base64").slice(0, 12)])
                .join("|")
            )
          )
        })
      ),
    120_000
  )

  it.live(
    "who did not sign in where it is optional is not marked, whatever was tried",
    () =>
      Effect.gen(function* () {
        const bridge = yield* startBridge({
          env: {
            SIGNALBOX_ALARM_SMTP_AUTH: "optional",
            SIGNALBOX_ALARM_SMTP_USER: "device",
            SIGNALBOX_ALARM_SMTP_PASSWORD: "opensesame"
          }
        })
        const smtp = yield* greet(yield* smtpPort(bridge))
        expect((yield* smtp.say(`AUTH PLAIN ${Buffer.from("\0device\0wrong").toString("base64")}`)).code).toBe(535)
        yield* smtp.say("MAIL FROM:<a@x> AUTH=<device>")
        yield* smtp.say("RCPT TO:<a@x>")
        expect(
          (yield* smtp.data(
            `Authentication-Results: mx;\n auth=pass smtp.auth=device\nIn-Reply-To: <1@alarm>\n${message("a stranger")}`
          )).code
        ).toBe(250)
        const [trigger] = yield* triggers(bridge)
        expect(trigger!.source).toEqual({
          kind: "smtp",
          envelope_from: "a@x",
          envelope_to: ["a@x"],
          client_address: "127.0.0.1",
          message_id: "<1@device>",
          in_reply_to: ["<1@alarm>"],
          authentication_results: "mx; auth=pass smtp.auth=device"
        })
      }),
    120_000
  )

  it.live(
    "TLS: offered, required, or from the first byte",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryDirectory()
        const made = spawnSync("openssl", [
          ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -keyout".split(
            " "
          ),
          `${folder}/key`,
          "-out",
          `${folder}/cert`
        ])
        expect(made.status).toBe(0)
        const files = { SIGNALBOX_ALARM_SMTP_TLS_CERT: `${folder}/cert`, SIGNALBOX_ALARM_SMTP_TLS_KEY: `${folder}/key` }
        const required = yield* startBridge({ env: { ...files, SIGNALBOX_ALARM_SMTP_TLS: "required" } })
        const smtp = yield* greet(yield* smtpPort(required))
        expect(smtp.offers).toMatch(/STARTTLS/)
        expect((yield* smtp.say("MAIL FROM:<a@x>")).code).toBe(530)
        // A command sent before the TLS handshake must not be executed after it.
        expect((yield* smtp.startTls).code).toBe(220)
        yield* smtp.say("EHLO device")
        expect((yield* smtp.say("MAIL FROM:<a@x>")).code).toBe(250)
        yield* smtp.say("RCPT TO:<a@x>")
        expect((yield* smtp.data(message("over STARTTLS"))).code).toBe(250)
        // With TLS, smtp-server reports `false` for a missing user.
        expect((yield* triggers(required)).map(({ source }) => source.authenticated)).toEqual([undefined])

        const implicit = yield* startBridge({ env: { ...files, SIGNALBOX_ALARM_SMTP_TLS: "implicit" } })
        const secure = yield* greet(yield* smtpPort(implicit), { tls: true })
        yield* secure.say("MAIL FROM:<a@x>")
        yield* secure.say("RCPT TO:<a@x>")
        expect((yield* secure.data(message("over TLS"))).code).toBe(250)
        expect(yield* subjects(implicit, 1)).toEqual(["over TLS"])
      }),
    120_000
  )
})
