/**
 * Files of a new daemon or feature, as texts by path. Pure. The skeleton works: a table with row-level security, two
 * endpoints, an actor, a health component, a command and a test.
 */

export interface FeatureNames {
  /** Folder of the daemon, in kebab-case. */
  readonly daemon: string
  /** Folder of the feature, in kebab-case. */
  readonly feature: string
  /** Number of its first migration, unique within the daemon. */
  readonly migration: number
}

const snake = (name: string): string => name.replaceAll("-", "_")
export const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const pascal = (name: string): string => camel(name).replace(/^./, (letter) => letter.toUpperCase())
const words = (name: string): string => name.replaceAll("-", " ")

/** Declaration and README of a daemon whose first feature is `feature`. */
export const daemonFiles = (daemon: string, port: number, feature: string): Readonly<Record<string, string>> => ({
  [`daemons/${daemon}/Daemon.ts`]: `import * as Daemon from "#core/daemon/Daemon.ts"
import { ${camel(feature)} } from "./${feature}/Feature.ts"

/** What ${daemon} is for, in one sentence. */
export const ${camel(daemon)} = Daemon.make({
  name: "${daemon}",
  title: "${pascal(daemon)}",
  port: ${port},
  features: [${camel(feature)}]
})
`,
  [`daemons/${daemon}/README.md`]: `# ${daemon}

What it is for, in one sentence.

## Settings

None besides \`SIGNALBOX_${snake(daemon).toUpperCase()}_PORT\` (${port}).

## Tables

Schema \`${snake(daemon)}\`: \`${snake(feature)}\`.

## At 3 a.m.

\`signalbox health\` shows the daemon's components and actors with their last failures.
`
})

