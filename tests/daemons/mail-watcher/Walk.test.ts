/** Walks over every operation of mail-watcher, as two tenants and with invalid input. */
import { Effect } from "effect"
import { accountTopic } from "#daemons/mail-watcher/accounts/Account.ts"
import { until } from "#support/Frame.ts"
import { distinctIds, fakeCallers, walked } from "#support/walk/Walked.ts"
import { accountCases } from "./walk/AccountCases.ts"
import { peopleCases } from "./walk/PeopleCases.ts"
import { readingCases } from "./walk/ReadingCases.ts"
import { writingCases } from "./walk/WritingCases.ts"
import { startWatcher } from "./Watcher.ts"
import * as SubmissionServer from "./webmail-sending/SubmissionServer.ts"

walked(
  "mail-watcher",
  Effect.gen(function* () {
    const submission = yield* SubmissionServer.make
    const placed = yield* startWatcher(["walk@example.test"], { trusted: submission.certificate })
    const { suite } = placed
    // The walk compares rows before and after each request. The watch of a mailbox changes its row at any time, so
    // mailboxes are watched only on demand here.
    yield* suite.sql`alter table mail_watcher.account alter column watch set default 'lazy'`
    yield* distinctIds(suite, "mail_watcher", ["account.id"])
    return {
      suite,
      schema: "mail_watcher",
      // The watch creates one row per new account.
      settled: Effect.andThen(
        suite.sql`select pg_notify('signalbox', ${accountTopic})`,
        until(
          "the watch knows all accounts",
          Effect.map(
            suite.sql`select 1 from mail_watcher.account a where state = 'active' and not exists (select 1 from mail_watcher.watch w where w.account_id = a.id)`,
            (unknown) => unknown.length === 0
          )
        )
      ),
      cases: {
        ...accountCases(placed),
        ...peopleCases(placed),
        ...readingCases(placed),
        ...writingCases(placed, submission.port)
      },
      ...(yield* fakeCallers(suite))
    }
  }),
  240_000
)
