/** Subject of the measurement: the shipped sip-config over a fresh database, with domains, extensions and numbers. */
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { join } from "node:path"
import { create as createServiceToken } from "#core/auth/ServiceTokenStore.ts"
import { withClient } from "#core/postgres/Bootstrap.ts"
import { contextOf, layer as secretsLayer, Secrets } from "#core/config/Secrets.ts"
import type { FreshDatabase } from "#support/Postgres.ts"
import { startDaemon } from "../OneDaemon.ts"

/** Sizes. Source: the issue. */
export const domains = 100
export const extensions = 10_000
export const numbers = 100_000

/** Domain and number of the n-th extension, and the n-th telephone number. All count from 1. */
export const domainOf = (n: number): string => `d${(n % domains) + 1}.switch.example`
export const extensionOf = (n: number): string => String(1000 + Math.floor(n / domains))
export const numberOf = (n: number): string => `+4930${String(10_000_000 + n)}`

export interface Subject {
  readonly pid: number
  readonly port: number
  readonly token: string
  /** Updates every extension, which invalidates all cached answers about them. */
  readonly touch: () => Promise<void>
  readonly end: () => Promise<void>
}

export const start = async (database: FreshDatabase, dataDir: string): Promise<Subject> => {
  const { end, pid, port } = await startDaemon("sip-config", database, dataDir)
  const token = await seed(database, dataDir).catch(async (error: unknown) => {
    await end()
    throw error
  })
  return {
    pid,
    port,
    token,
    touch: () =>
      Effect.runPromise(
        withClient(database.superuser, (sql) =>
          Effect.asVoid(
            Effect.andThen(
              sql`update sip_config.extension set updated_at = now()`,
              sql`select pg_notify('signalbox', 'sip_config.data')`
            )
          )
        )
      ),
    end
  }
}

const seed = (database: FreshDatabase, dataDir: string): Promise<string> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const secrets = Context.get(yield* Layer.build(secretsLayer(join(dataDir, "keys"))), Secrets)
        const rows = yield* Effect.forEach(
          Array.from({ length: extensions }, (_, n) => n),
          (n) =>
            Effect.map(
              secrets.seal(
                Redacted.make(`password-${n}`),
                contextOf({ table: "sip_config.extension", id: "id", column: "password" }, String(n + 1))
              ),
              (password) => ({ domain_id: (n % domains) + 1, extension: extensionOf(n), name: `Person ${n}`, password })
            )
        )
        return yield* withClient(database.superuser, (sql) =>
          Effect.gen(function* () {
            yield* sql`insert into sip_config.sip_domain (tenant_id, domain, proven) select n, 'd' || n || '.switch.example', true from generate_series(1, ${domains}::int) n`
            yield* sql`insert into sip_config.extension (tenant_id, domain_id, extension, name, password)
          select domain_id, domain_id, extension, name, password
          from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(domain_id int, extension text, name text, password text)`
            yield* sql`insert into sip_config.did (tenant_id, number, name, destination_type, destination_id, assigned)
          select ((n - 1) % ${extensions}::int) % ${domains}::int + 1, '+4930' || (10000000 + n), 'Number ' || n, 'extension', ((n - 1) % ${extensions}::int) + 1, true
          from generate_series(1, ${numbers}::int) n`
            // The captured calls come from this address.
            yield* sql`insert into sip_config.trunk (tenant_id, name, host) values (1, 'Provider', '127.0.0.1')`
            yield* sql`analyze sip_config.extension, sip_config.did`
            yield* sql`select pg_notify('signalbox', 'sip_config.data')`
            const { token } = yield* createServiceToken({ name: "switch", scopes: ["switch"] }).pipe(
              Effect.provideService(SqlClient.SqlClient, sql)
            )
            return Redacted.value(token)
          })
        )
      })
    )
  )
