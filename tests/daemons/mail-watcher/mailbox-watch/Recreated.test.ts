/** A folder that is deleted and created again before the reporter has seen that it was gone. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import * as FolderStore from "#daemons/mail-watcher/mailbox-watch/FolderStore.ts"
import { MailboxReporter } from "#daemons/mail-watcher/mailbox-watch/MailboxReporter.ts"
import * as WatchStore from "#daemons/mail-watcher/mailbox-watch/WatchStore.ts"
import type { FolderStatus } from "#protocols/imap-watch/Untagged.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { frame } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"

it.live(
  "is scanned, because the server may report no mail in it",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startSuite({ daemons: [mailWatcher], verifier: fakeUsers })
        // Suspended, so that the daemon does not watch it too.
        const [row] = yield* suite.sql<{
          id: number
        }>`insert into mail_watcher.account (tenant_id, user_id, address, kind, state) values (7, 70, 'ann@two.test', 'own', 'suspended') returning id`
        const account = { id: row!.id, tenant_id: 7, user_id: 70, address: "ann@two.test" }
        yield* Effect.gen(function* () {
          yield* WatchStore.storeStatus(account, { mode: "notify" })
          const counters = { messages: 0, unseen: 0, uidNext: 1, uidValidity: 1 }
          yield* FolderStore.apply(account, [
            { _tag: "Begin", folder: "Work", cursor: { ...counters, since: Date.now() - 60_000 } }
          ])
          yield* WatchStore.storeScanTime(account, Date.now())
          const folders = new Map<string, FolderStatus>([["Work", counters]])
          let scans = 0
          const reporter = new MailboxReporter(
            account,
            {
              folders,
              arrivals: () => Effect.die("not asked"),
              look: Effect.sync(() => void scans++),
              refresh: () => Effect.void,
              useOf: () => undefined
            },
            yield* WatchStore.load(account)
          )
          yield* reporter.handle([{ folder: "", kind: "looked", status: {} }])
          folders.set("Work", {})
          yield* reporter.handle([
            { folder: "Work", kind: "gone", status: counters },
            { folder: "Work", kind: "listed", status: {} }
          ])
          assert.strictEqual(scans, 1)
        }).pipe(Effect.provideContext(yield* frame({ target: suite.database.target })))
      })
    ),
  120_000
)
