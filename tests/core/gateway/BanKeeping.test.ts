/** Processes that write the bans of the events as files, in each layout. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { chmodSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs"
import { join } from "node:path"
import { BanAdded, BanLifted } from "#core/contracts/Security.ts"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { until } from "#support/Frame.ts"
import { scratchFolder } from "#support/peers/Loopback.ts"
import { probeDaemon } from "#support/ProbeDaemon.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"

const emit = (suite: TestSuite, type: string, data: unknown) =>
  Effect.andThen(
    suite.sql`insert into core.event (type, source, data) values (${type}, 'test', ${suite.sql.json(data)})`,
    suite.sql`select pg_notify('signalbox', 'event')`
  )

const ban = (suite: TestSuite, address: string, seconds: number) =>
  Effect.flatMap(
    Effect.orDie(
      Schema.encodeEffect(BanAdded.data)({
        address,
        rule: "sip-scanner",
        until: new Date(Date.now() + seconds * 1_000)
      })
    ),
    (data) => emit(suite, BanAdded.type, data)
  )

const listed = (folder: string) => readFileSync(join(folder, "banned.txt"), "utf8").split("\n").slice(1, -1)
const lists = (folder: string, ...ranges: ReadonlyArray<string>) =>
  until(
    `the file lists ${ranges.join(", ")}`,
    Effect.sync(() => {
      try {
        return JSON.stringify(listed(folder)) === JSON.stringify(ranges)
      } catch {
        return false
      }
    }),
    60
  )

describe("the files of banned addresses", () => {
  it.live(
    "follow the events: added, lifted, expired; a file is replaced whole, and only when it changes",
    () =>
      Effect.gen(function* () {
        const folder = yield* scratchFolder("bans")
        const suite = yield* startSuite({
          daemons: [probeDaemon("one"), probeDaemon("apart", { ownPort: true })],
          gateway: true,
          env: { SIGNALBOX_NETWORK_DIR: folder, SIGNALBOX_TRUSTED_PROXIES: "127.0.0.0/8,192.0.2.0/28" }
        })
        yield* lists(folder)
        yield* ban(suite, "192.0.0.0/16", 3_600)
        yield* ban(suite, "198.51.100.7", 3_600)
        yield* ban(suite, "2001:db8::/64", 3_600)
        yield* lists(folder, "198.51.100.7/32", "2001:db8::/64")
        const before = statSync(join(folder, "banned.nft")).ino
        assert.deepStrictEqual(readdirSync(folder).sort(), [
          "banned.caddyfile",
          "banned.nft",
          "banned.nginx.conf",
          "banned.txt"
        ])
        assert.strictEqual(statSync(join(folder, "banned.nft")).mode & 0o777, 0o644)

        // A second process on the same directory changes nothing.
        const second = yield* startSuite({
          daemons: [probeDaemon("apart", { ownPort: true })],
          database: suite.database,
          env: { SIGNALBOX_NETWORK_DIR: folder, SIGNALBOX_TRUSTED_PROXIES: "127.0.0.0/8,192.0.2.0/28" }
        })
        yield* emit(suite, BanLifted.type, { address: "198.51.100.7" })
        yield* ban(suite, "203.0.113.9", 15)
        yield* lists(folder, "203.0.113.9/32", "2001:db8::/64")
        yield* lists(folder, "2001:db8::/64")
        assert.notStrictEqual(statSync(join(folder, "banned.nft")).ino, before)
        assert.isDefined(second)
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "are written by mail-admin on a host without a gateway, and again after the directory was missing",
    () =>
      Effect.gen(function* () {
        const parent = yield* scratchFolder("bans")
        const folder = join(parent, "network")
        const suite = yield* startSuite({ daemons: [mailAdmin], env: { SIGNALBOX_NETWORK_DIR: folder } })
        const filing = Effect.map(suite.call("GET", "/health", { token: yield* suite.token }), ({ json }) =>
          json.actors.find(({ name }: { name: string }) => name === "ban files")
        )
        yield* until(
          "the missing directory is reported",
          Effect.map(filing, (actor) => /SIGNALBOX_NETWORK_DIR .*ENOENT/.test(actor?.last_failure?.message ?? "")),
          60
        )
        const made = yield* scratchFolder("made")
        chmodSync(made, 0o755)
        renameSync(made, folder)
        yield* ban(suite, "198.51.100.7", 3_600)
        yield* lists(folder, "198.51.100.7/32")
      }).pipe(Effect.scoped),
    120_000
  )
})
