/** Mailboxes get the user of their address, whichever of the two is created first. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "#support/Frame.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { as, callsOf, events, password, startAdmin } from "./Admin.ts"

/** Announces a user as identity does. */
const user = ({ sql }: TestSuite, user_id: number, email: string, more: Readonly<Record<string, unknown>> = {}) => {
  const plain = { tenant_id: 7, name: "", role: "user", locale: "de", state: "active", version: user_id }
  const data = { user_id, email, ...plain, ...more }
  return sql`with e as (insert into core.event (type, source, data)
    values ('identity.user.changed', 'test', ${sql.json(data)})) select pg_notify('signalbox', 'event')`
}

it.live("a mailbox gets the user of its tenant with its address, on either side's creation", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startAdmin()
      const { account, domain, get, put } = callsOf(suite, as(7))
      const { id } = yield* domain("a.test")
      const owner = (mailbox: number) => Effect.map(get(`accounts/${mailbox}`), ({ json }) => json.user_id)
      const becomes = (mailbox: number, wanted: number | null) =>
        until(
          `mailbox ${mailbox} has user ${wanted}`,
          Effect.map(owner(mailbox), (found) => found === wanted)
        )

      // The mailbox first.
      const ann = yield* account(id, "ann")
      expect(ann.user_id).toBe(null)
      yield* user(suite, 80, "ann@a.test", { tenant_id: 8 })
      yield* user(suite, 70, "Ann@A.test")
      yield* becomes(ann.id, 70)
      expect((yield* get(`accounts/${ann.id}`)).json.is_default).toBe(true)
      const told = (yield* events(suite, "mail.account.")).at(-1)
      expect([told!.type, told!.account_id, told!.user_id]).toEqual(["mail.account.changed", ann.id, 70])

      // The user first; a user of another tenant with the address does not count.
      yield* user(suite, 81, "bob@a.test", { tenant_id: 8 })
      yield* user(suite, 71, "bob@a.test")
      yield* until(
        "the users are known",
        Effect.map(suite.sql`select 1 from mail_admin.known_user`, (rows) => rows.length === 4)
      )
      const bob = yield* account(id, "bob")
      expect([bob.user_id, bob.is_default]).toEqual([71, true])

      // A removed user stays removed, also when the user is announced again.
      expect((yield* put(`accounts/${bob.id}`, { user_id: null })).json.user_id).toBe(null)
      yield* user(suite, 71, "bob@a.test", { version: 1000 })
      yield* until(
        "the user is announced again",
        Effect.map(
          suite.sql`select 1 from mail_admin.known_user where user_id = 71 and version = 1000`,
          (rows) => rows.length === 1
        )
      )
      expect(yield* owner(bob.id)).toBe(null)
      const moved = yield* put(`accounts/${bob.id}`, { user_id: 70, password: `${password} more` })
      expect([moved.json.user_id, moved.json.is_default]).toEqual([70, false])

      // A deleted user leaves the mailboxes without user, and a new user with the address may follow.
      yield* user(suite, 70, "ann@a.test", { state: "deleted", version: 1001 })
      yield* becomes(ann.id, null)
      yield* becomes(bob.id, null)
      yield* user(suite, 72, "ann@a.test")
      yield* becomes(ann.id, 72)
      expect(
        (yield* suite.sql<{ action: string }>`select action from core.audit
          where entity_type = 'mail_account' and entity_id = ${String(ann.id)} order by id`).map(({ action }) =>
          action.slice(13)
        )
      ).toEqual(["created", "user_linked", "user_deleted", "user_linked"])
    })
  )
)
