/** Walk cases of accounts, their watch status, and the mail server's push. */
import { Effect } from "effect"
import { type Cases, list, platformOnly, type Request, thing, type Who } from "#support/walk/Case.ts"
import type { Placed } from "../Watcher.ts"

const never = { id: 2_000_000_000 }
const base = "/api/v1/mail"
const unchecked = { verify: "false" }

export const accountCases = ({ suite: { sql } }: Pick<Placed, "suite">): Cases => {
  let count = 0
  const address = () => `walk-elsewhere-${count++}@accounts.test`
  const account = Effect.fnUntraced(function* (as: Who) {
    const made = address()
    const [row] = yield* sql<{ id: number }>`insert into mail_watcher.account
        (tenant_id, user_id, address, kind, display_name, imap_host, imap_port, password, watch)
      values (${as.tenant}, ${as.tenant * 10}, ${made}, 'foreign', ${as.mark}, 'imap.accounts.test', 993, 'none', 'lazy') returning id`
    return { id: row!.id, account: made }
  })
  const watched = Effect.fnUntraced(function* (as: Who) {
    const made = yield* account(as)
    // The daemon may have made the row already.
    yield* sql`insert into mail_watcher.watch (account_id, tenant_id, mode, folders)
      values (${made.id}, ${as.tenant}, 'lazy', 1) on conflict (account_id) do nothing`
    yield* sql`insert into mail_watcher.folder (account_id, tenant_id, name, uid_validity, uid_next, since, messages, unseen)
      values (${made.id}, ${as.tenant}, ${as.mark}, 1, 1, now(), 0, 0)`
    yield* sql`insert into mail_watcher.announced (account_id, tenant_id, fingerprint, folder, uid_validity)
      values (${made.id}, ${as.tenant}, 'x', ${as.mark}, 1)`
    return { account: made.account }
  })
  const numbered = (as: Who) => Effect.map(account(as), ({ id }) => ({ id }))
  const whole = (as: Who) => ({
    address: address(),
    imap_host: "imap.accounts.test",
    imap_port: 993,
    smtp_host: "smtp.accounts.test",
    smtp_port: 465,
    login: "somebody",
    password: "four words in a row",
    display_name: as.mark,
    watch: "lazy"
  })
  const about = (success: number, more: (as: Who) => Request = () => ({})) =>
    thing({
      seed: numbered,
      never,
      request: ({ id }, as) => ({ path: { id }, ...more(as) }),
      success,
      ...(success === 200
        ? {
            wrong: ({ json }: { readonly json: any }, { id }: { readonly id: number }) =>
              json.id === id ? undefined : `not ${id}`
          }
        : {})
    })
  return {
    [`GET ${base}/webmail/accounts`]: list({
      seed: numbered,
      never,
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows: ({ json }) => json.items.map(({ id }: { readonly id: number }) => id),
      by: "id",
      naming: ({ id }) => [{ before: id }]
    }),
    [`POST ${base}/webmail/accounts`]: thing({
      // The number of accounts per user is limited.
      seed: (as) =>
        Effect.as(sql`delete from mail_watcher.account where address like 'walk-elsewhere-%'`, {
          tenant: as.tenant,
          user: as.tenant * 10
        }),
      never: { tenant: 2_000_000_000, user: 2_000_000_000 },
      request: ({ tenant, user }, as) => ({
        query: unchecked,
        body: { ...whole(as), tenant_id: tenant, user_id: user }
      }),
      success: 201,
      made: ({ json }) => json.id
    }),
    [`GET ${base}/webmail/accounts/{id}`]: about(200),
    [`PUT ${base}/webmail/accounts/{id}`]: about(200, (as) => ({ query: unchecked, body: whole(as) })),
    [`DELETE ${base}/webmail/accounts/{id}`]: about(204),
    [`POST ${base}/webmail/accounts/{id}/default`]: about(200),
    [`GET ${base}/webmail/watcher/status`]: thing({
      seed: watched,
      never: { account: "nobody@never.test" },
      request: (ids) => ({ query: { account: ids.account, limit: 200 } }),
      success: 200,
      freeText: ["query.account"],
      wrong: ({ json }, ids) =>
        json.items.length === 1 && json.items[0].account === ids.account ? undefined : "not its one"
    }),
    [`POST ${base}/push/{account}`]: platformOnly("mail servers show a token of their own", {
      // Suspended, so that the watch does not scan the mailbox.
      seed: (as) =>
        Effect.flatMap(account(as), (made) =>
          Effect.as(sql`update mail_watcher.account set state = 'suspended' where id = ${made.id}`, {
            account: made.account
          })
        ),
      never: { account: "nobody@never.test" },
      request: (ids) => ({ path: { account: ids.account! } }),
      success: 204
    })
  }
}
