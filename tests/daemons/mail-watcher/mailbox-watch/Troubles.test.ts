/**
 * Failures of mail servers, mailboxes and daemons while mailboxes are watched: no message is lost or announced twice.
 */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { join } from "node:path"
import { Environment, settings } from "#core/config/Environment.ts"
import * as Secrets from "#core/config/Secrets.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { accountTopic } from "#daemons/mail-watcher/accounts/Account.ts"
import { guardedHost, mailLogins } from "#daemons/mail-watcher/accounts/Layers.ts"
import { watchSettings } from "#daemons/mail-watcher/mailbox-watch/Settings.ts"
import * as MailboxWatch from "#daemons/mail-watcher/mailbox-watch/MailboxWatch.ts"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import { pushTopic } from "#daemons/mail-watcher/mailbox-watch/push/PushNotes.ts"
import { watchActors } from "#daemons/mail-watcher/mailbox-watch/MailboxSlots.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { frame, until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { startSuite } from "#support/TestSuite.ts"
import { untilWithin } from "#support/Within.ts"
import { addAccount, password, type Placed, startWatcher } from "../Watcher.ts"
import { elsewhere, mail, told, untilMode, untilTold, watchRow } from "./Watched.ts"

const names = ["ann", "ben", "cid", "dan", "eve", "fay", "gus"] as const
const addressOf = (name: (typeof names)[number]) => `${name}@example.test`

class Place extends Context.Service<Place, Placed>()("test/Place/Troubles") {
  static readonly layer = Layer.effect(Place, startWatcher(names.map(addressOf)))
}

/** Adds one of the mailboxes, which is watched from now on. */
const watched = Effect.fnUntraced(function* (name: (typeof names)[number], watch: "always" | "lazy" = "always") {
  const placed = yield* Place
  const address = addressOf(name)
  const id = yield* addAccount(placed, { address, tenant: 7, watch })
  if (watch === "always") yield* untilMode(placed.suite, id, "notify")
  return { ...placed, address, id }
})

const deliver = ({ dovecot }: Placed, address: string, from: number, to: number) =>
  Effect.forEach(
    Array.from({ length: to - from }, (_, index) => from + index),
    (index) => dovecot.deliver(address, mail(`m${index}`)),
    { discard: true }
  )

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `INBOX m${index}`)

const announce = (topic: string) =>
  Effect.flatMap(Place, ({ suite }) => suite.sql`select pg_notify('signalbox', ${topic})`)

