/**
 * Starts one watcher for each configured mailbox, in every process; the cluster chooses the process that runs it. After
 * a change of the list all watchers start again: each continues after its stored cursor.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Values } from "#core/config/Settings.ts"
import { untilReplaced } from "#core/settings/LiveSettings.ts"
import { Actor, type ActorSpec, type Needs, Supervisor } from "#core/supervision/Supervisor.ts"
import type { mailboxesSettings } from "./MailboxesSettings.ts"
import { watcher } from "./MailboxWatcher.ts"

type WatcherNeeds = Needs<
  ReturnType<typeof watcher>["run"] extends Effect.Effect<unknown, unknown, infer R> ? R : never
>

/** `config` has present values. */
export const mailboxKeeper = (
  config: Values<typeof mailboxesSettings>
): ActorSpec<WatcherNeeds | Supervisor | SqlClient.SqlClient> => ({
  name: "alarm mailboxes",
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const supervisor = yield* Supervisor
    while (true) {
      const { firstStart, mailboxes, pollSeconds } = config
      yield* Effect.scoped(
        Effect.gen(function* () {
          const options = { firstStart, pollSeconds, of: mailboxes.length }
          yield* Effect.forEach(mailboxes, (mailbox) => supervisor.start(watcher(mailbox, options)), { discard: true })
          yield* actor.note(mailboxes.length === 1 ? "one mailbox" : `${mailboxes.length} mailboxes`)
          yield* untilReplaced(() => [config.mailboxes], actor.progress)
        })
      )
    }
  })
})
