/**
 * Mail acceptance after a restart of Postgres, with the shipped files on a real Postfix. Clients keep trying, so
 * Postfix's processes see the outage.
 */
import { it } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber, Ref } from "effect"
import { expect } from "vitest"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as MailDatabase from "#support/peers/MailDatabase.ts"
import * as MailStack from "#support/peers/MailStack.ts"
import { as, callsOf, mailServer, startAdmin } from "../daemons/mail-admin/Admin.ts"
import { port25 } from "./MailStackSteps.ts"

/** How long Postgres is away. Unit: seconds. */
const outage = Duration.seconds(2)

/** Figure of config/postfix/README.md: longest time until Postfix accepts mail again. Unit: seconds. */
const back = Duration.seconds(15)

/**
 * Longest wait for one reply. Unit: milliseconds. Reason: for each recipient Postfix asks Dovecot for the quota, which
 * reads Postgres, and waits 10 s for the answer (smtpd_policy_service_timeout in config/postfix/main.cf).
 */
const replyTimeout = Duration.toMillis(back)

/** Clients that try at the same time. */
const clients = 8

/** Recipients that each client must have accepted in a row. */
const inARow = 5

describePeers(["dovecot", "postfix"], "Postfix after a restart of Postgres", () => {
  it.live(
    "accepts the mail of every client again within the time that its README states",
    () =>
      Effect.gen(function* () {
        const mail = yield* MailDatabase.make
        const suite = yield* startAdmin({
          database: mail.database,
          env: { ...mailServer, SIGNALBOX_POSTFIX_DIR: mail.postfixDir }
        })
        const stack = yield* MailStack.make({ version: "2.3", mail })
        const calls = callsOf(suite, as(7))
        const { id } = yield* calls.domain("outage.test")
        const { address } = yield* calls.account(id, "anna")
        const codes = yield* Ref.make<ReadonlyArray<number>>([])

        /**
         * Sessions with one recipient each, until `inARow` of them were accepted after `since`. Returns the time at
         * which the last session began whose recipient was not accepted.
         */
        const asking = Effect.fnUntraced(function* (since: Effect.Effect<number>) {
          let accepted = 0
          let refused = Number.NEGATIVE_INFINITY
          while (accepted < inARow) {
            const begun = yield* Clock.currentTimeMillis
            const code = yield* Effect.scoped(
              Effect.gen(function* () {
                const smtp = yield* port25(stack, replyTimeout)
                yield* smtp.say("MAIL FROM:<someone@elsewhere.test>")
                return (yield* smtp.say(`RCPT TO:<${address}>`)).code
              })
            )
            const at = yield* Clock.currentTimeMillis
            yield* Ref.update(codes, (all) => [...all, code])
            if (code !== 250) refused = begun
            accepted = at > (yield* since) && code === 250 ? accepted + 1 : 0
            yield* Effect.sleep(Duration.millis(100))
          }
          return refused
        })

        yield* asking(Effect.succeed(0))
        const returned = yield* Ref.make(Number.POSITIVE_INFINITY)
        const open = yield* Effect.forEach(Array.from({ length: clients }), () =>
          Effect.forkChild(asking(Ref.get(returned)))
        )
        yield* Effect.sleep(Duration.seconds(1))
        yield* mail.away
        yield* Effect.sleep(outage)
        yield* mail.back
        const answers = yield* Clock.currentTimeMillis
        yield* Ref.set(returned, answers)
        const lastRefused = yield* Effect.forEach(open, Fiber.join)
        yield* asking(Effect.succeed(0))
        expect((yield* Ref.get(codes)).includes(451)).toBe(true)
        // How long a session takes depends on what else the machine does, so its begin counts.
        expect(Math.max(...lastRefused) - answers).toBeLessThan(Duration.toMillis(back))
      }),
    120_000
  )
})
