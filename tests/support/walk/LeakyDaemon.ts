/** A test daemon for the walks themselves: one fault per address, and two addresses without faults. */
import { Effect, Layer, Schema } from "effect"
import { HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { Authentication } from "#core/auth/Authentication.ts"
import { Caller, inScope, tenantOf } from "#core/auth/Caller.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Daemon from "#core/daemon/Daemon.ts"
import * as Feature from "#core/daemon/Feature.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { Database } from "#core/sql/Database.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import * as Problem from "#core/http/Problem.ts"

const Name = Schema.String.pipe(Schema.check(Schema.isMaxLength(50), Schema.isPattern(/^[^\0\ud800-\udfff]+$/)))
const Item = Schema.Struct({ id: Schema.Int, name: Schema.String })
type Thing = typeof Item.Type
const Page = Schema.Struct({ items: Schema.Array(Item), total: Schema.Int })
const BodyId = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 }))
const Id = Schema.NumberFromString.pipe(Schema.decodeTo(BodyId))
const params = { id: Id }
const named = Schema.Struct({ name: Name })
const adopting = Schema.Struct({ name: Name, parent_id: Schema.NullOr(BodyId) })
const error = [Problem.NotFound, Problem.Forbidden] as const
const base = "/api/v1/leaky"

const things = HttpApiGroup.make("things")
  .add(
    HttpApiEndpoint.get("list", "/sound", { success: Page }),
    HttpApiEndpoint.post("create", "/sound", { headers: Idempotency.headers, payload: adopting, success: Item, error }),
    HttpApiEndpoint.get("show", "/sound/:id", { params, success: Item, error }),
    HttpApiEndpoint.put("rename", "/sound/:id", { params, payload: named, success: Item, error }),
    HttpApiEndpoint.get("told", "/told/:id", { params, success: Item, error }),
    HttpApiEndpoint.get("counted", "/counted", { success: Page }),
    HttpApiEndpoint.get("searched", "/searched", { query: { q: Schema.optionalKey(Name) }, success: Page }),
    HttpApiEndpoint.put("swept", "/swept/:id", { params, payload: named, success: Item, error }),
    HttpApiEndpoint.get("blind", "/blind/:id", { params, success: Item, error }),
    HttpApiEndpoint.post("adopted", "/adopted", { payload: adopting, success: Item, error }),
    HttpApiEndpoint.post("keyed", "/keyed", { headers: Idempotency.headers, payload: named, success: Item, error }),
    HttpApiEndpoint.post("frail", "/frail", { payload: Schema.Struct({ name: Schema.String }), success: Item }),
    HttpApiEndpoint.post("hasty", "/hasty", { payload: Schema.Struct({ name: Schema.String }), success: Item, error }),
    HttpApiEndpoint.post("chatty", "/chatty", {
      payload: Schema.Struct({ name: Schema.String }),
      success: Item,
      error
    }),
    HttpApiEndpoint.get("forgotten", "/forgotten", { success: Page })
  )
  .middleware(Authentication)
  .annotate(Requires, "workflows.manage")
  .prefix(base)

const unguarded = HttpApiGroup.make("unguarded")
  .add(HttpApiEndpoint.get("open", "/open/:id", { params, success: Item, error }))
  .prefix(base)

const LeakyApi = Api.make("leaky").add(things).add(unguarded)

/** Answers of `keyed`. The fault: they are stored by key alone, not by tenant and key. */
const answered = new Map<string, Thing>()

const rows = (where: string, ...values: ReadonlyArray<unknown>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.orDie(sql.unsafe<Thing>(`select id, name from leaky.thing where ${where} order by id`, [...values]))
  )

const create = Effect.fnUntraced(function* (name: string, parent: number | null = null) {
  const sql = yield* SqlClient.SqlClient
  const tenant = tenantOf(yield* Caller)
  const [row] = yield* Effect.orDie(sql<Thing>`insert into leaky.thing (tenant_id, name, parent_id)
    values (${tenant}, ${name}, ${parent}) returning id, name`)
  return row!
})

const missing = new Problem.NotFound({ detail: "There is no such thing." })
const first = (found: ReadonlyArray<Thing>) =>
  found[0] === undefined ? Effect.fail(missing) : Effect.succeed(found[0])
const own = (id: number) => Effect.flatMap(Effect.orDie(inScope(rows("id = $1", id))), first)
const page = (items: ReadonlyArray<Thing>) => ({ items, total: items.length })
const mine = Effect.map(Effect.orDie(inScope(rows("true"))), page)

