/** A change in one process of the edge takes effect in the other within a second. */
import { assert, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { hash } from "node:crypto"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { startSuite } from "#support/TestSuite.ts"
import { ask, Place, submit, verify } from "./Browser.ts"

/** Longest delay. Unit: milliseconds. Source: issue 9. Excludes the time of the requests themselves, see `within`. */
const second = 1_000

it.live(
  "sign-outs, blocks, roles and routes apply in other processes within a second",
  () =>
    Effect.gen(function* () {
      const env = { AUTH_COOKIE_DOMAIN: "example.org" }
      const here = yield* startSuite({ daemons: [edgeAuth], env })
      const there = yield* startSuite({ daemons: [edgeAuth], env, database: here.database })
      const [atHome, elsewhere] = [Context.make(Place, here), Context.make(Place, there)] as const
      const { sql } = here
      yield* sql`insert into edge_auth.users (email, password, name, status, role)
      select name || '@example.org', '', name, 'active', case when name = 'root' then 'admin' else 'user' end from unnest(array['root', 'ann', 'ben', 'cy', 'di']) name`
      const tokenOf = (name: string) => hash("sha256", name, "hex")
      yield* sql`insert into edge_auth.sessions (token, user_id, ip, user_agent, expires_at)
      select encode(sha256(encode(sha256(name::bytea), 'hex')::bytea), 'hex'), id, '', '', now() + interval '1 day' from edge_auth.users`
      yield* sql`insert into edge_auth.protected_routes (host, path, required_role) values ('app.example.org', '/', 'user'), ('app.example.org', '/admin', 'admin')`
      const users = new Map(
        (yield* sql<{ id: number; name: string }>`select id, name from edge_auth.users`).map(({ id, name }) => [
          name,
          String(id)
        ])
      )

      const status = (path: string, name: string, host = "app.example.org") =>
        Effect.map(verify(host, path, { session: tokenOf(name) }), (answer) => answer.status).pipe(
          Effect.provideContext(elsewhere)
        )
      const act = (fields: Readonly<Record<string, string>>) =>
        Effect.map(submit("/admin", fields, { session: tokenOf("root") }), (answer) =>
          assert.strictEqual(answer.status, 303, answer.text)
        ).pipe(Effect.provideContext(atHome))

      /**
       * Polls after a change. The last request that starts at least a second after the change must get the new answer;
       * earlier ones may get the old one.
       */
      const within = Effect.fnUntraced(function* <E>(
        name: string,
        old: number,
        fresh: number,
        change: Effect.Effect<unknown, E>,
        look: Effect.Effect<number>
      ) {
        assert.strictEqual(yield* look, old, `${name}, before`)
        yield* change
        const done = performance.now()
        for (;;) {
          const asked = performance.now()
          const answer = yield* look
          if (answer === fresh) return asked - done
          assert.strictEqual(answer, old, name)
          assert.isBelow(
            asked - done,
            second,
            `${name}: still the old answer to a question of ${asked - done} ms after`
          )
          yield* Effect.sleep(10)
        }
      })

      yield* within(
        "sign-out",
        200,
        302,
        ask("GET", "/logout", { headers: { cookie: `__platform_auth=${tokenOf("ann")}` } }).pipe(
          Effect.provideContext(atHome)
        ),
        status("/", "ann")
      )
      yield* within(
        "sign-out everywhere",
        200,
        302,
        Effect.map(submit("/account", { act: "end_all" }, { session: tokenOf("ben") }), (answer) =>
          assert.strictEqual(answer.status, 303)
        ).pipe(Effect.provideContext(atHome)),
        status("/", "ben")
      )
      yield* within("role given", 403, 200, act({ act: "make_admin", id: users.get("cy")! }), status("/admin", "cy"))
      yield* within("role taken", 200, 403, act({ act: "make_user", id: users.get("cy")! }), status("/admin", "cy"))
      yield* within("block", 200, 302, act({ act: "block", id: users.get("cy")! }), status("/", "cy"))
      yield* within(
        "route added",
        200,
        302,
        act({ act: "add_route", host: "new.example.org", path: "/", role: "user" }),
        status("/", "nobody", "new.example.org")
      )
      const [{ id } = { id: 0 }] = yield* sql<{
        id: number
      }>`select id from edge_auth.protected_routes where host = 'new.example.org'`
      yield* within(
        "route turned off",
        302,
        200,
        act({ act: "turn_off", id: String(id) }),
        status("/", "nobody", "new.example.org")
      )
      yield* within(
        "route turned on",
        200,
        302,
        act({ act: "turn_on", id: String(id) }),
        status("/", "nobody", "new.example.org")
      )
      yield* within(
        "route removed",
        302,
        200,
        act({ act: "remove_route", id: String(id) }),
        status("/", "nobody", "new.example.org")
      )
      // A change without a notification, as by hand in the database.
      yield* within(
        "silent block",
        200,
        302,
        sql`update edge_auth.users set status = 'blocked' where name = 'di'`,
        status("/", "di")
      )
    }).pipe(Effect.scoped),
  120_000
)
