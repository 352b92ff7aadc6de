/**
 * Own mailboxes are opened without their passwords. mail-watcher signs a mail token, a real Dovecot with the files of
 * config/dovecot introspects it at identity, and identity knows the state of the mailbox from mail-admin's events.
 */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { hashOf } from "#core/auth/ServiceTokenStore.ts"
import { portVariable } from "#core/daemon/KnownDaemons.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { peerOf } from "#support/peers/DovecotPlace.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"
import { tell } from "../daemons/identity/mail-login/MailSuite.ts"

const secret = "sbx_of-a-test-introspector"

/** Longest wait for a state. Unit: seconds. Reason: a sign-in at a busy Dovecot takes seconds. */
const patience = 20

const [ann, bob, eve] = ["ann@ours.test", "bob@ours.test", "eve@ours.test"] as const

for (const version of ["2.3", "2.4"] as const) {
  describePeers([peerOf(version)], `own mailboxes on Dovecot ${version}`, () => {
    it.live(
      "are opened by a token for the moment, while they work",
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const port = yield* freePort
            const dovecot = yield* Dovecot.make({
              version,
              tls: true,
              users: [ann, bob, eve].map((address) => ({ address, password: "nobody knows" })),
              tokens: { server: `127.0.0.1:${port}`, clientId: "dovecot", clientSecret: secret }
            })
            const ca = join(yield* temporaryDirectory(), "ca.pem")
            writeFileSync(ca, dovecot.certificate!)
            const { call, sql, token } = yield* startSuite({
              daemons: [identity, mailWatcher],
              env: {
                [portVariable("identity")]: String(port),
                SIGNALBOX_MAIL_CONNECT_HOST: "localhost",
                SIGNALBOX_MAIL_IMAP_PORT: String(dovecot.imapsPort),
                SIGNALBOX_MAIL_CA: ca
              }
            })
            const platform = yield* token
            yield* sql`insert into core.service_token (name, hash, scopes) values ('dovecot', ${Buffer.from(hashOf(secret), "hex")}, '{introspection}')`
            yield* dovecot.start
            // A mailbox without a user, one with a user, and one that is suspended from the start.
            yield* tell(sql, { address: ann, account_id: 1, user_id: null, tenant_id: 2 })
            yield* tell(sql, { address: bob, account_id: 2, user_id: 7, tenant_id: 2 })
            yield* tell(sql, { address: eve, account_id: 3, user_id: 8, tenant_id: 2, state: "suspended" })
            const mailbox = (address: string) =>
              call("GET", `/api/v1/mail/webmail/folders?account=${address}`, { of: "mail-watcher", token: platform })
            yield* until(
              "the accounts are known, and a key signs",
              Effect.map(mailbox(eve), ({ status }) => status === 409),
              patience
            )

            for (const address of [ann, bob]) {
              // identity may learn of the account later, and a busy one cannot always tell Dovecot in time.
              yield* until(
                `${address} is opened`,
                Effect.map(mailbox(address), ({ status, text }) => status === 200 && text.includes("INBOX")),
                patience
              )
            }
            const refused = yield* mailbox(eve)
            expect([refused.status, refused.json.code]).toEqual([409, "mail_sign_in_refused"])
            expect(refused.json.detail).toBe("The mailbox is suspended.")
            // Without the local state, Dovecot refuses the token.
            yield* sql`update mail_watcher.account set state = 'active' where address = ${eve}`
            // Readers use a projection of the accounts, which is compared within a second.
            yield* until(
              "the change is known, and Dovecot refuses it",
              Effect.map(
                mailbox(eve),
                ({ json, status }) =>
                  status === 409 && json.code === "mail_sign_in_refused" && !json.detail.includes("suspended")
              ),
              patience
            )
            yield* tell(sql, { address: eve, account_id: 3, user_id: 8, tenant_id: 2 })
            yield* until(
              "it works again",
              Effect.map(mailbox(eve), ({ status }) => status === 200),
              patience
            )

            // A suspended mailbox is closed even during a session, and opens again later.
            yield* tell(sql, { address: ann, account_id: 1, user_id: null, tenant_id: 2, state: "suspended" })
            yield* until(
              "its session is over",
              Effect.map(mailbox(ann), ({ status }) => status === 409),
              patience
            )
            yield* tell(sql, { address: ann, account_id: 1, user_id: null, tenant_id: 2 })
            yield* until(
              "it is opened again",
              Effect.map(mailbox(ann), ({ status }) => status === 200),
              patience
            )

            // A deleted account does not exist any more. A mailbox that only Dovecot knows is not opened either.
            yield* tell(sql, { address: bob, account_id: 2, user_id: 7, tenant_id: 2, state: "deleted" })
            yield* until(
              "it is gone",
              Effect.map(mailbox(bob), ({ status }) => status === 404),
              patience
            )
            expect((yield* sql`select 1 from mail_watcher.account where password is not null`).length).toBe(0)
          })
        ),
      120_000
    )
  })
}