describePeers(["dovecot"], "a mailbox that is watched through", () => {
  layer(Place.layer, { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect(
      "misses nothing after a cut connection and a server restart",
      () =>
        Effect.gen(function* () {
          const place = yield* watched("ann")
          const { address, dovecot, suite } = place
          yield* deliver(place, address, 0, 3)
          yield* dovecot.kick(address)
          yield* deliver(place, address, 3, 6)
          yield* untilTold(suite, address, numbered(6))
          yield* dovecot.kill9
          yield* until(
            "it is seen",
            Effect.map(
              watchRow(suite, place.id),
              (row) => row?.mode === "failed" && row.last_failure !== null && row.next_try_at !== null
            )
          )
          yield* dovecot.start
          yield* deliver(place, address, 6, 9)
          // The longer the server was away, the longer is the wait until the next attempt, up to 39 s.
          yield* until(
            "it is watched again",
            Effect.map(watchRow(suite, place.id), (row) => row?.mode === "notify"),
            45
          )
          yield* untilTold(suite, address, numbered(9))
          yield* untilMode(suite, place.id, "notify")
          assert.deepStrictEqual(yield* told(suite, address), numbered(9))
          assert.strictEqual((yield* watchRow(suite, place.id))?.last_failure, null)
        }),
      120_000
    )

    it.effect(
      "reads a recreated mailbox from its beginning",
      () =>
        Effect.gen(function* () {
          const place = yield* watched("ben")
          yield* deliver(place, place.address, 0, 3)
          yield* untilTold(place.suite, place.address, numbered(3))
          yield* place.dovecot.resetMailbox(place.address)
          yield* deliver(place, place.address, 3, 5)
          yield* untilTold(place.suite, place.address, numbered(5))
          assert.deepStrictEqual(yield* told(place.suite, place.address), numbered(5))
        }),
      120_000
    )

    it.effect(
      "waits after a refused sign-in, hides the password, and retries after a change",
      () =>
        Effect.gen(function* () {
          const place = yield* Place
          const address = addressOf("cid")
          yield* place.dovecot.setPassword(address, "another")
          const id = yield* addAccount(place, { address, tenant: 7, watch: "always" })
          yield* untilMode(place.suite, id, "failed")
          const row = (yield* watchRow(place.suite, id))!
          assert.match(row.last_failure!, /refuses the login/)
          assert.notInclude(JSON.stringify(row), password)
          assert.isAbove(row.next_try_at!.getTime() - Date.now(), 15_000)
          yield* place.dovecot.setPassword(address, password)
          yield* place.suite.sql`update mail_watcher.account set display_name = 'Cid' where id = ${id}`
          yield* announce(accountTopic)
          yield* untilMode(place.suite, id, "notify")
        }),
      120_000
    )

    it.effect(
      "announces mail of a suspended mailbox after it is active again",
      () =>
        Effect.gen(function* () {
          const place = yield* watched("dan")
          const set = (state: string) =>
            Effect.andThen(
              place.suite.sql`update mail_watcher.account set state = ${state} where id = ${place.id}`,
              announce(accountTopic)
            )
          yield* set("suspended")
          yield* until(
            "nobody is signed in",
            Effect.map(place.dovecot.sessions(place.address), (sessions) => sessions === 0)
          )
          yield* deliver(place, place.address, 0, 2)
          yield* set("active")
          yield* untilTold(place.suite, place.address, numbered(2))
          assert.deepStrictEqual(yield* told(place.suite, place.address), numbered(2))
        }),
      120_000
    )

    it.effect(
      "connects a lazy mailbox only after a push",
      () =>
        Effect.gen(function* () {
          const place = yield* watched("eve", "lazy")
          yield* untilMode(place.suite, place.id, "lazy")
          assert.strictEqual(yield* place.dovecot.sessions(place.address), 0)
          const call = Effect.andThen(
            place.suite.sql`update mail_watcher.account set pushed_at = now() where id = ${place.id}`,
            announce(pushTopic)
          )
          yield* call
          yield* untilMode(place.suite, place.id, "notify")
          yield* deliver(place, place.address, 0, 1)
          yield* untilTold(place.suite, place.address, numbered(1))
        }),
      120_000
    )

    it.effect(
      "announces once when two processes watch",
      () =>
        Effect.gen(function* () {
          const place = yield* watched("fay")
          const { address, suite } = place
          const env = { ...suite.env, SIGNALBOX_DATA_DIR: suite.env["SIGNALBOX_DATA_DIR"]! }
          const second = Effect.gen(function* () {
            const context = yield* frame({ target: suite.database.target })
            return yield* Effect.provideContext(
              Effect.gen(function* () {
                const config = yield* settings(watchSettings)
                const services = yield* Layer.build(
                  Layer.mergeAll(mailLogins, guardedHost, MailboxWatch.layer(config)).pipe(
                    Layer.provideMerge(Secrets.layer(join(env.SIGNALBOX_DATA_DIR, "keys")))
                  )
                )
                const supervisor = yield* Supervisor
                for (const actor of watchActors) yield* Effect.provideContext(supervisor.start(actor), services)
              }),
              context
            )
          }).pipe(Effect.provideService(Environment, env))
          const scope = yield* Scope.fork(yield* Effect.scope)
          yield* Scope.provide(second, scope)
          // The second process starts a whole frame, and takes part in the placement of mailboxes.
          yield* untilWithin(
            30,
            "both are signed in",
            Effect.map(place.dovecot.sessions(address), (sessions) => sessions === 2)
          )
          yield* deliver(place, address, 0, 30)
          yield* untilTold(suite, address, numbered(30))
          yield* elsewhere(place.dovecot, address, async (client) => {
            await client.mailboxCreate("Archive")
            await client.mailboxOpen("INBOX")
            await client.messageMove("1:10", "Archive", { uid: true })
          })
          yield* deliver(place, address, 30, 40)
          yield* untilTold(suite, address, numbered(40))
          yield* until(
            "both know the folder",
            Effect.map(
              suite.sql`select 1 from mail_watcher.folder where account_id = ${place.id} and name = 'Archive' and uid_next = 11`,
              (rows) => rows.length === 1
            )
          )
          assert.deepStrictEqual((yield* told(suite, address)).toSorted(), numbered(40).toSorted())
          const updates = yield* suite.sql<{
            data: unknown
          }>`select data from core.event where type = 'mail.folder_update' and data->>'account' = ${address} order by id`
          const repeated = updates.filter(
            (row, index) => JSON.stringify(row.data) === JSON.stringify(updates[index - 1]?.data)
          )
          assert.deepStrictEqual(repeated, [])
          yield* Scope.close(scope, Exit.void)
        }),
      120_000
    )
  })

  layer(Layer.empty, { excludeTestServices: true })((it) => {
    it.effect(
      "announces mail of a restart once",
      () =>
        Effect.gen(function* () {
          const address = addressOf("gus")
          const first = yield* Scope.make()
          const place = yield* Effect.scoped(
            Effect.gen(function* () {
              const placed = yield* Scope.provide(startWatcher([address]), first)
              const id = yield* addAccount(placed, { address, tenant: 7, watch: "always" })
              yield* untilMode(placed.suite, id, "notify")
              yield* deliver(placed, address, 0, 4)
              yield* untilTold(placed.suite, address, numbered(4))
              return { ...placed, id }
            })
          )
          // A second process with the same data, after the first one has left the mailbox.
          yield* place.suite.sql`update mail_watcher.account set state = 'suspended' where id = ${place.id}`
          yield* place.suite.sql`select pg_notify('signalbox', ${accountTopic})`
          yield* until(
            "nobody is signed in",
            Effect.map(place.dovecot.sessions(address), (sessions) => sessions === 0)
          )
          yield* deliver(place, address, 4, 9)
          yield* elsewhere(place.dovecot, address, async (client) => {
            await client.mailboxCreate("Kept")
            await client.mailboxOpen("INBOX")
            // Moves one announced and one new message.
            await client.messageMove("2,6", "Kept", { uid: true })
          })
          const suite = yield* startSuite({
            daemons: [mailWatcher],
            verifier: fakeUsers,
            database: place.suite.database,
            env: place.suite.env
          })
          yield* place.suite.sql`update mail_watcher.account set state = 'active' where id = ${place.id}`
          yield* place.suite.sql`select pg_notify('signalbox', ${accountTopic})`
          const expected = [...numbered(9).filter((one) => one !== "INBOX m5"), "Kept m5"]
          yield* untilTold(suite, address, expected)
          assert.deepStrictEqual((yield* told(suite, address)).toSorted(), expected.toSorted())
          yield* Scope.close(first, Exit.void)
        }),
      120_000
    )
  })
})
