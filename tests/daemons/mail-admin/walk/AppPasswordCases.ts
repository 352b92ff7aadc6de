/** Walk cases of app passwords, which are made by requests of other daemons. */
import { Effect } from "effect"
import { type Cases, own, thing, type Who } from "#support/walk/Case.ts"
import { firstOf } from "#support/FakeUsers.ts"
import type { TestSuite } from "#support/TestSuite.ts"

const base = "/api/v1/mail/accounts/{id}/app-passwords"
const mine = "/api/v1/mail/app-passwords/mine"

/** `account`: creates a mailbox and returns its id. */
export const appPasswordCases = ({ sql }: TestSuite, account: (as: Who) => Effect.Effect<number, unknown>): Cases => {
  let count = 0
  const seed = Effect.fnUntraced(function* (as: Who) {
    const id = yield* account(as)
    const [row] = yield* sql<{ id: number }>`insert into mail_admin.app_password
        (id, tenant_id, mailbox_id, user_id, device_id, device_name, tag, password_hash)
      overriding system value
      values (${800_000 + count++}, ${as.tenant}, ${id}, 9, ${as.mark}, ${as.mark}, 'aa', ${as.mark}) returning id`
    return { id, password: row!.id }
  })
  const never = { id: 2_000_000_000, password: 2_000_000_000 }
  /** One of the caller's own mailbox. */
  const seedOwn = Effect.fnUntraced(function* (as: Who) {
    const { id, password } = yield* seed(as)
    const userId = firstOf(as.tenant)
    yield* sql`update mail_admin.mailbox set user_id = ${userId} where id = ${id}`
    yield* sql`update mail_admin.app_password set user_id = ${userId} where id = ${password}`
    return { password }
  })
  return {
    [`GET ${mine}`]: own("the app passwords of the caller's own mailboxes", {
      seed: (as) => Effect.as(seedOwn(as), {}),
      success: 200,
      personal: true,
      wrong: ({ json }) => (json.items.length > 0 ? undefined : "not its own")
    }),
    [`DELETE ${mine}/{password}`]: thing({
      seed: seedOwn,
      never: { password: never.password },
      request: ({ password }) => ({ path: { password } }),
      success: 204,
      personal: true
    }),
    [`GET ${base}`]: thing({
      seed: (as) => Effect.map(seed(as), ({ id }) => ({ id })),
      never: { id: never.id },
      request: ({ id }) => ({ path: { id } }),
      success: 200,
      wrong: ({ json }) => (json.items.length === 1 ? undefined : "not its one")
    }),
    [`DELETE ${base}/{password}`]: thing({
      seed,
      never,
      request: ({ id, password }) => ({ path: { id, password } }),
      success: 204
    })
  }
}
