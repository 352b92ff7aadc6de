/** Daemons that were stopped for 20 days, and events that are deleted after 14. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Daemon } from "#core/daemon/Daemon.ts"
import * as Prune from "#core/events/Prune.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { provisioning } from "#daemons/provisioning/Daemon.ts"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"
import { client } from "#support/Frame.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { untilWithin } from "#support/Within.ts"
import { mailDouble, startProvisioning } from "./ProvisioningSuite.ts"

const fleet = [identity, sipConfig, mailDouble, provisioning]

it.live(
  "credentials end when the daemon that issued them, or provisioning itself, starts 20 days later",
  () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const sql = yield* client(database.target)
      const env = { SIGNALBOX_DATA_DIR: yield* temporaryDirectory() }
      const without = (stopped: Daemon | undefined) =>
        startProvisioning({ daemons: fleet.filter((one) => one !== stopped), fleet, database, env })
      /** Time passes while no daemon runs. */
      const later = Effect.andThen(
        sql`with aged as (update core.event set at = at - interval '20 days' returning 1)
          update core.event_cursor set moved_at = moved_at - interval '20 days'`,
        Effect.provideService(Prune.prune(14), SqlClient.SqlClient, sql)
      )
      const config = (id: number) => `/api/v1/sip/extensions/${id}/config`

      const [anna, bert] = yield* Effect.scoped(
        Effect.gen(function* () {
          const { admin, extension, link, person, suite } = yield* without(undefined)
          return yield* Effect.forEach(["1001", "1002"], (number) =>
            Effect.gen(function* () {
              const user = yield* person()
              const id = yield* extension(user, number)
              const { status } = yield* suite.call("GET", (yield* link(user)).path)
              assert.strictEqual(status, 200)
              const { items } = (yield* admin("GET", `/api/v1/provisioning/devices?user_id=${user.id}`)).json
              const { password } = (yield* admin("GET", config(id))).json
              return { user, extension: id, device: items[0].id as string, password: password as string }
            })
          )
        })
      )

      yield* Effect.scoped(
        Effect.gen(function* () {
          const { admin } = yield* without(sipConfig)
          const { status } = yield* admin("DELETE", `/api/v1/provisioning/devices/${anna!.device}`)
          assert.strictEqual(status, 200)
        })
      )
      yield* later
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { admin } = yield* without(provisioning)
          yield* untilWithin(
            30,
            "sip-config has changed the password of the revoked device",
            Effect.map(admin("GET", config(anna!.extension)), ({ json }) => json.password !== anna!.password)
          )
          assert.strictEqual((yield* admin("DELETE", `/api/v1/users/${bert!.user.id}`)).status, 204)
        })
      )
      yield* later
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { admin, revocations } = yield* without(undefined)
          yield* untilWithin(
            30,
            "provisioning has ended the device of the deleted user",
            Effect.map(revocations, (all) => all.some(({ data }) => data.device_id === bert!.device))
          )
          assert.deepStrictEqual(
            (yield* admin("GET", "/api/v1/provisioning/devices?revoked=true")).json.items.length,
            1
          )
          yield* untilWithin(
            30,
            "sip-config has changed the password of the deleted user's device",
            Effect.map(
              sql<{ n: number }>`select count(*)::int as n from core.audit where action = 'sip_extension.password_set'
                and detail ->> 'device_id' = ${bert!.device}`,
              ([row]) => row!.n === 1
            )
          )
        })
      )
    }).pipe(Effect.scoped),
  120_000
)
