import { it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import { bankFetcher } from "#daemons/bank-fetcher/Daemon.ts"
import * as FetchStore from "#daemons/bank-fetcher/fetching/FetchStore.ts"
import { BankDouble } from "#support/bank/BankDouble.ts"
import { client } from "#support/Frame.ts"
import { migratedDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { activeAccount } from "./BankAccounts.ts"

it.live("ended fetches stay for 400 days, open ones for ever", () =>
  Effect.gen(function* () {
    const { target } = yield* migratedDatabase([bankFetcher.migrations])
    const sql = yield* client(target)
    const account = yield* activeAccount(sql, yield* temporaryDirectory(), new BankDouble(), "http://127.0.0.1:9/")
    yield* sql`insert into bank_fetcher.fetch (tenant_id, account_id, reason, requested_by, state, created_at, finished_at)
      select 1, ${account.id}, 'manual', name, state, now() - days * interval '1 day',
          case when state <> 'running' then now() end
        from (values ('old', 'done', 401), ('failed', 'failed', 401), ('open', 'running', 401),
          ('young', 'done', 399)) as old (name, state, days)`
    expect(yield* Effect.provideService(FetchStore.prune, SqlClient.SqlClient, sql)).toBe(2)
    const left = yield* sql<{ name: string }>`select requested_by as name from bank_fetcher.fetch order by seq`
    expect(left.map(({ name }) => name)).toEqual(["open", "young"])
  }).pipe(Effect.scoped)
)
