// Benchmark of deliveries: alarms with four targets each, from the trigger queue to the end in the ledger. Compares
// with the job engine alone, which processes as many empty jobs on the same server.

import { tmpdir } from "node:os"
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { PgBoss } from "pg-boss"
import { withClient } from "#core/postgres/Bootstrap.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { toPgPool } from "#core/postgres/ConnectionTarget.ts"
import { type FreshDatabase, freshDatabaseOn } from "#support/Postgres.ts"
import { Sink, Suite, until } from "../alarm/Rig.ts"
import { type Figure, figure, median } from "../Figure.ts"

/** Alarms of one round. */
const alarms = 500
/** Targets per alarm. */
const targets = 4
/** Rounds, alternating between our daemon and the engine alone. */
const rounds = 5
/** Jobs that the bare worker fetches at once. Reason: the daemon works on as many deliveries at once. */
const batch = 16

const note = (text: string) => process.stderr.write(`${text}\n`)

export const run = async (): Promise<ReadonlyArray<Figure>> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"))
  const scope = Effect.runSync(Scope.make())
  const inScope = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))
  const sink = new Sink()
  const port = await sink.start()
  let suite: Suite | undefined
  try {
    // Postgres runs with fsync, as in production, for both sides.
    const server = await inScope(start({ dataDir: join(folder, "postgres"), fsync: true }))
    const [ours, bare] = [
      await inScope(freshDatabaseOn(server.socketDir)),
      await inScope(freshDatabaseOn(server.socketDir))
    ]
    suite = await Suite.start({
      SIGNALBOX_DATA_DIR: join(folder, "var"),
      DATABASE_URL: ours.url,
      SIGNALBOX_ALARM_SMTP_PORT: "0",
      SIGNALBOX_ALARM_ALLOWED_DOMAINS: "example.test",
      SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      SIGNALBOX_WEBHOOK_RATE: "10000",
      SIGNALBOX_ALARM_BRIDGE_PORT: "0",
      SIGNALBOX_COMM_DISPATCHER_PORT: "0"
    })
    const engine = await Engine.start(bare)
    const rates: Array<number> = []
    const floors: Array<number> = []
    for (let round = 0; round <= rounds; round++) {
      const floor = await engine.round(round)
      const rate = await deliveries(ours, sink, port, round)
      note(
        `round ${round}: ${rate.toFixed(0)} deliveries/s, ${floor.toFixed(0)} empty jobs/s${round === 0 ? " (warming up)" : ""}`
      )
      if (round > 0) {
        rates.push(rate)
        floors.push(floor)
      }
    }
    await engine.stop()
    const ratios = rates.map((rate, index) => rate / floors[index]!)
    return [
      figure("deliveries a second, alarms of four webhooks", median(rates), "1/s", { floor: median(floors) }),
      figure("deliveries to empty jobs of the engine alone", median(ratios), "", { target: 0.3, better: "more" })
    ]
  } finally {
    await suite?.end("SIGTERM")
    await sink.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Sends triggers like alarm-bridge, in one statement. Returns the time until the ledger shows every target as
 * delivered.
 */
const deliveries = async (database: FreshDatabase, sink: Sink, port: number, round: number): Promise<number> => {
  const before = sink.arrivals.size
  const began = performance.now()
  const subject = Array.from(
    { length: targets },
    (_, target) => `WEBHOOK+http://127.0.0.1:${port}/${round}-%s/${target}`
  ).join(";")
  await Effect.runPromise(
    withClient(database.target, (sql) =>
      Effect.gen(function* () {
        yield* sql`insert into pgboss.job (name, data, retry_limit)
      select 'alarm.trigger', jsonb_build_object('trigger_key', ${`${round}-`} || n, 'event_type', 'email.alarm.received', 'tenant_id', 1,
        'received_at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'source', '{"kind": "imap", "mailbox": "bench"}'::jsonb,
        'payload', jsonb_build_object('email_body', 'bench', 'email_from', 'bench@example.test', 'email_subject',
          replace(${`CRITICAL:${subject}`}, '%s', n::text))), 1000000
        from generate_series(1, ${alarms}::int) n`
        yield* sql`select pg_notify('signalbox', 'queue alarm.trigger')`
        yield* Effect.promise(() => until("every webhook", () => sink.arrivals.size - before === alarms * targets, 120))
        for (;;) {
          const [left] = yield* sql<{
            open: number
          }>`select count(*)::int as open from comm_dispatcher.run where finished_at is null`
          if (left?.open === 0) return
        }
      })
    )
  )
  return ((alarms * targets) / (performance.now() - began)) * 1000
}

/** The job engine alone: sends jobs in arrays of one alarm's size, fetches and completes them in batches. */
class Engine {
  readonly #boss: PgBoss

  private constructor(boss: PgBoss) {
    this.#boss = boss
  }

  static async start(database: FreshDatabase): Promise<Engine> {
    const boss = new PgBoss({ ...toPgPool(database.target), max: 3, supervise: false, schedule: false })
    await boss.start()
    await boss.createQueue("empty")
    return new Engine(boss)
  }

  async round(round: number): Promise<number> {
    const began = performance.now()
    for (let alarm = 0; alarm < alarms; alarm++) {
      await this.#boss.insert(
        "empty",
        Array.from({ length: targets }, (_, target) => ({
          data: { target_id: round * alarms * targets + alarm * targets + target }
        }))
      )
    }
    for (let left = alarms * targets; left > 0;) {
      const jobs = await this.#boss.fetch("empty", { batchSize: batch })
      await this.#boss.complete(
        "empty",
        jobs.map(({ id }) => id)
      )
      left -= jobs.length
    }
    return ((alarms * targets) / (performance.now() - began)) * 1000
  }

  stop(): Promise<void> {
    return this.#boss.stop({ graceful: false, close: true })
  }
}
