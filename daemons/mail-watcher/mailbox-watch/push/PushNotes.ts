/**
 * Records that a mail server reported new mail for an address, and announces it. Repeated reports for one address are
 * written at once, then every 200 ms, the last one after the last report.
 */
import { Context, Deferred, Duration, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Wake } from "#core/events/Wake.ts"

/** Announced with every record; `pushed_at` of the accounts shows which mailboxes have news. */
export const pushTopic = "mail-watcher.push"

/** Minimum interval between two records for one address. Unit: milliseconds. Reason: no user notices this delay. */
export const noteInterval = 200

export class PushNotes extends Context.Service<
  PushNotes,
  {
    /** Records a report for this address. False: no account has the address. */
    readonly push: (address: string) => Effect.Effect<boolean, SqlError.SqlError>
  }
>()("signalbox/mail-watcher/Pushes") {}

/** An address within `noteInterval` of its last record. */
interface Held {
  readonly first: Deferred.Deferred<boolean, SqlError.SqlError>
  /** Another report arrived since the last record began. */
  more: boolean
}

export const layer: Layer.Layer<PushNotes, never, SqlClient.SqlClient | Wake> = Layer.effect(
  PushNotes,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const wake = yield* Wake
    const scope = yield* Effect.scope
    const held = new Map<string, Held>()

    /** One statement, so that every record is announced. */
    const note = (address: string) =>
      Effect.map(
        sql`with noted as (update mail_watcher.account set pushed_at = now() where address = ${address} and not gone
          returning 1)
          select told.* from (select count(*) from noted) n (count), lateral (${wake.announcement(pushTopic)}) told
            where n.count > 0`,
        (rows) => rows.length > 0
      )

    const run = Effect.fnUntraced(
      function* (address: string, state: Held) {
        const outcome = yield* Effect.exit(note(address))
        yield* Deferred.done(state.first, outcome)
        while (true) {
          yield* Effect.sleep(Duration.millis(noteInterval))
          if (!state.more) return
          state.more = false
          yield* Effect.catch(note(address), (error) =>
            Effect.logWarning(`cannot record a push of a mail server: ${error.message}`)
          )
        }
      },
      (effect, address) =>
        Effect.ensuring(
          effect,
          Effect.sync(() => held.delete(address))
        )
    )

    return PushNotes.of({
      push: (address) =>
        Effect.uninterruptibleMask((restore) => {
          // Uninterruptible until `run` is forked: otherwise the entry could stay without a record.
          const before = held.get(address)
          if (before !== undefined) {
            before.more = true
            return restore(Deferred.await(before.first))
          }
          const state: Held = { first: Deferred.makeUnsafe(), more: false }
          held.set(address, state)
          return Effect.andThen(Effect.forkIn(run(address, state), scope), restore(Deferred.await(state.first)))
        })
    })
  })
)
