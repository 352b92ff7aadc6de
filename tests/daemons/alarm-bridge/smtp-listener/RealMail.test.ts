/** Mails of real programs: swaks, and Postfix with Dovecot. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import * as Postfix from "#support/peers/Postfix.ts"
import * as Swaks from "#support/peers/Swaks.ts"
import { smtpPort, startBridge, subjects, watched } from "../Bridge.ts"

describePeers(["swaks", "postfix", "dovecot"], "real mail", () => {
  it.live(
    "swaks to the listener; swaks to Postfix to Dovecot to the mailbox",
    () =>
      Effect.gen(function* () {
        const user = { address: "alarm@example.test", password: "secret" }
        const dovecot = yield* Dovecot.make({ users: [user] })
        const postfix = yield* Postfix.make({ lmtpPort: dovecot.lmtpPort })
        const bridge = yield* startBridge({
          mailboxes: [
            {
              name: "alarms",
              host: "127.0.0.1",
              port: dovecot.imapPort,
              tls: "none",
              user: user.address,
              password: user.password
            }
          ]
        })
        yield* watched(bridge)
        const mail = { from: "device@example.test", to: user.address, body: "hot" }
        const direct = yield* Swaks.send({ ...mail, port: yield* smtpPort(bridge), subject: "direct" })
        expect(direct.accepted, direct.transcript).toBe(true)
        const relayed = yield* Swaks.send({ ...mail, port: postfix.smtpPort, subject: "relayed" })
        expect(relayed.accepted, relayed.transcript).toBe(true)
        expect((yield* subjects(bridge, 2)).sort()).toEqual(["direct", "relayed"])
      }),
    120_000
  )
})
