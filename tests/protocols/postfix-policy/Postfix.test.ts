import { it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { expect } from "vitest"
import { type Action, dunno } from "#protocols/postfix-policy/Action.ts"
import type { Place } from "#protocols/local-listener/LocalListener.ts"
import type { PolicyRequest } from "#protocols/postfix-policy/PolicyRequest.ts"
import { serve } from "#protocols/postfix-policy/PolicyServer.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { freePort, scratchFolder } from "#support/peers/Loopback.ts"
import * as Postfix from "#support/peers/Postfix.ts"
import * as Swaks from "#support/peers/Swaks.ts"
import { eventually } from "#support/Processes.ts"

const from = "a@example.test"
const to = "b@example.test"
/** Postfix settings from README.md, with this service at the given restriction. */
const settings = (restriction: string, service: string) => [
  `${restriction} = check_policy_service ${service}`,
  "smtpd_policy_service_default_action = dunno",
  "smtpd_policy_service_timeout = 5s"
]
/**
 * Longest time of a mail when the policy server hangs or is gone. Unit: milliseconds. Reason: two attempts with a
 * second between them, and a loaded machine.
 */
const bound = 15_000

const send = (postfix: Postfix.Postfix) => Swaks.send({ port: postfix.smtpPort, from, to, subject: "x", body: "y" })
const local = (port: number) => ({
  place: { host: "127.0.0.1", port } satisfies Place,
  service: `inet:127.0.0.1:${port}`
})
/** A Postfix whose LMTP port has no listener. Mails stay in the queue; the tests only need their acceptance. */
const postfixWith = (lines: ReadonlyArray<string>) =>
  Effect.flatMap(freePort, (lmtpPort) => Postfix.make({ lmtpPort, settings: lines }))

describePeers(["postfix", "swaks"], "the policy requests of Postfix", () => {
  it.live(
    "come for each mail on one connection; dunno lets it pass, reject refuses it with our words",
    () =>
      Effect.gen(function* () {
        const heard: Array<PolicyRequest> = []
        let action: Action = dunno
        const { place, service } = local(yield* freePort)
        yield* serve({ place, handler: (request) => Effect.sync(() => (heard.push(request), action)) })
        const postfix = yield* postfixWith(settings("smtpd_recipient_restrictions", service))

        expect((yield* send(postfix)).accepted).toBe(true)
        expect(heard).toHaveLength(1)
        expect(heard[0]).toMatchObject({
          protocolState: "RCPT",
          clientAddress: "127.0.0.1",
          sender: from,
          recipient: to,
          recipientCount: 0,
          saslUsername: undefined
        })
        expect(heard[0]?.instance).toBeDefined()

        action = { _tag: "Reject", text: "5.7.1 too many mails from you" }
        const refused = yield* send(postfix)
        expect(refused.accepted).toBe(false)
        expect(refused.transcript).toMatch(
          /554 5\.7\.1 <b@example\.test>: Recipient address rejected: too many mails from you/
        )

        action = { _tag: "DeferIfPermit", text: "come back later" }
        expect((yield* send(postfix)).transcript).toMatch(/450 4\.7\.1 .*come back later/)
        expect(new Set(heard.map(({ instance }) => instance)).size).toBe(3)
      }),
    120_000
  )

  it.live(
    "come by a unix socket, and once a mail with its true size at its end",
    () =>
      Effect.gen(function* () {
        const folder = yield* scratchFolder("policy")
        Postfix.ownFolder(folder)
        const path = `${folder}/policy`
        const heard: Array<PolicyRequest> = []
        yield* serve({ place: { path }, handler: (request) => Effect.sync(() => (heard.push(request), dunno)) })
        const postfix = yield* postfixWith(settings("smtpd_end_of_data_restrictions", `unix:${path}`))
        const sent = yield* Swaks.send({
          port: postfix.smtpPort,
          from,
          to: `${to},c@example.test`,
          subject: "x",
          body: "y".repeat(900)
        })
        expect(sent.accepted, sent.transcript).toBe(true)
        expect(heard).toHaveLength(1)
        expect(heard[0]).toMatchObject({ protocolState: "END-OF-MESSAGE", recipientCount: 2, recipient: undefined })
        expect(heard[0]?.size).toBeGreaterThan(900)
      }),
    120_000
  )

  it.live(
    "hold no mail up when the handler hangs, and none when the server is gone or comes back",
    () =>
      Effect.gen(function* () {
        const { place, service } = local(yield* freePort)
        const postfix = yield* postfixWith(settings("smtpd_recipient_restrictions", service))
        const timed = Effect.gen(function* () {
          const started = performance.now()
          const sent = yield* send(postfix)
          expect(sent.accepted, sent.transcript).toBe(true)
          return performance.now() - started
        })

        let asked = 0
        const handler = () =>
          Effect.andThen(
            Effect.sync(() => asked++),
            Effect.never
          )
        yield* Effect.scoped(
          Effect.andThen(serve({ place, handler, limits: { answerTimeout: Duration.millis(300) } }), timed)
        )
        expect(asked).toBe(1)
        expect(postfix.log()).not.toContain("warning: problem talking to server")

        expect(yield* timed).toBeLessThan(bound)
        // Another process of Postfix writes the log.
        yield* eventually("the problem is logged", () => postfix.log().includes("problem talking to server"))

        let heard = 0
        yield* serve({ place, handler: () => Effect.sync(() => (heard++, dunno)) })
        yield* timed
        expect(heard).toBe(1)
      }),
    120_000
  )
})
