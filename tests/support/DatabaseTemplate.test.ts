import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { daemons } from "#daemons/Suite.ts"
import { freshDatabase } from "./Postgres.ts"
import { startSuite, type TestSuite } from "./TestSuite.ts"

/** Everything that the first start makes: columns, indexes, policies, owners, grants and queues, one line each. */
const schemaOf = ({ sql }: TestSuite) =>
  Effect.map(
    sql<{ line: string }>`
      select concat_ws(' ', 'column', table_schema, table_name, column_name, data_type, is_nullable, column_default,
        is_identity) as line from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema')
      union all select concat_ws(' ', 'index', indexdef) from pg_indexes where schemaname <> 'pg_catalog'
      union all select concat_ws(' ', 'policy', schemaname, tablename, policyname, roles::text, cmd, qual, with_check)
        from pg_policies
      union all select concat_ws(' ', 'table', relnamespace::regnamespace, relname, relowner::regrole, relacl::text,
        relrowsecurity, relforcerowsecurity) from pg_class where relnamespace::regnamespace::text !~ '^pg_|^information'
      union all select concat_ws(' ', 'function', pronamespace::regnamespace, proname, proowner::regrole, md5(prosrc))
        from pg_proc where pronamespace::regnamespace::text !~ '^pg_|^information'
      union all select concat_ws(' ', 'queue', name, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max,
        expire_seconds, retention_seconds, deletion_seconds, notify) from pgboss.queue
      union all select concat_ws(' ', 'schema', nspname, nspowner::regrole, nspacl::text) from pg_namespace
        where nspname !~ '^pg_(toast|temp)'
      order by 1`,
    (rows) => rows.map(({ line }) => line)
  )

it.live(
  "gives a suite the same schema and queues as its own start on an empty database",
  () =>
    Effect.gen(function* () {
      const copied = yield* Effect.scoped(Effect.flatMap(startSuite({ daemons }), schemaOf))
      const database = yield* freshDatabase
      const migrated = yield* Effect.scoped(Effect.flatMap(startSuite({ daemons, database }), schemaOf))
      assert.deepStrictEqual(copied, migrated)
      assert(copied.length > 1_000)
    }),
  120_000
)
