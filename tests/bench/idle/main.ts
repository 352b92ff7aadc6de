/**
 * `npm run bench -- idle`: what all daemons in one process cost while nobody uses them, what nine of them cost, and
 * what a scrape of metrics costs with 2,000 watched mailboxes. Postgres runs in processes of its own and is not
 * counted.
 *
 * `SIGNALBOX_BENCH_IDLE_PROFILE=FOLDER` writes a profile of the idle process to that folder.
 */
import { Effect } from "effect"
import { withClient } from "#core/postgres/Bootstrap.ts"
import { freshDatabaseOn } from "#support/Postgres.ts"
import { pause } from "../alarm/Rig.ts"
import { type Figure, figure, median } from "../Figure.ts"
import { onStage } from "../load/Stage.ts"
import { processorTime, residentMemory, startWhole, type WholeSuite } from "./Suite.ts"

/** Time after the start until the process is at rest. Unit: milliseconds. Reason: first rounds of all upkeep. */
const settling = 45_000

/** Length of the idle measurement. Unit: milliseconds. Reason: contains two rounds of upkeep of a minute. */
const span = 120_000

const mailboxes = 2_000

/** Longest time until all mailboxes have an actor. Unit: milliseconds. Reason: accounts are read every 30 s. */
const watchTime = 120_000

/** Pause between two scrapes. Unit: milliseconds. Reason: longer than collected values are kept. */
const betweenScrapes = 5_200
const scrapes = 15

/** Targets. Units: share of a core in percent; MB; milliseconds. Source: set for nine daemons. */
const allowed = { processor: 1, memory: 160, scrape: 5 }

/** The daemons for which the targets were set: those that existed then. */
const nine = [
  "identity",
  "mail-admin",
  "mail-watcher",
  "alarm-bridge",
  "comm-dispatcher",
  "sip-config",
  "dns-verifier",
  "status-checker",
  "edge-auth"
]

/** Processor time, in percent of a core, and resident memory of a process at rest. */
const atRest = async ({ pid }: WholeSuite): Promise<{ readonly share: number; readonly memory: number }> => {
  await pause(settling)
  const begun = { at: performance.now(), used: processorTime(pid) }
  await pause(span)
  const used = processorTime(pid) - begun.used
  return { share: (100 * used) / (performance.now() - begun.at), memory: residentMemory(pid) }
}

export const run = (): Promise<ReadonlyArray<Figure>> =>
  onStage(async ({ database, folder, inScope, keep }) => {
    const profile = process.env["SIGNALBOX_BENCH_IDLE_PROFILE"]
    const nodeOptions = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`]
    const suite = keep(await startWhole(database, folder, { nodeOptions }))
    const other = await inScope(freshDatabaseOn(database.target.host))
    const few = keep(await startWhole(other, `${folder}-nine`, { names: nine }))
    const [all, some] = await Promise.all([atRest(suite), atRest(few)])
    await few.end()

    await Effect.runPromise(
      withClient(
        database.target,
        (sql) => sql`insert into mail_watcher.account (tenant_id, user_id, address, kind, watch)
      select 1, null, 'user' || n || '@bench.test', 'own', 'lazy' from generate_series(1, ${mailboxes}::int) n`
      )
    )
    const scrape = async () => (await fetch(`${suite.url}/metrics`)).text()
    const watched = (text: string) =>
      [...text.matchAll(/^signalbox_mailboxes\{[^}]*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0)
    const deadline = performance.now() + watchTime
    while (watched(await scrape()) < mailboxes) {
      if (performance.now() > deadline) throw new Error("the mailboxes are not watched")
      await pause(1_000)
    }
    await pause(settling)
    const costs: Array<number> = []
    for (let turn = 0; turn < scrapes; turn++) {
      await pause(betweenScrapes)
      const before = processorTime(suite.pid)
      await scrape()
      costs.push(processorTime(suite.pid) - before)
    }
    return [
      figure("fourteen daemons idle: processor", all.share, "% of a core", { target: allowed.processor }),
      figure("fourteen daemons idle: resident memory", all.memory, "MB", { target: allowed.memory }),
      figure("nine daemons idle: processor", some.share, "% of a core", { target: allowed.processor }),
      figure("nine daemons idle: resident memory", some.memory, "MB", { target: allowed.memory }),
      figure("a scrape at 2,000 mailboxes: processor", median(costs), "ms", { target: allowed.scrape }),
      figure("size of a scrape", (await scrape()).length / 1_000, "KB")
    ]
  })
