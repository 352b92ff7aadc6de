/**
 * Distributes the mailboxes of the fleet over `slots` placed actors. Each slot starts the actors of its mailboxes, so
 * every mailbox is watched once. One placed actor per mailbox would cost every process 10.5 KB per mailbox, watched
 * there or not. A mailbox in a slot costs 7.2 KB, only where it is watched (measured with 2,000 mailboxes).
 */
import { Duration, Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { Wake } from "#core/events/Wake.ts"
import { Actor, type ActorSpec, Supervisor } from "#core/supervision/Supervisor.ts"
import { type Account, accountFields, accountTopic } from "../accounts/Exports.ts"
import { pruneAnnounced } from "./AnnouncedPruning.ts"
import { type MailboxActorServices, mailboxActor } from "./MailboxActor.ts"
import { MailboxWatch } from "./MailboxWatch.ts"
import { pushListener } from "./push/PushListener.ts"
import { WatchedMailbox } from "./WatchedMailbox.ts"
import * as WatchStore from "./WatchStore.ts"

/** Number of slots. Reason: several processes share them about evenly, and one process has few. */
export const slots = 16

/** Interval between two reads of the accounts without an announcement. Reason: an announcement can be lost. */
const rereadInterval = Duration.seconds(30)

/** The same for a slot without mailboxes. Reason: sixteen slots of a small installation read for nothing. */
const emptyRereadInterval = Duration.seconds(60)

type Row = Account & { readonly secret: string | null; readonly pushed: number | null }

interface Child {
  /** The account row that the actor was started with, as JSON. A changed row restarts the actor. */
  readonly row: string
  readonly mailbox: WatchedMailbox
  readonly scope: Scope.Closeable
}

type SlotServices = MailboxActorServices | MailboxWatch | Supervisor | SqlClient.SqlClient | Wake

/** Watches the accounts whose id leaves the remainder `number` when divided by `slots`. */
const slot = (number: number): ActorSpec<SlotServices> => ({
  name: `mailboxes ${number} of ${slots}`,
  placed: true,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const sql = yield* SqlClient.SqlClient
    const supervisor = yield* Supervisor
    const { mailboxes, ...dependencies } = yield* MailboxWatch
    const wakeup = yield* (yield* Wake).subscribe(accountTopic)
    const slotScope = yield* Effect.scope
    const children = new Map<number, Child>()
    const stop = Effect.fnUntraced(function* (id: number, child: Child) {
      children.delete(id)
      yield* Scope.close(child.scope, Exit.void)
      mailboxes.remove(child.mailbox)
    })
    while (true) {
      yield* actor.progress
      const rows = yield* sql<Row>`
        select ${accountFields(sql)}, md5(password) as secret, (extract(epoch from pushed_at) * 1000)::float8 as pushed
          from mail_watcher.account where id % ${slots} = ${number} and not gone and state = 'active'`
      const desired = new Map(
        rows.map(({ pushed, ...row }) => [row.id, { row: JSON.stringify(row), account: row, pushed: pushed ?? 0 }])
      )
      for (const [id, child] of children) {
        const current = desired.get(id)
        if (current?.row === child.row) continue
        yield* stop(id, child)
        if (current === undefined)
          yield* WatchStore.storeStatus(child.mailbox.account, { mode: "connecting", folders: 0 })
      }
      for (const [id, { account, pushed, row }] of desired) {
        if (children.has(id)) continue
        const mailbox = new WatchedMailbox(account, pushed)
        const scope = yield* Scope.fork(slotScope)
        mailboxes.add(mailbox)
        children.set(id, { row, mailbox, scope })
        yield* Scope.addFinalizer(
          scope,
          Effect.sync(() => mailboxes.remove(mailbox))
        )
        yield* Scope.provide(supervisor.start(mailboxActor(mailbox, dependencies)), scope)
      }
      yield* actor.note(`${children.size} mailboxes`)
      yield* wakeup.wait(children.size === 0 ? emptyRereadInterval : rereadInterval)
    }
  })
})

/** All actors of the feature. */
export const watchActors: ReadonlyArray<ActorSpec<SlotServices>> = [
  ...Array.from({ length: slots }, (_, number) => slot(number)),
  pushListener,
  pruneAnnounced
]
