/** Load on a suite that is saved: alarms, mail that a mail server delivers, and pairs of rows that always agree. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Alarm, type Doors, handIn } from "./Load.ts"

/** Pause between two alarms, mails or pairs. Unit: milliseconds. Reason: busy, yet the backup gets a core. */
const pause = 20

export interface BackupLoad {
  /** Alarms that were accepted, in this order. */
  readonly accepted: ReadonlyArray<Alarm>
  /** Names of mails that were delivered. */
  readonly delivered: ReadonlyArray<string>
  /** Number of pairs that were committed. */
  readonly pairs: () => number
}

/** Tables of the pairs. Each debit has its credit in every moment. */
const pairTables = [
  "create schema ledger",
  "create table ledger.debit (id int primary key, filler text)",
  "create table ledger.credit (id int primary key, filler text)"
]

/** Number of pairs, and of rows without their partner. */
export const pairsIn = (sql: PgClient.PgClient) =>
  Effect.map(
    sql<{ pairs: number; odd: number }>`
      select (select count(*)::int from ledger.debit) as pairs,
        (select count(*)::int from ledger.debit full join ledger.credit using (id)
          where debit.id is null or credit.id is null) as odd`,
    ([row]) => row!
  )

/**
 * Rows of the alarm ledger that contradict each other: an ended run with an open target, a delivered run without a
 * delivered target, and a delivered target without a delivered attempt. Each is written in one transaction.
 */
export const contradictionsIn = (sql: PgClient.PgClient) =>
  Effect.map(
    sql<{ found: number }>`
      select (
        (select count(*) from comm_dispatcher.run r join comm_dispatcher.target t on t.run_id = r.id
          where r.state = 'delivered' and t.state in ('pending', 'attempting'))
        + (select count(*) from comm_dispatcher.run r where r.state = 'delivered'
            and not exists (select 1 from comm_dispatcher.target t where t.run_id = r.id and t.state = 'delivered'))
        + (select count(*) from comm_dispatcher.target t where t.state = 'delivered'
            and not exists (select 1 from comm_dispatcher.attempt a where a.target_id = t.id and a.state = 'delivered'))
      )::int as found`,
    ([row]) => row!.found
  )

/** Starts the load. The end of the scope ends it. `maildir`: folder of one mailbox, created when missing. */
export const startLoad = (options: {
  readonly sql: PgClient.PgClient
  readonly alarms: ReadonlyArray<Alarm>
  readonly doors: Doors
  readonly maildir: string
}) =>
  Effect.gen(function* () {
    const { alarms, doors, maildir, sql } = options
    for (const statement of pairTables) yield* sql.unsafe(statement)
    const accepted: Array<Alarm> = []
    const delivered: Array<string> = []
    let pairs = 0
    const forever = <E>(one: (number: number) => Effect.Effect<void, E>) =>
      Effect.gen(function* () {
        for (let number = 0; ; number++) {
          yield* one(number)
          yield* Effect.sleep(pause)
        }
      })
    yield* Effect.forkScoped(
      forever((number) => {
        const alarm = alarms[number]
        if (alarm === undefined) return Effect.never
        return Effect.andThen(
          handIn(alarm, doors),
          Effect.sync(() => void accepted.push(alarm))
        )
      })
    )
    yield* Effect.forkScoped(forever((number) => Effect.sync(() => void delivered.push(deliver(maildir, number)))))
    yield* Effect.forkScoped(
      forever((number) =>
        Effect.andThen(
          sql.withTransaction(
            Effect.andThen(
              sql`insert into ledger.debit values (${number}, repeat('x', 500))`,
              sql`insert into ledger.credit values (${number}, repeat('y', 500))`
            )
          ),
          Effect.sync(() => void pairs++)
        )
      )
    )
    return { accepted, delivered, pairs: () => pairs } satisfies BackupLoad
  })

/** Delivers as a mail server does: written in steps below tmp, then renamed to new. Returns the name of the file. */
const deliver = (maildir: string, number: number): string => {
  const name = `${number}.M1.host`
  for (const folder of ["tmp", "new", "cur"]) mkdirSync(join(maildir, folder), { recursive: true })
  const body = `From: device@crash.example\nSubject: mail ${number}\n\n${"line\n".repeat(200)}`
  const path = join(maildir, "tmp", name)
  writeFileSync(path, body.slice(0, 300))
  appendFileSync(path, body.slice(300) + sealOf(body))
  renameSync(path, join(maildir, "new", name))
  return name
}

const sealOf = (body: string) => createHash("sha256").update(body).digest("hex")

/** Names of the delivered mails of a mailbox, and of those that are not complete. */
export const mailsIn = (maildir: string) => {
  const names = readdirSync(join(maildir, "new"))
  const incomplete = names.filter((name) => {
    const text = readFileSync(join(maildir, "new", name), "utf8")
    return sealOf(text.slice(0, -64)) !== text.slice(-64)
  })
  return { names, incomplete }
}
