import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Handlers from "#core/http/Handlers.ts"
import { Caller, inScope } from "#core/auth/Caller.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { ownedBy } from "../accounts/Exports.ts"
import { watchStatuses } from "./WatchStatus.ts"
import { MailboxWatchApi } from "./Api.ts"

const text = (time: Date | null) => (time === null ? null : time.toISOString())

export const status = Handlers.group(
  MailboxWatchApi,
  "webmailWatcher",
  Effect.fn(function* (handlers) {
    const sql = yield* SqlClient.SqlClient
    return handlers.handleAll({
      status: ({ query: { account, before, limit = defaultPage } }) =>
        orUnavailable(
          inScope(
            Effect.gen(function* () {
              const caller = yield* Caller
              const named = account === undefined ? sql`true` : sql`address = ${normaliseEmail(account) ?? ""}`
              const accounts = yield* sql<{ id: number; address: string }>`select id, address from mail_watcher.account
          where not gone and ${ownedBy(sql, caller)} and ${named}
            and ${before === undefined ? sql`true` : sql`id < ${before}`}
          order by id desc limit ${limit + 1}`
              if (account !== undefined && before === undefined && accounts.length === 0)
                return yield* new NotFound({ detail: "You have no such mail account." })
              const { items, next_before } = paged(accounts, limit)
              const found = new Map(
                (yield* watchStatuses(items.map(({ id }) => id))).map((one) => [one.account_id, one])
              )
              return {
                items: items.flatMap(({ address, id }) => {
                  const one = found.get(id)
                  return one === undefined
                    ? []
                    : [
                        {
                          id,
                          account: address,
                          mode: one.mode,
                          since: text(one.since),
                          folders: one.folders,
                          last_event_at: text(one.last_event_at),
                          last_failure: one.last_failure,
                          next_try_at: text(one.next_try)
                        }
                      ]
                }),
                next_before
              }
            })
          )
        )
    })
  })
)
