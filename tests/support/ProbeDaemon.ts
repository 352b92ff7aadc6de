/**
 * A small daemon for tests of the frame. It has a creating endpoint with Idempotency-Key, a public endpoint, an
 * endpoint that fails with a defect, a fast lane, and an upgrade handler.
 */
import { Effect, Layer, Schema } from "effect"
import { HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { Authentication } from "#core/auth/Authentication.ts"
import * as Daemon from "#core/daemon/Daemon.ts"
import * as Feature from "#core/daemon/Feature.ts"
import * as Api from "#core/http/Api.ts"
import type { FastHandler } from "#core/lane/FastLane.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { type UpgradeListener } from "#core/http/Listener.ts"
import { clientAddress } from "#core/http/ClientAddress.ts"
import { Lane } from "#core/lane/Lane.ts"
import * as Problem from "#core/http/Problem.ts"
import { type ActorSpec, Supervisor } from "#core/supervision/Supervisor.ts"

const Item = Schema.Struct({ id: Schema.Int, name: Schema.String, count: Schema.Int })

/** Text of the defect. Answers must not contain it. */
export const secretOfTheInside = "select password from inside"

const apiOf = (name: string) =>
  Api.make(name)
    .add(
      HttpApiGroup.make(`${name} items`)
        .add(
          HttpApiEndpoint.post("create", `/api/v1/${name}/items`, {
            headers: Idempotency.headers,
            payload: Schema.Struct({ name: Schema.String, count: Schema.Int }),
            success: Item,
            error: [Problem.IdempotencyKeyReused, Problem.Unavailable]
          })
        )
        .middleware(Authentication)
    )
    .add(
      HttpApiGroup.make(`${name} open`)
        .add(
          HttpApiEndpoint.get("hello", `/api/v1/${name}/open/hello`, {
            success: Schema.Struct({ daemon: Schema.String })
          })
        )
        .add(HttpApiEndpoint.get("breaks", `/api/v1/${name}/open/breaks`, { success: Schema.String }))
    )

/** Declares the daemon under a name, with actors of the test. */
export const probeDaemon = (
  name: string,
  options: {
    readonly actors?: ReadonlyArray<ActorSpec>
    readonly ownPort?: boolean
    readonly routes?: ReadonlyArray<Daemon.Route>
  } = {}
): Daemon.Daemon => {
  const api = apiOf(name)
  const schema = name.replaceAll("-", "_")
  const items = Handlers.group(api, `${name} items`, (handlers) =>
    handlers.handle("create", ({ headers, payload }) =>
      Problem.orUnavailable(
        Idempotency.once({
          key: headers["idempotency-key"],
          endpoint: `${name}.create`,
          body: payload,
          response: Item,
          create: Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            // The pause lets a second request arrive while the first one runs.
            const [row] = yield* sql<typeof Item.Type>`insert into ${sql(schema)}.item (name, count)
            select ${payload.name}, ${payload.count} from pg_sleep(0.1) returning id, name, count`
            return row!
          })
        })
      )
    )
  )
  const open = Handlers.group(api, `${name} open`, (handlers) =>
    handlers
      .handle("hello", () => Effect.succeed({ daemon: name }))
      .handle("breaks", () => Effect.die(new Error(secretOfTheInside)))
  )
  const feature = Feature.make({
    migrations: [
      {
        id: 1,
        name: "items",
        statements: [
          `create table ${schema}.item (id int generated always as identity primary key, name text not null, count int not null)`
        ]
      }
    ],
    routes: options.routes ?? [
      { prefix: `/api/v1/${name}`, authenticated: true },
      { prefix: `/api/v1/${name}/open` },
      { prefix: `/${name}` }
    ],
    api,
    layer: Layer.mergeAll(
      HttpApiBuilder.layer(api).pipe(Layer.provide([items, open])),
      Layer.effectDiscard(Supervisor.actors(options.actors ?? [])),
      Layer.effectDiscard(Lane.handleAll(lane(name))),
      Layer.effectDiscard(
        Effect.forEach([`/${name}/socket`, `/api/v1/${name}/socket`], (path) => Lane.upgrade(path, hello))
      )
    )
  })
  return Daemon.make({
    name,
    title: `Probe <${name}>`,
    port: 8199,
    ...(options.ownPort === undefined ? {} : { ownPort: options.ownPort }),
    features: [feature]
  })
}

const hello: UpgradeListener = (_request, socket) => {
  socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nhello")
}

const lane = (name: string): ReadonlyArray<readonly [string, FastHandler]> => [
  [
    `GET /${name}/fast`,
    (request, response) => {
      response.writeHead(200, { "content-type": "application/json" })
      response.end(
        JSON.stringify({ client: clientAddress(request), headers: request.headers, raw: request.rawHeaders })
      )
    }
  ],
  [
    `GET /${name}/fast-throws`,
    () => {
      throw new Error(secretOfTheInside)
    }
  ],
  [`GET /${name}/fast-rejects`, () => Promise.reject(new Error(secretOfTheInside))]
]
