/** The database of `signalbox backup restore --into-database`: it must be empty, and needs the roles of the suite. */
import { PgConnection } from "@effect/sql-pg"
import { Effect, Result } from "effect"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { Environment } from "#core/config/Environment.ts"
import { type ConnectionTarget, parse, toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { prepare } from "#core/sql/Database.ts"
import { innermost } from "#core/sql/Sql.ts"
import * as DumpLoad from "./parts/DumpLoad.ts"

/** The database whose URL is in this variable. Fails unless it has no tables. */
export const emptyDatabase = Effect.fnUntraced(function* (variable: string) {
  const url = (yield* Environment)[variable]
  if (url === undefined) return yield* fail(`The variable ${variable} is not set.`, exitUsage)
  const parsed = parse(url)
  if (Result.isFailure(parsed)) return yield* fail(`${variable}: ${parsed.failure.detail}`, exitUsage)
  const target = parsed.success
  const tables = yield* Effect.scoped(
    Effect.gen(function* () {
      const session = yield* PgConnection.make({ ...toSqlPg(target), applicationName: "signalbox restore" })
      const found = yield* session.query(
        `select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
           where c.relkind in ('r', 'p', 'v') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' limit 1`
      )
      return found.rows.length
    })
  ).pipe(Effect.mapError((error) => fail(`The database of ${variable} does not answer: ${innermost(error)}`)))
  if (tables > 0)
    return yield* fail(`The database ${target.database} has tables. Nothing is overwritten: create an empty database.`)
  return target
})

/**
 * Creates the roles that a dump of the suite names, as the start of a daemon does. Returns the role that has to own
 * what is loaded; undefined: the login role. A login that bypasses row-level security would own tables that daemons,
 * which run as the role `signalbox`, may not change.
 */
export const prepareOwner = Effect.fnUntraced(function* (target: ConnectionTarget) {
  const facts = yield* prepare(target)
  yield* DumpLoad.ensureMailRole(target)
  return facts.bypasses ? facts.role : undefined
})
