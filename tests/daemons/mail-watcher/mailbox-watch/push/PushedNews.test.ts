/**
 * A real Dovecot without IDLE and NOTIFY that pushes with the shipped files: new mail is announced in seconds, long
 * before the next scan.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { hashOf } from "#core/auth/ServiceTokenStore.ts"
import { portVariable } from "#core/daemon/KnownDaemons.ts"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { peerOf } from "#support/peers/DovecotPlace.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { elsewhere, mail, newMessages, told, untilMode, watchRow } from "../Watched.ts"
import { addAccount, startWatcher } from "../../Watcher.ts"

const token = "sbx_of-a-test-dovecot"
const address = "ann@example.test"

/** Longest delay of an announcement. Unit: seconds. Reason: 0.1 s on an idle machine; the next scan is 60 s away. */
const soon = 10

for (const version of ["2.3", "2.4"] as const) {
  describePeers([peerOf(version)], `a mailbox on Dovecot ${version} that calls us`, () => {
    it.live(
      "announces pushed mail of any folder once",
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const port = yield* freePort
            const placed = yield* startWatcher([address], {
              dovecot: { version, idle: false, push: { server: `127.0.0.1:${port}`, token } },
              suite: { env: { [portVariable("mail-watcher")]: String(port) } }
            })
            const { dovecot, suite } = placed
            yield* suite.sql`insert into core.service_token (name, hash, scopes) values ('dovecot', ${Buffer.from(hashOf(token), "hex")}, '{mail-push}')`
            yield* dovecot.deliver(address, mail("old"))
            const id = yield* addAccount(placed, { address, tenant: 7, watch: "always" })
            // Dovecot may push the first mail before or after the mailbox is known here.
            yield* until(
              "it is watched",
              Effect.map(watchRow(suite, id), (row) => row?.mode === "poll" || row?.mode === "push")
            )

            const begun = performance.now()
            yield* dovecot.deliver(address, mail("one"))
            yield* until(
              "it is told of",
              Effect.map(told(suite, address), (all) => all.includes("INBOX one")),
              soon
            )
            yield* elsewhere(dovecot, address, async (client) => {
              await client.mailboxCreate("Work")
              await client.append("Work", mail("two"))
            })
            yield* until(
              "so is what comes to another folder",
              Effect.map(told(suite, address), (all) => all.includes("Work two")),
              soon
            )
            yield* untilMode(suite, id, "push")
            // Too early for a regular scan.
            assert.isBelow(performance.now() - begun, 40_000)
            assert.deepStrictEqual(
              (yield* newMessages(suite, address)).map(({ folder, message }) => [
                folder,
                message.subject,
                message.from_addr
              ]),
              [
                ["INBOX", "one", "ann@sender.test"],
                ["Work", "two", "ann@sender.test"]
              ]
            )
          })
        ),
      120_000
    )
  })
}
