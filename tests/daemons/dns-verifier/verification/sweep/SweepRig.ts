/** The sweep over a fresh database, with an observer whose answers the test gives. One minute is short. */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import { run as migrate } from "#core/sql/Migrations.ts"
import { domains } from "#daemons/dns-verifier/domains/migrations/0001_domains.ts"
import { ownership } from "#daemons/dns-verifier/domains/migrations/0003_ownership.ts"
import { zoneChanges } from "#daemons/dns-verifier/domains/migrations/0004_zone_changes.ts"
import type { Observation, Question } from "#daemons/dns-verifier/verification/observe/Observation.ts"
import { type Depth, Observer } from "#daemons/dns-verifier/verification/observe/Observer.ts"
import * as Sweep from "#daemons/dns-verifier/verification/sweep/SweepShard.ts"
import * as Verification from "#daemons/dns-verifier/verification/Verification.ts"
import { inFrame, run } from "#support/Frame.ts"
import { asked, ours, seen, type Word } from "../decide/Seen.ts"
import { PlanWanted } from "#daemons/dns-verifier/domain-store/PlanRequests.ts"

/** What a test says about one domain. */
export type Answer = (questions: ReadonlyArray<Question>, depth: Depth) => Effect.Effect<Observation>

export class Dns {
  readonly answers = new Map<string, Answer>()
  readonly asked: Array<{ readonly domain: string; readonly depth: Depth; readonly at: number }> = []
  /** Looks that wait for room; undefined: there is room. */
  held: Array<() => void> | undefined
  #otherwise: Answer = says([ours])

  /** Every question about `domain` is answered so by two servers, or as the function says. */
  set(domain: string, answer: Word | Answer, delegation: Partial<Observation> = {}): void {
    this.answers.set(domain, typeof answer === "function" ? answer : says(answer, delegation))
  }

  otherwise(answer: Word): void {
    this.#otherwise = says(answer)
  }

  count(domain: string, depth?: Depth): number {
    return this.asked.filter((each) => each.domain === domain && (depth === undefined || each.depth === depth)).length
  }

  #answer(domain: string, questions: ReadonlyArray<Question>, depth: Depth): Effect.Effect<Observation> {
    return Effect.suspend(() => {
      this.asked.push({ domain, depth, at: performance.now() })
      return Effect.map((this.answers.get(domain) ?? this.#otherwise)(questions, depth), (observation) => ({
        ...observation,
        domain,
        at: new Date().toISOString()
      }))
    })
  }

  readonly layer = Layer.succeed(
    Observer,
    Observer.of({
      observe: (domain, questions, depth) => this.#answer(domain, questions, depth),
      glance: (domain, questions) => Effect.runPromise(this.#answer(domain, questions, "quick")),
      whenRoom: (begin) => (this.held === undefined ? begin() : void this.held.push(begin))
    })
  )
}

/** An A as said, and nothing else there, but where the word is an outcome: then that of everything. */
export const says =
  (word: Word, more: Partial<Observation> = {}): Answer =>
  (questions) =>
    Effect.succeed(
      seen(
        questions.map(({ name, type }) =>
          asked(
            type,
            name,
            typeof word === "string" || type === "A" ? [word, word] : ["nodata", "nodata"],
            typeof word === "string" ? ["servfail"] : [word]
          )
        ),
        more
      )
    )

export const settings = {
  platformIpv4: ours,
  platformIpv6: undefined,
  dnsErrorAfter: 3,
  dnsStrict: false,
  dnsMinute: 60
} as const

export interface Rig {
  readonly dns: Dns
  readonly sql: PgClient.PgClient
  readonly verification: Verification.Verification["Service"]
  readonly sweep: Sweep.Sweep["Service"]
  /** Starts all shards. */
  readonly start: Effect.Effect<void>
  /** Adds a domain as the interface would; answers its number. */
  readonly add: (name: string, more?: Readonly<Record<string, unknown>>) => Effect.Effect<number>
  readonly row: (id: number) => Effect.Effect<any>
  readonly events: Effect.Effect<ReadonlyArray<any>>
}

export const withSweep = <A, E, R>(
  test: (rig: Rig) => Effect.Effect<A, E, R>,
  more: Partial<Sweep.Sweep["Service"]["settings"]> = {}
) =>
  inFrame(
    Effect.gen(function* () {
      yield* migrate({ schema: "dns_verifier", steps: [domains, ownership, zoneChanges] })
      const dns = new Dns()
      const options = { ...settings, ...more }
      const built = yield* Layer.build(
        Layer.merge(Sweep.layer(options), Verification.layer(options).pipe(Layer.provideMerge(dns.layer)))
      )
      const sql = yield* PgClient.PgClient
      const add: Rig["add"] = Effect.fnUntraced(function* (name, more = {}) {
        const [row] = yield* sql<{
          id: number
        }>`insert into dns_verifier.domain ${sql.insert({ tenant_id: 7, customer_id: 5, name, proven: true, dns_status: "manual", ...more })} returning id`
        for (const [type, at] of [
          ["A", "@"],
          ["A", "www"]
        ] as const) {
          yield* sql`insert into dns_verifier.record (tenant_id, domain_id, source, type, name, content, ttl) values (7, ${row!.id}, 'platform', ${type}, ${at}, ${ours}, 3600)`
        }
        return row!.id
      }, Effect.orDie)
      return yield* test({
        dns,
        sql,
        verification: Context.get(built, Verification.Verification),
        sweep: Context.get(built, Sweep.Sweep),
        start: Effect.provideContext(
          Effect.forEach(Sweep.sweepActors, run, { discard: true }),
          built as Context.Context<any>
        ) as Effect.Effect<void>,
        add,
        row: (id) => Effect.orDie(Effect.map(sql`select * from dns_verifier.domain where id = ${id}`, ([row]) => row)),
        events: Effect.orDie(
          Effect.map(sql<{ type: string; data: any }>`select type, data from core.event order by id`, (rows) =>
            rows.map(({ data, type }) => ({ type, ...data }))
          )
        )
      })
    }) as Effect.Effect<A, unknown, any>,
    { queues: [NotificationWanted.queue, PlanWanted.queue], names: ["dns-verifier"] }
  )

export { SqlClient }