const handlers = Handlers.group(
  LeakyApi,
  "things",
  Effect.fn(function* (handlers) {
    const sql = yield* SqlClient.SqlClient
    yield* Database
    const refused = (errors: string) =>
      Effect.fail(new Problem.InvalidRequest({ errors: [{ field: "payload.name", message: errors }] }))
    return handlers.handleAll({
      list: () => mine,
      create: ({ headers, payload }) =>
        Problem.orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "leaky.create",
            body: payload,
            response: Item,
            create:
              payload.parent_id === null
                ? create(payload.name)
                : Effect.flatMap(Effect.flatMap(rows("id = $1", payload.parent_id), first), ({ id }) =>
                    create(payload.name, id)
                  )
          })
        ),
      show: ({ params }) => own(params.id),
      rename: ({ params, payload }) =>
        Effect.flatMap(
          Effect.orDie(
            inScope(
              sql<Thing>`update leaky.thing set name = ${payload.name} where id = ${params.id} returning id, name`
            )
          ),
          first
        ),
      // Fault: reveals that the thing exists.
      told: ({ params }) =>
        Effect.catch(own(params.id), (gone) =>
          Effect.flatMap(
            rows("id = $1", params.id),
            (found): Effect.Effect<never, Problem.Forbidden | Problem.NotFound> =>
              Effect.fail(found.length > 0 ? new Problem.Forbidden({ detail: "This is not yours." }) : gone)
          )
        ),
      // Fault: counts the things of all tenants.
      counted: () =>
        Effect.flatMap(mine, ({ items }) => Effect.map(rows("true"), (all) => ({ items, total: all.length }))),
      // Fault: searches the things of all tenants.
      searched: ({ query }) => (query.q === undefined ? mine : Effect.map(rows("name = $1", query.q), page)),
      // Fault: updates as the platform, without a WHERE.
      swept: ({ params, payload }) =>
        Effect.andThen(Effect.orDie(sql`update leaky.thing set name = ${payload.name}`), own(params.id)),
      blind: () => Effect.fail(missing),
      // Fault: the parent may belong to any tenant, because a foreign key does not check tenants.
      adopted: ({ payload }) => Effect.orDie(inScope(create(payload.name, payload.parent_id))),
      keyed: Effect.fnUntraced(function* ({ headers, payload }) {
        const key = headers["idempotency-key"] ?? ""
        const answer = answered.get(key) ?? (yield* Effect.orDie(inScope(create(payload.name))))
        if (key !== "") answered.set(key, answer)
        return answer
      }),
      // Fault: passes NUL to the database.
      frail: ({ payload }) => Effect.orDie(inScope(create(payload.name))),
      // Fault: writes before it validates.
      hasty: ({ payload }) =>
        Effect.flatMap(
          Effect.orDie(inScope(create(payload.name.slice(0, 9).replaceAll("\0", "").toWellFormed()))),
          (made) => (made.name === payload.name ? Effect.succeed(made) : refused("is wrong"))
        ),
      // Fault: reveals the SQL statement.
      chatty: ({ payload }) =>
        /^\w{1,50}$/.test(payload.name)
          ? Effect.orDie(inScope(create(payload.name)))
          : refused("insert into leaky.thing (name) failed"),
      forgotten: () => mine
    })
  })
)

const unguardedHandlers = Handlers.group(
  LeakyApi,
  "unguarded",
  Effect.fn(function* (handlers) {
    yield* SqlClient.SqlClient
    return handlers.handle("open", ({ params }) => Effect.flatMap(rows("id = $1", params.id), first))
  })
)

/** Tables: `thing` is correct, everybody can read `loose`, everybody can write `written`, and `draft` stays empty. */
const feature = Feature.make({
  migrations: [
    {
      id: 1,
      name: "things",
      statements: [
        `create table leaky.thing (id int generated always as identity primary key, tenant_id int not null, name text not null,
           parent_id int references leaky.thing)`,
        ...["loose", "written", "draft"].map(
          (table) => `create table leaky.${table} (tenant_id int not null, name text not null)`
        ),
        ...["thing", "loose", "written", "draft"].map((table) => `select core.protect('leaky.${table}')`),
        "create policy wide on leaky.loose for select to signalbox_tenant using (true)",
        "create policy wide on leaky.written to signalbox_tenant using (true) with check (true)"
      ]
    }
  ],
  routes: [{ prefix: base }],
  api: LeakyApi,
  layer: HttpApiBuilder.layer(LeakyApi).pipe(Layer.provide([handlers, unguardedHandlers]))
})

export const leakyDaemon = Daemon.make({ name: "leaky", title: "Leaky", port: 8198, features: [feature] })
