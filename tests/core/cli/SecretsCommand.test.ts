import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import { TestConsole } from "effect/testing"
import { CommandFailed } from "#core/cli/Ending.ts"
import { Fleet } from "#core/cli/Fleet.ts"
import { secrets } from "#core/cli/SecretsCommand.ts"
import { Environment } from "#core/config/Environment.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { dnsVerifier } from "#daemons/dns-verifier/Daemon.ts"
import { migratedDatabase, temporaryDirectory } from "#support/Postgres.ts"

it.live("a rotation fails when it leaves a single unreadable secret, and names the row", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { target, url } = yield* migratedDatabase([dnsVerifier.migrations])
      const environment = { DATABASE_URL: url, SIGNALBOX_DATA_DIR: yield* temporaryDirectory() }
      const rotate = Command.runWith(secrets, { version: "0" })(["rotate"]).pipe(
        Effect.provideService(Environment, environment),
        Effect.provideService(Fleet, { daemons: Effect.succeed([dnsVerifier]) })
      )
      yield* rotate
      yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`insert into dns_verifier.dns_provider (id, tenant_id, customer_id, name, type, credentials)
          values (7, 1, 1, 'One', 'provider_b', 'not an envelope')`
      ).pipe(Effect.provide(PgClient.layer(toSqlPg(target))))
      const failure = yield* Effect.flip(rotate)
      expect(failure).toBeInstanceOf(CommandFailed)
      expect(failure.message).toMatch(/^no key of the file decrypts 1 secret: /)
      expect((yield* TestConsole.logLines).join("\n")).toMatch(/dns_provider\.credentials .* 1 unreadable: 7$/m)
    }).pipe(Effect.provide(Layer.merge(NodeServices.layer, TestConsole.layer)))
  )
)
