/**
 * `npm run bench -- idle`: what all daemons in one process cost while nobody uses them, and what a scrape of their
 * metrics costs with 2,000 watched mailboxes. Postgres runs in processes of its own and is not counted.
 *
 * `SIGNALBOX_BENCH_IDLE_PROFILE=FOLDER` writes a profile of the idle process to that folder.
 */
import { Effect } from "effect"
import { withClient } from "#core/postgres/Bootstrap.ts"
import { pause } from "../alarm/Rig.ts"
import { type Figure, figure, median } from "../Figure.ts"
import { onStage } from "../load/Stage.ts"
import { processorTime, residentMemory, startWhole } from "./Suite.ts"

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

export const run = (): Promise<ReadonlyArray<Figure>> =>
  onStage(async ({ database, folder, keep }) => {
    const profile = process.env["SIGNALBOX_BENCH_IDLE_PROFILE"]
    const options = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`]
    const suite = keep(await startWhole(database, folder, options))
    await pause(settling)
    const begun = { at: performance.now(), used: processorTime(suite.pid) }
    await pause(span)
    const used = processorTime(suite.pid) - begun.used
    const share = (100 * used) / (performance.now() - begun.at)
    const memory = residentMemory(suite.pid)

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
      figure("fourteen daemons idle: processor", share, "% of a core", { target: allowed.processor }),
      figure("fourteen daemons idle: resident memory", memory, "MB", { target: allowed.memory }),
      figure("a scrape at 2,000 mailboxes: processor", median(costs), "ms", { target: allowed.scrape }),
      figure("size of a scrape", (await scrape()).length / 1_000, "KB")
    ]
  })
