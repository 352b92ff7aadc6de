/**
 * All mailboxes of the fleet, each watched once. They are spread over `slots` placed actors, which start the actors of their mailboxes.
 * A placed actor for each mailbox would cost every process 10.5 KB a mailbox, whether it watches it or not; a slot's cost 7.2 KB, where
 * they run (2,000 of them, measured).
 */
import { Context, Duration, Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { Component } from "#core/daemon/Health.ts"
import { Actor, type ActorSpec, Supervisor } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import { type Account, accountFields, accountTopic } from "../accounts/Account.ts"
import { trusting } from "../accounts/TrustedCertificates.ts"
import type { MailWatcherConfig } from "../accounts/Settings.ts"
import { pushTopic } from "./push/PushNotes.ts"
import { HostGates } from "./ConnectionLimiter.ts"
import { Mailbox, Mailboxes } from "./WatchedMailbox.ts"
import { mailboxActor, type Watching } from "./MailboxActor.ts"
import * as WatchStore from "./WatchStore.ts"

/** Reason: several processes share them about evenly, and one process has few. */
export const slots = 16

/** How often the accounts are compared without being announced. Reason: a lost announcement. */
const lookInterval = Duration.seconds(30)

/** How far back calls of mail servers are read again. Reason: a transaction that began earlier may be seen later. Unit: seconds. */
const pushSlack = 10

/** For how long is remembered what was told of, beyond what a look may ask for (FolderLine `memory`). Unit: days. */
const announcedKept = 8

/** Between two prunings. */
const pruneInterval = Duration.minutes(30)

export class Watchers extends Context.Service<Watchers, Watching & { readonly mailboxes: Mailboxes }>()(
  "signalbox/mail-watcher/Watchers"
) {}

export const layer = (config: Pick<MailWatcherConfig, "mailCa" | "pollSeconds">): Layer.Layer<Watchers> =>
  Layer.sync(Watchers, () => {
    return Watchers.of({
      mailboxes: new Mailboxes(),
      gates: new HostGates(),
      secureContext: trusting(config),
      pollEvery: Duration.seconds(config.pollSeconds)
    })
  })

type Row = Account & { readonly secret: string | null; readonly pushed: number | null }

interface Child {
  readonly row: string
  readonly mailbox: Mailbox
  readonly scope: Scope.Closeable
}

/** The watching of every `slots`-th account. */
const slot = (number: number): ActorSpec<any> => ({
  name: `mailboxes ${number} of ${slots}`,
  placed: true,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const sql = yield* SqlClient.SqlClient
    const supervisor = yield* Supervisor
    const { mailboxes, ...watching } = yield* Watchers
    const wakeup = yield* (yield* Wake).subscribe(accountTopic)
    const own = yield* Effect.scope
    const children = new Map<number, Child>()
    const stop = Effect.fnUntraced(function* (id: number, child: Child) {
      children.delete(id)
      yield* Scope.close(child.scope, Exit.void)
      mailboxes.remove(child.mailbox)
    })
    while (true) {
      yield* actor.progress
      const rows =
        yield* sql<Row>`select ${accountFields(sql)}, md5(password) as secret, (extract(epoch from pushed_at) * 1000)::float8 as pushed
        from mail_watcher.account where id % ${slots} = ${number} and not gone and state = 'active'`
      const wanted = new Map(
        rows.map(({ pushed, ...row }) => [row.id, { row: JSON.stringify(row), account: row, pushed: pushed ?? 0 }])
      )
      for (const [id, child] of children) {
        const still = wanted.get(id)
        if (still?.row === child.row) continue
        yield* stop(id, child)
        if (still === undefined) yield* WatchStore.record(child.mailbox.account, { mode: "connecting", folders: 0 })
      }
      for (const [id, { account, pushed, row }] of wanted) {
        if (children.has(id)) continue
        const mailbox = new Mailbox(account, pushed)
        const scope = yield* Scope.fork(own)
        mailboxes.add(mailbox)
        children.set(id, { row, mailbox, scope })
        yield* Scope.addFinalizer(
          scope,
          Effect.sync(() => mailboxes.remove(mailbox))
        )
        yield* Scope.provide(supervisor.start(mailboxActor(mailbox, watching)), scope)
      }
      yield* actor.note(`${children.size} mailboxes`)
      yield* wakeup.wait(lookInterval)
    }
  })
})

/** Mail servers that called have their mailboxes looked at at once, by whichever process watches them. */
const pushes: ActorSpec<any> = {
  name: "calls of mail servers",
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const sql = yield* SqlClient.SqlClient
    const { mailboxes } = yield* Watchers
    const wakeup = yield* (yield* Wake).subscribe(pushTopic)
    let since = 0
    while (true) {
      yield* actor.progress
      const rows = yield* sql<{
        id: number
        at: number
      }>`select id, (extract(epoch from pushed_at) * 1000)::float8 as at
        from mail_watcher.account where pushed_at > greatest(to_timestamp(${since / 1000 - pushSlack}), now() - interval '1 minute')`
      for (const { at, id } of rows) {
        since = Math.max(since, at)
        const mailbox = mailboxes.get(id)
        if (mailbox === undefined || !mailbox.pushed(at)) continue
        // Where NOTIFY stands it has been told already. What a look finds comes to the mailbox's actor, and so does its failure.
        if (mailbox.connection !== undefined && mailbox.connection.mode !== "notify")
          yield* Effect.forkScoped(Effect.ignore(mailbox.connection.look))
      }
      yield* wakeup.wait(lookInterval)
    }
  })
}

const prune: ActorSpec<any> = {
  name: "announced messages",
  placed: true,
  stallAfter: Duration.times(pruneInterval, 3),
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const sql = yield* SqlClient.SqlClient
    while (true) {
      yield* actor.progress
      // Counted from the latest look of each: what came while nobody watched is still to be compared with what was told before.
      const gone = yield* sql`delete from mail_watcher.announced a using mail_watcher.watch w
        where w.account_id = a.account_id and a.at < w.looked_at - make_interval(days => ${announcedKept}) returning 1`
      yield* actor.note(`last pruning removed ${gone.length}`)
      yield* Effect.sleep(pruneInterval)
    }
  })
}

export const watchActors: ReadonlyArray<ActorSpec<any>> = [
  ...Array.from({ length: slots }, (_, number) => slot(number)),
  pushes,
  prune
]

/** For `/health`: how many mailboxes this process watches, and how. One of ours that cannot be watched is a trouble of ours; a stranger's is not. */
export const watchHealth: Effect.Effect<Readonly<Record<string, Component>>, never, Watchers> = Effect.map(
  Watchers,
  ({ mailboxes }) => {
    const modes: Record<string, number> = {}
    let ours = 0
    for (const { account, mode } of mailboxes.all) {
      modes[mode] = (modes[mode] ?? 0) + 1
      if (account.kind === "own" && mode === "failed") ours += 1
    }
    return {
      mailboxes:
        mailboxes.size === 0
          ? { status: "unconfigured", modes }
          : ours === 0
            ? { status: "ok", modes }
            : { status: "degraded", detail: `${ours} of our own mailboxes cannot be watched`, modes }
    }
  }
)
