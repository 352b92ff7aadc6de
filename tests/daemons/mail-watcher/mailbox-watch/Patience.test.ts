/** Slow mail servers must not make the watchdog consider the process hung. */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { createSecureContext } from "node:tls"
import { Actor } from "#core/supervision/Supervisor.ts"
import type { Account } from "#daemons/mail-watcher/accounts/Account.ts"
import * as GuardedHost from "#daemons/mail-watcher/accounts/GuardedHost.ts"
import { MailLogins } from "#daemons/mail-watcher/accounts/MailLogins.ts"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import { ConnectionLimiter, maxVisits } from "#daemons/mail-watcher/mailbox-watch/ConnectionLimiter.ts"
import { WatchedMailbox } from "#daemons/mail-watcher/mailbox-watch/WatchedMailbox.ts"
import { mailboxActor } from "#daemons/mail-watcher/mailbox-watch/MailboxActor.ts"
import { MailboxReporter } from "#daemons/mail-watcher/mailbox-watch/MailboxReporter.ts"
import { TokenBucket } from "#core/limits/TokenBucket.ts"
import { foreignEvents } from "#daemons/mail-watcher/mailbox-watch/WatchedMailbox.ts"
import * as WatchStore from "#daemons/mail-watcher/mailbox-watch/WatchStore.ts"
import type { Arrivals } from "#protocols/imap-watch/Arrivals.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { frame, until } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"
import { watchRow } from "./Watched.ts"

const logins = Layer.succeed(
  MailLogins,
  MailLogins.of({
    imap: () => Effect.succeed({ host: "imap.far.test", port: 993, foreign: true }),
    submission: () => Effect.die("not asked"),
    login: () => Effect.die("not asked")
  })
)

it.live(
  "limits a server that invents messages or recreates folders without end",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startSuite({ daemons: [mailWatcher], verifier: fakeUsers })
        const [row] = yield* suite.sql<{
          id: number
        }>`insert into mail_watcher.account (tenant_id, user_id, address, kind, state) values (7, 70, 'ann@far.test', 'own', 'suspended') returning id`
        const account = { id: row!.id, tenant_id: 7, user_id: 70, address: "ann@far.test" }
        yield* Effect.gen(function* () {
          yield* WatchStore.storeStatus(account, { mode: "poll" })
          const folders = new Map([["INBOX", { messages: 0, unseen: 0, uidNext: 1, uidValidity: 1 }]])
          let validity = 10
          let asked = 0
          const arrivals = () =>
            Effect.sync((): Arrivals => {
              asked += 1
              return { uidValidity: ++validity, messages: [], next: 1, more: false, status: {} }
            })
          const pace = new TokenBucket(foreignEvents, Date.now())
          const reporter = new MailboxReporter(
            account,
            { folders, arrivals, look: Effect.void, refresh: () => Effect.void, useOf: () => undefined },
            yield* WatchStore.load(account),
            pace
          )
          const looked = reporter.handle([{ folder: "", kind: "looked", status: {} }])
          yield* looked
          folders.set("INBOX", { messages: 0, unseen: 0, uidNext: 9, uidValidity: 2 })
          yield* looked
          assert.isAtMost(asked, 2)
          pace.take(2 * foreignEvents.burst, Date.now())
          folders.set("INBOX", { messages: 0, unseen: 0, uidNext: 9, uidValidity: 9_999 })
          assert.isTrue(Option.isNone(yield* Effect.timeoutOption(looked, "300 millis")))
        }).pipe(Effect.provideContext(yield* frame({ target: suite.database.target })))
      })
    ),
  120_000
)

it.live(
  "reports progress while waiting for a connection",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startSuite({ daemons: [mailWatcher], verifier: fakeUsers })
        // Suspended, so that the daemon does not watch it too.
        const [row] = yield* suite.sql<{
          id: number
        }>`insert into mail_watcher.account (tenant_id, user_id, address, kind, state) values (7, 70, 'ann@far.test', 'own', 'suspended') returning id`
        const account = {
          id: row!.id,
          tenant_id: 7,
          user_id: 70,
          address: "ann@far.test",
          kind: "foreign",
          watch: "always"
        } as Account
        const connections = new ConnectionLimiter(() => ({
          connections: 0,
          signIns: 1,
          signInRate: { burst: 1, perSecond: 1_000 }
        }))
        for (let taken = 0; taken < maxVisits; taken++) yield* connections.acquire("imap.far.test", true)
        let signs = 0
        const actor = mailboxActor(new WatchedMailbox(account, 0), {
          connections,
          secureContext: createSecureContext(),
          pollEvery: undefined
        })
        const scope = yield* Scope.make()
        yield* Effect.gen(function* () {
          yield* Effect.forkIn(Effect.scoped(actor.run), scope)
          yield* until(
            "it waits",
            Effect.map(watchRow(suite, account.id), (seen) => seen?.mode === "connecting")
          ).pipe(TestClock.withLive)
          for (let minutes = 0; minutes < 30; minutes += 5) yield* TestClock.adjust("5 minutes")
          assert.isAtLeast(signs, 4)
        }).pipe(
          Effect.provideService(
            Actor,
            Actor.of({ name: "it", progress: Effect.sync(() => void (signs += 1)), note: () => Effect.void })
          ),
          Effect.provide(Layer.mergeAll(logins, GuardedHost.layer({ allowCidrs: [] }), TestClock.layer())),
          Effect.provideContext(yield* frame({ target: suite.database.target }))
        )
        yield* Scope.close(scope, Exit.void)
      })
    ),
  120_000
)
