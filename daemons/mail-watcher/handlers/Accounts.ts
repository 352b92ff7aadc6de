import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { Caller, inScope } from "#core/auth/Caller.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { type Account, accountFields } from "../accounts/Account.ts"
import { MailWatcherApi } from "../Api.ts"

export const accounts = HttpApiBuilder.group(MailWatcherApi, "webmailAccounts", (handlers) =>
  handlers.handle("list", ({ query: { before, limit = defaultPage, tenant_id } }) =>
    orUnavailable(Effect.gen(function*() {
      const caller = yield* Caller
      const sql = yield* SqlClient.SqlClient
      const mine = caller.kind === "user"
        ? sql`tenant_id = ${caller.tenantId} and user_id = ${caller.userId}`
        : tenant_id === undefined ? sql`true` : sql`tenant_id = ${tenant_id}`
      const found = yield* inScope(sql<Account>`select ${accountFields(sql)} from mail_watcher.account
        where not gone and ${mine} and ${before === undefined ? sql`true` : sql`id < ${before}`} order by id desc limit ${limit + 1}`)
      return paged(found, limit)
    }))))
