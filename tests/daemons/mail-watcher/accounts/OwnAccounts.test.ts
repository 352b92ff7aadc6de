/** Own mailboxes become accounts through events, in any order of the events, and never more often than once. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { type MailAccount, MailAccountChanged } from "#core/contracts/MailAccounts.ts"
import { decide } from "#daemons/mail-watcher/accounts/OwnAccounts.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"
import { as } from "../Watcher.ts"

const told = (more: Partial<MailAccount> = {}): MailAccount => ({
  account_id: 1,
  address: "ann@ours.test",
  user_id: 70,
  tenant_id: 7,
  state: "active",
  is_default: true,
  version: 3,
  ...more
})

/** Emits events like mail-admin. `type` does not matter, because only the state is read. */
const tell = ({ sql }: TestSuite, ...accounts: ReadonlyArray<MailAccount>) =>
  Effect.forEach(
    accounts,
    (account) =>
      sql`insert into core.event (type, source, tenant_id, data) values (${MailAccountChanged.type}, 'mail-admin', ${account.tenant_id}, ${sql.json(account)})`
  )

describe("decision about a mailbox event", () => {
  const known = { tenant_id: 7, user_id: 70, version: 3, gone: false }
  it("depends on version and owner", () => {
    expect(decide(undefined, told())).toBe("insert")
    expect(decide(known, told())).toBe("ignore")
    expect(decide(known, told({ version: 2, state: "deleted" }))).toBe("ignore")
    expect(decide(known, told({ version: 4, state: "suspended" }))).toBe("update")
    expect(decide(known, told({ version: 4, user_id: 71 }))).toBe("replace")
    expect(decide(known, told({ version: 4, tenant_id: 8 }))).toBe("replace")
    expect(decide(known, told({ version: 4, state: "deleted" }))).toBe("replace")
    expect(decide({ ...known, gone: true }, told({ version: 4 }))).toBe("replace")
  })
})

describe("own accounts", () => {
  it.live(
    "follow all events, the newest version wins",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          // Events from before the first start count too.
          const database = yield* freshDatabase
          yield* Effect.scoped(
            Effect.flatMap(startSuite({ daemons: [identity], database }), (before) =>
              tell(before, told({ address: "old@ours.test", tenant_id: 6, user_id: 60 }))
            )
          )
          const suite = yield* startSuite({ daemons: [mailWatcher], verifier: fakeUsers, database })
          const path = "/api/v1/mail/webmail/accounts"
          const list = (tenant: number) =>
            Effect.map(suite.call("GET", path, as(tenant)), ({ json }) => json.items as ReadonlyArray<any>)
          /**
           * Waits until all previous events are processed: events are processed in order, so the account of a final
           * event proves it.
           */
          let marks = 0
          const taken = Effect.gen(function* () {
            const address = `mark${marks++}@ours.test`
            yield* tell(suite, told({ address, tenant_id: 9, user_id: 90, is_default: false }))
            yield* suite.sql`select pg_notify('signalbox', 'event')`
            yield* until(
              "the events are taken",
              Effect.map(list(9), (items) => items.some((item) => item.address === address))
            )
          })

          yield* tell(
            suite,
            told(),
            told({ address: "bob@ours.test", is_default: true, version: 1 }),
            told({ version: 2, state: "suspended" })
          )
          yield* taken
          expect((yield* list(6)).map(({ address }) => address)).toEqual(["old@ours.test"])
          const [bob, ann] = yield* list(7)
          expect(ann).toMatchObject({
            address: "ann@ours.test",
            kind: "own",
            state: "active",
            is_default: true,
            imap_host: null
          })
          // When two mailboxes are announced as default, the first one stays the default.
          expect(bob).toMatchObject({ address: "bob@ours.test", is_default: false })

          // The user's choice is kept, even when the mail server announces something else.
          expect((yield* suite.call("POST", `${path}/${bob.id}/default`, as(7))).json).toMatchObject({
            is_default: true
          })
          expect(
            (yield* suite.call("PUT", `${path}/${ann.id}`, { ...as(7), body: { display_name: "Ann", watch: "lazy" } }))
              .status
          ).toBe(200)
          yield* tell(suite, told({ version: 4, state: "suspended" }))
          yield* taken
          expect(
            (yield* list(7)).map(({ address, display_name, is_default, state, watch }) => [
              address,
              state,
              is_default,
              display_name,
              watch
            ])
          ).toEqual([
            ["bob@ours.test", "active", true, "", "always"],
            ["ann@ours.test", "suspended", false, "Ann", "lazy"]
          ])
          expect((yield* suite.call("GET", `${path}/${ann.id}`, as(8))).status).toBe(404)

          // A deleted account is not restored by an older event, and its stored settings do not pass to the next owner.
          yield* tell(suite, told({ version: 6, state: "deleted" }), told({ version: 5 }))
          yield* taken
          expect((yield* list(7)).map(({ address }) => address)).toEqual(["bob@ours.test"])
          expect((yield* suite.call("GET", `${path}/${ann.id}`, as(7))).status).toBe(404)
          yield* tell(suite, told({ version: 7, user_id: 80, tenant_id: 8 }))
          yield* taken
          const [returned] = yield* list(8)
          expect(returned).toMatchObject({
            address: "ann@ours.test",
            display_name: "",
            watch: "always",
            is_default: true
          })
          expect(returned.id).not.toBe(ann.id)
          expect((yield* list(7)).length).toBe(1)
        })
      ),
    120_000
  )
})
