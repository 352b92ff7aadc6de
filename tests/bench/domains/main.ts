/**
 * Benchmark of the domain sweep. Measures the steady state beside a bare loop with the same queries, the cost with a
 * hundred times as many domains, and the processor share of 100,000 unverified domains. Runs at full size with
 * SIGNALBOX_TEST_LONG=1, else with a fraction of the domains in the same fraction of the time.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Exit, Scope } from "effect"
import { run as migrate } from "#core/sql/Migrations.ts"
import { withClient } from "#core/postgres/Bootstrap.ts"
import { domains as migration } from "#daemons/dns-verifier/domains/migrations/0001_domains.ts"
import { ownership } from "#daemons/dns-verifier/domains/migrations/0003_ownership.ts"
import { inFrame } from "#support/Frame.ts"
import { type FreshDatabase, freshDatabaseOn, startServer } from "#support/Postgres.ts"
import { figure, type Figure, median } from "../Figure.ts"
import { addresses } from "./Place.ts"
import type { Count } from "./Subject.ts"

const isLong = process.env["SIGNALBOX_TEST_LONG"] === "1"

/** Smallest share of the bare loop's rate. Source: target of the issue. */
const target = 0.7
/** Largest processor share for 100,000 unverified domains. Unit: cores. Source: target of the issue. */
const share = 0.5
/** Largest cost ratio per domain, many to few domains. Reason: cost must grow linearly; a shared machine adds noise. */
const linear = 1.2
/**
 * Largest ratio of memory in use, many to few domains. Reason: memory must stay flat, except for pages of rows that few
 * domains do not fill. Measured after garbage collection, because the engine may let garbage grow to 250 MB first.
 */
const flat = 1.2

/** Node flags that bin/signalbox uses. */
const flags = ["--max-semi-space-size=8", "--no-allocation-site-pretenuring"]

/** `measured`: length of one measurement, in milliseconds. `pairs`: number of measurements of subject and baseline. */
const measured = 3_000
const pairs = 5

/** Domains of the steady state. Reason: the size of a provider; with so many, each page of due rows is full. */
const settled = 10_000

/** A minute so short that every domain is always due. Unit: milliseconds. */
const always = 10

const child = async (file: string, execArgv: ReadonlyArray<string> = []): Promise<ChildProcess> => {
  const started = fork(`${import.meta.dirname}/${file}.ts`, [], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    execArgv: [...execArgv]
  })
  started.once("exit", (code) => {
    if (code !== null && code !== 0) throw new Error(`${file} ended with ${code}`)
  })
  await once(started, "message")
  return started
}

const ask = async <A>(of: ChildProcess, message: object): Promise<A> => {
  const answer = once(of, "message")
  of.send(message)
  return (await answer)[0] as A
}

const end = async (of: ChildProcess): Promise<void> => {
  const gone = once(of, "exit")
  of.kill("SIGKILL")
  await gone
}

/** Creates domains in the state after their first check. */
const seeded = (database: FreshDatabase, count: number, isVerified: boolean) =>
  Effect.runPromise(
    Effect.gen(function* () {
      yield* inFrame(migrate({ schema: "dns_verifier", steps: [migration, ownership] }), { target: database.target })
      const apex = { type: "A", name: "@" }
      const www = { type: "A", name: "www" }
      const findings = isVerified
        ? [{ code: "points_here", record: apex, args: { addresses: [addresses.ipv4] } }]
        : [
            { code: "points_elsewhere", record: apex, args: { found: ["203.0.113.9"] } },
            { code: "www_elsewhere", record: www, args: { wanted: [addresses.ipv4], found: ["203.0.113.9"] } }
          ]
      yield* withClient(database.superuser, (sql) =>
        Effect.gen(function* () {
          yield* sql`insert into dns_verifier.domain (tenant_id, customer_id, name, proven, dns_status, status, findings, observed_at, verified_at, zone)
          select 1, 1, ${isVerified ? "d" : "u"} || n || '.test', true, ${isVerified ? "verified" : "manual"}, ${isVerified ? "active" : "pending"}, ${JSON.stringify(findings)}::jsonb, now(),
            ${isVerified ? sql`now()` : null}, ${isVerified ? "d" : "u"} || n || '.test' from generate_series(0, ${count - 1}::int) n`
          yield* sql`insert into dns_verifier.record (tenant_id, domain_id, source, type, name, content, ttl, status)
          select 1, d.id, 'platform', r.type, r.name, r.content, 3600, r.status from dns_verifier.domain d,
            (values ('A', '@', ${addresses.ipv4}, ${isVerified ? "ok" : "wrong"}), ('A', 'www', ${addresses.ipv4}, ${isVerified ? "ok" : "wrong"}), ('AAAA', '@', ${addresses.ipv6}, 'ok')) as r (type, name, content, status)`
          yield* sql`vacuum analyze dns_verifier.domain, dns_verifier.record`
        })
      )
    }) as Effect.Effect<void>
  )

interface Running {
  /** `collect`: collects garbage before measuring. */
  readonly count: (collect?: boolean) => Promise<Count>
  readonly process: ChildProcess
}

