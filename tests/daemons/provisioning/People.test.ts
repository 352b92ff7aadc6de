import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { provisioning } from "#daemons/provisioning/Daemon.ts"
import { startSuite } from "#support/TestSuite.ts"
import { untilWithin } from "#support/Within.ts"

it.live(
  "the newest state of users, mailboxes and extensions wins, in any order of events",
  () =>
    Effect.gen(function* () {
      const { sql } = yield* startSuite({ daemons: [provisioning] })
      const emit = (type: string, data: object) =>
        sql`insert into core.event (type, source, data) values (${type}, 'test', ${JSON.stringify(data)}::text::jsonb)`
      const user = { user_id: 7, tenant_id: 3, email: "a@example.org", name: "A", role: "user", locale: "de" }
      const mailbox = { account_id: 1, address: "a@example.org", tenant_id: 3, is_default: true }
      const extension = { extension_id: 5, tenant_id: 3, extension: "1001", name: "A", domain: "v.test", enabled: true }
      yield* emit("identity.user.changed", { ...user, name: "New", state: "suspended", version: 3 })
      yield* emit("identity.user.created", { ...user, state: "active", version: 1 })
      yield* emit("mail.account.changed", { ...mailbox, user_id: 8, state: "suspended", version: 9 })
      yield* emit("mail.account.created", { ...mailbox, user_id: 7, state: "active", version: 4 })
      yield* emit("sip.extension.changed", { ...extension, user_id: 8, state: "active", version: 9 })
      yield* emit("sip.extension.created", { ...extension, user_id: 7, state: "active", version: 4 })
      // Events that do not match their contract are skipped, and those after them are read.
      yield* emit("identity.user.changed", { user_id: "x" })
      for (const [type, data] of [
        ["identity.user.created", { ...user, user_id: 9, state: "active", version: 1 }],
        ["mail.account.created", { ...mailbox, address: "last@example.org", user_id: 9, state: "active", version: 1 }],
        ["sip.extension.created", { ...extension, extension_id: 9, user_id: 9, state: "active", version: 1 }]
      ] as const)
        yield* emit(type, data)
      yield* sql`select pg_notify('signalbox', 'event')`
      yield* untilWithin(
        30,
        "all events are read",
        Effect.map(
          sql`select 1 from provisioning.known_user u, provisioning.known_mailbox m, provisioning.known_extension e
            where u.user_id = 9 and m.user_id = 9 and e.user_id = 9`,
          ({ length }) => length === 1
        )
      )
      assert.deepStrictEqual(
        yield* sql`select u.name, u.state, m.user_id as mailbox, m.state as mailbox_state, e.user_id as extension
          from provisioning.known_user u, provisioning.known_mailbox m, provisioning.known_extension e
          where u.user_id = 7 and m.address = 'a@example.org' and e.extension_id = 5`.pipe(
          Effect.map((rows) => rows.map((row) => ({ ...row })))
        ),
        [{ name: "New", state: "suspended", mailbox: 8, mailbox_state: "suspended", extension: 8 }]
      )
    }).pipe(Effect.scoped),
  120_000
)
