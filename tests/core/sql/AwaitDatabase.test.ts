/** The start of a process whose database is away or refuses for good. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Option } from "effect"
import { awaitDatabase } from "#core/sql/AwaitDatabase.ts"
import { SystemdNotify } from "#protocols/systemd/SystemdNotify.ts"
import * as Door from "#support/Door.ts"
import { until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { join } from "node:path"

/** A service manager that notes the status lines and how often the start was extended. */
const manager = () => {
  const said: Array<string> = []
  let extended = 0
  const notify = SystemdNotify.of({
    enabled: true,
    ready: Effect.void,
    stopping: Effect.void,
    watchdog: Effect.void,
    status: (text) => Effect.sync(() => void said.push(text)),
    extendTimeout: () => Effect.sync(() => void extended++),
    notify: () => Effect.void,
    watchdogInterval: Option.none()
  })
  return { said, extended: () => extended, notify }
}

describe("awaitDatabase", () => {
  it.live("waits while nothing listens, and goes on when Postgres does", () =>
    Effect.gen(function* () {
      const { target } = yield* freshDatabase
      const door = yield* Door.make({ path: join(target.host, `.s.PGSQL.${target.port}`) })
      yield* door.set("shut")
      const { extended, notify, said } = manager()
      const waiting = yield* Effect.forkChild(
        awaitDatabase({ ...target, host: "127.0.0.1", port: door.port }).pipe(
          Effect.provideService(SystemdNotify, notify)
        )
      )
      yield* until(
        "the start was extended twice",
        Effect.sync(() => extended() >= 2)
      )
      assert.match(said[0]!, /^waiting for Postgres: .*ECONNREFUSED/)
      yield* door.set("open")
      yield* Fiber.join(waiting)
      assert.strictEqual(said.at(-1), "starting")
    })
  )

  it.live.each([
    ["a database that is not there", { database: "none" }, /database "none" does not exist/],
    ["a role that is not there", { user: "nobody" }, /nobody/]
  ] as const)("fails at once for %s", ([, wrong, said]) =>
    Effect.gen(function* () {
      const { target } = yield* freshDatabase
      const exit = yield* Effect.exit(
        awaitDatabase({ ...target, ...wrong }).pipe(Effect.provideService(SystemdNotify, manager().notify))
      )
      assert.isTrue(Exit.isFailure(exit))
      assert.match(String(Exit.isFailure(exit) && exit.cause), said)
      assert.match(String(Exit.isFailure(exit) && exit.cause), /DatabaseUnusable/)
    })
  )
})