/** Runs the sweep over `count` domains while `use` runs. */
const sweeping = async <A>(
  socketDir: string,
  count: number,
  isVerified: boolean,
  minute: number,
  use: (running: Running) => Promise<A>
): Promise<A> => {
  const scope = Scope.makeUnsafe()
  const database = await Effect.runPromise(Scope.provide(freshDatabaseOn(socketDir), scope))
  await seeded(database, count, isVerified)
  const subject = await child("Subject", [...flags, "--expose-gc"])
  try {
    await ask(subject, { target: database.target, minute })
    return await use({ process: subject, count: (collect = false) => ask<Count>(subject, { collect }) })
  } finally {
    await end(subject)
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

interface Rate {
  readonly perSecond: number
  /** Processor time per domain. Unit: microseconds. */
  readonly processor: number
}

const rateOf = async ({ count }: Running, ms: number): Promise<Rate & { readonly last: Count }> => {
  const [first, at] = [await count(), performance.now()]
  await sleep(ms)
  const last = await count()
  const looks = last.looks - first.looks
  // Writes or failures would distort the measurement of checks.
  if (last.written > first.written || last.failed > first.failed)
    throw new Error(`not a steady state: ${JSON.stringify({ first, last })}`)
  return {
    perSecond: looks / ((performance.now() - at) / 1000),
    processor: (last.processor - first.processor) / looks,
    last
  }
}

/** Waits until every domain was checked this many times. */
const warm = async ({ count }: Running, domains: number, rounds: number) => {
  while ((await count()).looks < domains * rounds) await sleep(100)
}

const steady = (socketDir: string, domains: number): Promise<ReadonlyArray<Figure>> =>
  sweeping(socketDir, domains, true, always, async (running) => {
    const floor = await child("Floor", flags)
    await warm(running, domains, 3)
    const subjects: Array<Rate> = []
    const floors: Array<Rate> = []
    for (let pair = 0; pair < pairs; pair++) {
      subjects.push(await rateOf(running, measured))
      running.process.kill("SIGSTOP")
      floors.push(await ask<Rate>(floor, { domains, ms: measured }))
      running.process.kill("SIGCONT")
      await sleep(500)
    }
    await end(floor)
    const value = median(subjects.map(({ perSecond }) => perSecond))
    const bare = median(floors.map(({ perSecond }) => perSecond))
    const cost = median(subjects.map(({ processor }) => processor))
    const bareCost = median(floors.map(({ processor }) => processor))
    return [
      figure("domains: looked at a second in the steady state", value, "/s", { floor: bare, better: "more" }),
      figure(
        "domains: share of a bare dgram loop with the same questions",
        median(subjects.map(({ perSecond }, at) => perSecond / floors[at]!.perSecond)),
        "",
        { target, better: "more" }
      ),
      figure("domains: processor for a look in the steady state", cost, "µs", { floor: bareCost })
    ]
  })

const scaling = async (socketDir: string, sizes: ReadonlyArray<number>): Promise<ReadonlyArray<Figure>> => {
  /** Memory values in megabytes. */
  const found: Array<{
    readonly domains: number
    readonly processor: number
    readonly resident: number
    readonly kept: number
  }> = []
  for (const domains of sizes) {
    found.push(
      await sweeping(socketDir, domains, true, always, async (running) => {
        await warm(running, Math.min(domains, 20_000), 2)
        const {
          last: { resident },
          processor
        } = await rateOf(running, measured * 2)
        return { domains, processor, resident: resident / 1024 / 1024, kept: (await leastKept(running)) / 1024 / 1024 }
      })
    )
  }
  const [least] = found
  return found.flatMap(({ domains, kept, processor, resident }) => [
    figure(`domains: processor for a look, of ${domains}`, processor, "µs", { floor: least!.processor }),
    figure(`domains: resident memory with ${domains}, looking without a pause`, resident, "MB", {
      floor: least!.resident
    }),
    figure(`domains: of it kept, garbage aside, with ${domains}`, kept, "MB", { floor: least!.kept }),
    ...(domains === least!.domains
      ? []
      : [
          figure(
            `domains: processor for a look, of ${domains} beside ${least!.domains}`,
            processor / least!.processor,
            "",
            { target: linear }
          ),
          figure(`domains: kept in memory, with ${domains} beside ${least!.domains}`, kept / least!.kept, "", {
            target: flat
          })
        ])
  ])
}

/** Rows and answers in progress come and go, so the smallest of several values counts. */
const leastKept = async ({ count }: Running): Promise<number> => {
  const found: Array<number> = []
  for (let time = 0; time < 10; time++) {
    found.push((await count(true)).kept!)
    await sleep(50)
  }
  return Math.min(...found)
}

/**
 * Rate of 100,000 domains in 300 s; fewer domains get a proportionally shorter interval. Measures over whole intervals,
 * in which every domain is due exactly once, because domains are spread randomly within an interval.
 */
const unverified = (socketDir: string, domains: number): Promise<ReadonlyArray<Figure>> => {
  const interval = 300_000 * (domains / 100_000)
  return sweeping(socketDir, domains, false, interval / 5, async (running) => {
    await sleep(Math.min(interval, 10_000))
    const { last, perSecond, processor } = await rateOf(running, Math.ceil(10_000 / interval) * interval)
    const what =
      domains === 100_000
        ? "100000 unverified domains in 300 s"
        : `${domains} unverified domains in ${interval / 1000} s, the rate of 100000 in 300 s`
    return [
      figure(`domains: share of a core, ${what}`, (perSecond * processor) / 1e6, "", { target: share }),
      figure("domains: of these looked at a second", perSecond, "/s", { target: 333, better: "more" }),
      figure("domains: of these, the oldest window not yet checked", last.late, "s", { target: interval / 1000 })
    ]
  })
}

export const run = (): Promise<ReadonlyArray<Figure>> =>
  Effect.runPromise(
    Effect.orDie(
      Effect.scoped(
        Effect.flatMap(startServer, ({ socketDir }) =>
          Effect.promise(async () => {
            const server = await child("Server")
            try {
              return [
                ...(await steady(socketDir, settled)),
                ...(await scaling(socketDir, isLong ? [1_000, 10_000, 100_000] : [1_000, 10_000])),
                ...(await unverified(socketDir, isLong ? 100_000 : 2_000))
              ]
            } finally {
              await end(server)
            }
          })
        )
      )
    )
  )