/** Files of a feature. */
export const featureFiles = ({ daemon, feature, migration }: FeatureNames): Readonly<Record<string, string>> => {
  const folder = `daemons/${daemon}/${feature}`
  const table = `${snake(daemon)}.${snake(feature)}`
  const step = `${String(migration).padStart(4, "0")}_${snake(feature)}`
  const [name, type] = [camel(feature), pascal(feature)]
  const [command, path] = [`${daemon}-${feature}`, `/api/v1/${daemon}/${feature}`]
  return {
    [`${folder}/Feature.ts`]: `import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { ${type}Api } from "./Api.ts"
import { counting } from "./Counting.ts"
import { ${name} as handlers } from "./Handlers.ts"
import { ${name} as table } from "./migrations/${step}.ts"

const registered = Effect.gen(function* () {
  yield* Supervisor.actor(counting)
  yield* Health.component("${snake(feature)}", Effect.succeed({ status: "ok" }))
})

/** What the feature is for, in one sentence. */
export const ${name} = Feature.make({
  migrations: [table],
  api: ${type}Api,
  layer: Layer.merge(
    HttpApiBuilder.layer(${type}Api).pipe(Layer.provide(handlers)),
    Layer.effectDiscard(registered)
  )
})
`,
    [`${folder}/Api.ts`]: `import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { page, pageOf, plainText } from "#core/http/Paging.ts"

/** Longest name. Unit: UTF-16 units. */
const maxName = 100

export const ${type}View = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  name: Schema.String,
  created_at: Schema.String
}).annotate({ identifier: "${pascal(daemon)}${type}" })

const group = HttpApiGroup.make("${daemon} ${words(feature)}")
  .add(
    HttpApiEndpoint.get("list", "/", { query: page(), success: pageOf(${type}View) })
      .annotate(Requires, "system.read")
      .annotateMerge(OpenApi.annotations({ summary: "List ${words(feature)}, newest first" })),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: Schema.Struct({ name: plainText(maxName) }),
      success: ${type}View.pipe(HttpApiSchema.status(201))
    })
      .annotate(Requires, "system.manage")
      .annotateMerge(OpenApi.annotations({ summary: "Add one" }))
  )
  .middleware(Authentication)
  .prefix("${path}")

export const ${type}Api = Api.make("${command}").add(group)
`,
    [`${folder}/Handlers.ts`]: `import { Effect } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import * as Handlers from "#core/http/Handlers.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { ${type}Api, ${type}View } from "./Api.ts"
import * as Store from "./Store.ts"

const view = ({ created_at, ...row }: Store.Row): typeof ${type}View.Type => ({
  ...row,
  created_at: created_at.toISOString()
})

export const ${name} = Handlers.group(${type}Api, "${daemon} ${words(feature)}", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage } }) {
      const found = yield* orUnavailable(inScope(Store.list(before, limit + 1)))
      return paged(found.map(view), limit)
    }),
    create: ({ headers, payload }) =>
      orUnavailable(
        Idempotency.once({
          key: headers["idempotency-key"],
          endpoint: "${command}.create",
          body: payload,
          response: ${type}View,
          create: Effect.map(Store.create(payload.name), view)
        })
      )
  })
)
`,
    [`${folder}/Store.ts`]: `/** Statements of the feature. Each runs in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Caller, tenantOf } from "#core/auth/Caller.ts"
import { client } from "#core/http/Client.ts"
import * as Audit from "#core/log/Audit.ts"

export interface Row {
  readonly id: number
  readonly tenant_id: number
  readonly name: string
  readonly created_at: Date
}

/** At most \`limit\` rows, newest first. */
export const list = Effect.fnUntraced(function* (before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Row>\`select id, tenant_id, name, created_at from ${table}
    where \${before === undefined ? sql\`true\` : sql\`id < \${before}\`} order by id desc limit \${limit}\`
})

/** Adds a row of the caller's tenant and writes the audit log. */
export const create = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  const { address } = yield* client
  const tenantId = tenantOf(yield* Caller)
  const [row] = yield* sql<Row>\`insert into ${table} (tenant_id, name) values (\${tenantId}, \${name})
    returning id, tenant_id, name, created_at\`
  const entry = { entity: "${snake(feature)}", id: String(row!.id), address, detail: { name } }
  yield* Audit.writeFor({ tenantId, action: "${snake(feature)}.created", ...entry })
  return row!
})

export const count = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ count: number }>\`select count(*)::int as count from ${table}\`
  return row!.count
})
`,
    [`${folder}/Counting.ts`]: `import { Duration, Effect } from "effect"
import { periodic } from "#core/supervision/Periodic.ts"
import { count } from "./Store.ts"

/** Interval of the count. */
const every = Duration.minutes(1)

/** Shows in \`/health\` how many rows there are; replace it by the feature's own actor. */
export const counting = periodic({
  name: "${words(feature)} counting",
  every,
  round: Effect.map(count, (rows) => \`\${rows} rows\`)
})
`,
    [`${folder}/Commands.ts`]: `/** \`signalbox ${command}\`. */
import { Command } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"

const list = Command.make("list", { json }, (flags) =>
  lazily(
    () => import("./Operator.ts"),
    (operator) => operator.list(flags)
  )
).pipe(Command.withDescription("Lists the latest ${words(feature)}."))

export const ${camel(command)} = Command.make("${command}").pipe(
  Command.withDescription("${pascal(daemon)}: ${words(feature)}."),
  Command.withSubcommands([list])
)
`,
    [`${folder}/Operator.ts`]: `/** The bodies of \`signalbox ${command} …\`. */
import { Effect } from "effect"
import { columns, print } from "#core/cli/Output.ts"
import { withStorage } from "#core/cli/Storage.ts"
import { defaultPage } from "#core/http/Paging.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { ${camel(daemon)} } from "../Daemon.ts"
import * as Store from "./Store.ts"

export const list = Effect.fnUntraced(function* (flags: { readonly json: boolean }) {
  const rows = yield* withStorage(
    Effect.andThen(Migrations.run(${camel(daemon)}.migrations), Store.list(undefined, defaultPage))
  )
  yield* print(flags.json, rows, () =>
    columns([["ID", "TENANT", "NAME"], ...rows.map((row) => [String(row.id), String(row.tenant_id), row.name])])
  )
})
`,
    [`${folder}/migrations/${step}.ts`]: `import type { Migration } from "#core/sql/Migrations.ts"

export const ${name}: Migration = {
  id: ${migration},
  name: "${words(feature)}",
  statements: [
    \`create table ${table} (
       id int generated always as identity primary key,
       tenant_id int not null,
       name text not null,
       created_at timestamptz not null default now()
     )\`,
    "create index ${snake(feature)}_tenant on ${table} (tenant_id, id)",
    "select core.protect('${table}')"
  ]
}
`,
    [`tests/${folder}/Feature.test.ts`]: `import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { ${camel(daemon)} } from "#daemons/${daemon}/Daemon.ts"
import { startSuite } from "#support/TestSuite.ts"

describe("${daemon}: ${words(feature)}", () => {
  it.live.each([{ gateway: false }, { gateway: true }])("answers and is healthy, %o", ({ gateway }) =>
    Effect.gen(function* () {
      const suite = yield* startSuite({ daemons: [${camel(daemon)}], gateway })
      const token = yield* suite.token
      const path = "${path}"
      expect((yield* suite.call("GET", path)).status).toBe(401)
      const created = yield* suite.call("POST", path, { token, body: { name: "first" } })
      expect([created.status, created.json.name]).toEqual([201, "first"])
      expect((yield* suite.call("POST", path, { token, body: { name: "" } })).status).toBe(422)
      expect((yield* suite.call("GET", path, { token })).json).toMatchObject({ items: [{ name: "first" }] })
      const health = gateway ? "/health/${daemon}" : "/health"
      const report = (yield* suite.call("GET", health, { token })).json
      expect(report.components).toMatchObject({ ${snake(feature)}: { status: "ok" } })
      expect(report.actors).toContainEqual(expect.objectContaining({ name: "${words(feature)} counting" }))
      expect((yield* suite.call("GET", "/metrics", { token })).text).toContain("http_requests_total")
    }).pipe(Effect.scoped)
  )
})
`
  }
}
