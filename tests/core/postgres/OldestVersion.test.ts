/** All daemons on the oldest supported Postgres, which Debian 12 ships, with each kind of login role. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { toUrl } from "#core/postgres/ConnectionTarget.ts"
import { oldestMajor } from "#core/postgres/ServerBinaries.ts"
import { daemons } from "#daemons/Suite.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { freshDatabaseOn } from "#support/Postgres.ts"
import { preparedDirectory } from "#support/PreparedCluster.ts"
import { startSuite } from "#support/TestSuite.ts"

describePeers(["postgres15"], `Postgres ${oldestMajor}`, () => {
  it.live.each(["the owner", "a superuser"] as const)(
    "runs all daemons as %s of the database",
    (login) =>
      Effect.scoped(
        Effect.gen(function* () {
          const dataDir = yield* preparedDirectory("oldest", oldestMajor)
          const { socketDir } = yield* start({ dataDir, fsync: false })
          const fresh = yield* freshDatabaseOn(socketDir)
          const target = login === "the owner" ? fresh.target : fresh.superuser
          const database = { ...fresh, target, url: toUrl(target) }
          const suite = yield* startSuite({
            daemons,
            gateway: true,
            database,
            env: { SIGNALBOX_ALARM_SMTP_PORT: "0", SIGNALBOX_MAIL_LOOKUP_PORT: "0" }
          })
          const [row] = yield* suite.sql<{
            version: number
          }>`select current_setting('server_version_num')::int / 10000 as version`
          assert.strictEqual(row?.version, oldestMajor)
          for (const { name } of daemons) {
            const { json } = yield* suite.call("GET", `/health/${name}`)
            // Without a mail server or a switch some daemons have nothing to work with.
            assert.include(["ok", "degraded"], json.status, JSON.stringify(json))
          }
          const token = yield* suite.token
          const users = yield* suite.call("GET", "/api/v1/users", { token })
          assert.strictEqual(users.status, 200, users.text)
        })
      ),
    120_000
  )
})
