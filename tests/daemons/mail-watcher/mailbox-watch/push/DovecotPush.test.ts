/**
 * A real Dovecot without IDLE that pushes with the shipped files: LMTP deliveries and changes by mail clients. A
 * failing push must not delay a delivery.
 */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { ImapFlow } from "imapflow"
import { type AddressInfo, createServer } from "node:net"
import { hashOf } from "#core/auth/ServiceTokenStore.ts"
import { portVariable } from "#core/daemon/KnownDaemons.ts"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { peerOf } from "#support/peers/DovecotPlace.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { elsewhere, mail as letter, untilMode, untilTold } from "../Watched.ts"
import { addAccount, password, startWatcher } from "../../Watcher.ts"

const token = "sbx_of-a-test-dovecot"
const mail = "From: bob@far.test\r\nSubject: news\r\n\r\nHello\r\n"

for (const version of ["2.3", "2.4"] as const) {
  describePeers([peerOf(version)], `Dovecot ${version} with the push files of config/dovecot`, () => {
    it.live(
      "pushes each change with its address, and delivers without a listener",
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const port = yield* freePort
            const address = "ann@example.test"
            const placed = yield* startWatcher([address, "zed@example.test"], {
              dovecot: { version, idle: false, push: { server: `127.0.0.1:${port}`, token } },
              suite: { env: { [portVariable("mail-watcher")]: String(port) } }
            })
            const {
              dovecot,
              suite: { sql }
            } = placed
            const pushed = Effect.map(
              sql<{ pushed: boolean }>`select pushed_at is not null as pushed from mail_watcher.account`,
              ([row]) => row!.pushed
            )
            const forget = sql`update mail_watcher.account set pushed_at = null`
            yield* addAccount(placed, { address, tenant: 7 })

            // The token does not exist yet. The mail is delivered nevertheless.
            yield* dovecot.deliver(address, mail)
            yield* until(
              "its trouble is told",
              Effect.sync(() => dovecot.log().includes("signalbox push: status 401"))
            )
            expect(yield* pushed).toBe(false)

            yield* sql`insert into core.service_token (name, hash, scopes) values ('dovecot', ${Buffer.from(hashOf(token), "hex")}, '{mail-push}')`
            yield* until("a delivery is told of", Effect.andThen(dovecot.deliver(address, mail), pushed))
            // A mailbox that is not watched causes no error.
            yield* dovecot.deliver("zed@example.test", mail)
            expect(dovecot.log()).not.toContain("status 404")

            const client = new ImapFlow({
              host: "127.0.0.1",
              port: dovecot.imapPort,
              secure: false,
              tls: { ca: dovecot.certificate! },
              auth: { user: address, pass: password },
              logger: false
            })
            client.on("error", () => {})
            yield* Effect.acquireRelease(
              Effect.promise(() => client.connect()),
              () => Effect.sync(() => client.close())
            )
            const changes: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
              ["a folder that is made", () => client.mailboxCreate("Kept")],
              ["a folder that is renamed", () => client.mailboxRename("Kept", "Held")],
              ["a mail that is put there", () => client.append("Held", mail)],
              [
                "a mail that was read",
                () => client.mailboxOpen("INBOX").then(() => client.messageFlagsAdd("1", ["\\Seen"]))
              ],
              ["a mail that was unread", () => client.messageFlagsRemove("1", ["\\Seen"])],
              ["a mail that is moved", () => client.messageMove("1", "Held")],
              ["a mail that is deleted", () => client.messageDelete("1")],
              ["a folder that is deleted", () => client.mailboxClose().then(() => client.mailboxDelete("Held"))]
            ]
            for (const [what, change] of changes) {
              yield* forget
              yield* Effect.promise(change)
              yield* until(`it tells of ${what}`, pushed)
            }
            expect(dovecot.log()).not.toContain(token)
            expect(dovecot.log()).not.toContain("Panic")
          })
        ),
      120_000
    )

    it.live(
      "announces pushed mail at once",
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const port = yield* freePort
            const [always, lazy] = ["ann@example.test", "bob@example.test"] as const
            const placed = yield* startWatcher([always, lazy], {
              dovecot: { version, idle: false, push: { server: `127.0.0.1:${port}`, token } },
              suite: { env: { [portVariable("mail-watcher")]: String(port), SIGNALBOX_MAIL_POLL_SECONDS: "50" } }
            })
            const { dovecot, suite } = placed
            yield* suite.sql`insert into core.service_token (name, hash, scopes) values ('dovecot', ${Buffer.from(hashOf(token), "hex")}, '{mail-push}')`
            const id = yield* addAccount(placed, { address: always, tenant: 7, watch: "always" })
            const looked = (account: number) =>
              until(
                "it was looked at",
                Effect.map(
                  suite.sql`select 1 from mail_watcher.folder where account_id = ${account}`,
                  (rows) => rows.length > 0
                )
              )
            yield* looked(id)
            yield* dovecot.deliver(always, letter("one"))
            yield* untilTold(suite, always, ["INBOX one"])
            yield* untilMode(suite, id, "push")
            yield* elsewhere(dovecot, always, (client) => client.mailboxCreate("Kept"))
            yield* elsewhere(dovecot, always, (client) => client.append("Kept", letter("two")))
            yield* untilTold(suite, always, ["INBOX one", "Kept two"])

            // A mailbox to which no client is connected.
            const other = yield* addAccount(placed, { address: lazy, tenant: 8, watch: "lazy" })
            yield* untilMode(suite, other, "lazy")
            // Mail from before the first scan is old.
            yield* dovecot.deliver(lazy, letter("old"))
            yield* looked(other)
            yield* dovecot.deliver(lazy, letter("three"))
            yield* untilTold(suite, lazy, ["INBOX three"])
          })
        ),
      120_000
    )

    it.live(
      "stops waiting after its timeout",
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const silent = createServer(() => {})
            yield* Effect.acquireRelease(
              Effect.promise(() => new Promise<void>((done) => silent.listen(0, "127.0.0.1", done))),
              () => Effect.sync(() => silent.close())
            )
            const { port } = silent.address() as AddressInfo
            const dovecot = yield* Dovecot.make({
              version,
              users: [{ address: "ann@example.test", password }],
              push: { server: `127.0.0.1:${port}`, token }
            })
            yield* dovecot.start
            const begun = performance.now()
            yield* dovecot.deliver("ann@example.test", mail)
            // Two timeouts of 2 s, because creating the mailbox pushes too.
            expect(performance.now() - begun).toBeLessThan(12_000)
            yield* until(
              "the timeout is told",
              Effect.sync(() => dovecot.log().includes("signalbox push: status 9"))
            )
          })
        ),
      120_000
    )
  })
}
