/**
 * Two reporters of the same mailbox, each with a different folder. A message in both folders must be announced once,
 * and none lost.
 */
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import * as FolderStore from "#daemons/mail-watcher/mailbox-watch/FolderStore.ts"
import { MailboxReporter } from "#daemons/mail-watcher/mailbox-watch/MailboxReporter.ts"
import * as WatchStore from "#daemons/mail-watcher/mailbox-watch/WatchStore.ts"
import type { Arrivals } from "#protocols/imap-watch/Arrivals.ts"
import type { FolderStatus } from "#protocols/imap-watch/Untagged.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { frame, until } from "#support/Frame.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"

/** Number of messages that both report at once. */
const rounds = 8

/** Runs `both` against a lock, so that both have started before either continues. */
const atOnce = Effect.fnUntraced(function* <A, E, R>(sql: TestSuite["sql"], both: Effect.Effect<A, E, R>) {
  const [held, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  yield* Effect.forkScoped(
    sql.withTransaction(
      Effect.andThen(
        sql`select 1 from mail_watcher.watch for update`,
        Effect.andThen(Deferred.succeed(held, undefined), Deferred.await(go))
      )
    )
  )
  yield* Deferred.await(held)
  const telling = yield* Effect.forkScoped(both)
  yield* until(
    "both wait",
    Effect.map(
      sql`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%update mail_watcher.watch set turn%'`,
      (waiting) => waiting.length === 2
    )
  )
  yield* Deferred.succeed(go, undefined)
  yield* Fiber.join(telling)
})

it.live(
  "two reporters of two folders announce each message once",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startSuite({ daemons: [mailWatcher], verifier: fakeUsers })
        const { sql } = suite
        // Suspended, so that the daemon does not watch it too.
        const [row] = yield* sql<{
          id: number
        }>`insert into mail_watcher.account (tenant_id, user_id, address, kind, state) values (7, 70, 'ann@two.test', 'own', 'suspended') returning id`
        const account = { id: row!.id, tenant_id: 7, user_id: 70, address: "ann@two.test" }
        const message = (number: number) => ({
          uid: number,
          internalDate: new Date(),
          size: 100,
          fromAddr: "eve@far.test",
          subject: `m${number}`,
          messageId: `<${number}@far.test>`,
          isDelivered: true
        })
        // Separate connections, because one process may send its statements over a single connection, one after the
        // other.
        const [first, second] = [
          yield* frame({ target: suite.database.target }),
          yield* frame({ target: suite.database.target })
        ]
        yield* Effect.gen(function* () {
          yield* WatchStore.storeStatus(account, { mode: "notify" })
          const cursor = { uidValidity: 1, uidNext: 1, since: Date.now() - 60_000, messages: 0, unseen: 0 }
          yield* FolderStore.apply(
            account,
            ["A", "B"].map((folder) => ({ _tag: "Begin" as const, folder, cursor }))
          )
          yield* WatchStore.storeScanTime(account, Date.now())
          const folders = new Map<string, FolderStatus>()
          const show = (number: number) =>
            ["A", "B"].forEach((folder) =>
              folders.set(folder, { messages: number, unseen: number, uidNext: number + 1, uidValidity: 1 })
            )
          show(0)
          let last = message(0)
          const arrivals = (): Effect.Effect<Arrivals> =>
            Effect.sync(() => ({ uidValidity: 1, messages: [last], next: last.uid + 1, more: false, status: {} }))
          const tellerOf = Effect.fnUntraced(function* () {
            const reporter = new MailboxReporter(
              account,
              { folders, arrivals, look: Effect.void, refresh: () => Effect.void, useOf: () => undefined },
              yield* WatchStore.load(account)
            )
            yield* reporter.handle([{ folder: "", kind: "looked", status: {} }])
            return reporter
          })
          const [one, two] = [yield* tellerOf(), yield* tellerOf()]
          for (let number = 1; number <= rounds; number++) {
            last = message(number)
            show(number)
            const heard = (reporter: MailboxReporter, folder: string) =>
              reporter.handle([{ folder, kind: "status", status: folders.get(folder)! }])
            yield* atOnce(
              sql,
              Effect.all([heard(one, "A"), Effect.provideContext(heard(two, "B"), second)], { concurrency: 2 })
            )
            const cursors = yield* sql<{
              next: number
            }>`select uid_next::int as next from mail_watcher.folder where account_id = ${account.id}`
            assert.deepStrictEqual(
              cursors.map(({ next }) => next),
              [number + 1, number + 1]
            )
          }
          const told = yield* sql<{
            subject: string
          }>`select data->'message'->>'subject' as subject from core.event where type = 'mail.new_message' order by id`
          assert.deepStrictEqual(
            told.map(({ subject }) => subject),
            Array.from({ length: rounds }, (_, index) => `m${index + 1}`)
          )
        }).pipe(Effect.provideContext(first))
      })
    ),
  120_000
)
