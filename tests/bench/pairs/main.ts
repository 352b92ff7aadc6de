/**
 * `bin/pinned-node tests/bench/pairs/main.ts FOLDER [--starts N] [--pairs N] [NAME…]`: compares this checkout with
 * another one, usually an earlier commit. Both run at the same time and are measured in turn, so that the machine's
 * speed affects both. They are started several times, because two processes of the same program may differ by a
 * quarter for as long as they run. Prints the median of the ratios: above 1, this checkout is faster. The other
 * checkout needs `npm ci`.
 */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { pause } from "../alarm/Rig.ts"
import { questions } from "../edge/main.ts"
import { type Figure, figure, median, table } from "../Figure.ts"
import { note, onStage, type Stage } from "../load/Stage.ts"
import { extensions, numbers } from "../switch/Subject.ts"
import { callRequest, spread, userRequest } from "../switch/main.ts"
import { start as startAlarms } from "./Alarms.ts"

/** Ratio that this checkout must reach. Source: our rule for changes of hot paths. */
const target = 0.95
/** Rounds before the measured ones. Reason: the figures are for optimised code. */
const warmingUp = 3
/** Length of one measurement. Unit: milliseconds. */
const span = 2_000

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { starts: { type: "string", default: "7" }, pairs: { type: "string", default: "3" } }
})
const [other, ...names] = positionals
if (other === undefined) {
  process.stderr.write("usage: bin/pinned-node tests/bench/pairs/main.ts FOLDER [--starts N] [--pairs N] [NAME…]\n")
  process.exit(78)
}
const here = resolve(import.meta.dirname, "../../..")

/** A module of a checkout's benchmarks. */
const load = (checkout: string, module: string) => import(pathToFileURL(resolve(checkout, "tests/bench", module)).href)

/** `cost`: processor time of an answer, where it can be told. Other work on the machine hardly changes it. */
interface Speed {
  readonly rate: number
  readonly cost?: number
}

/** One side of a pair: measures by name. */
type Side = Readonly<Record<string, () => Promise<Speed>>>

/** Ratios of the pairs measured so far, by name: of the rates, and of the processor times. */
interface Ratios {
  readonly rates: Array<number>
  readonly savings: Array<number>
}

/** Measures the sides in turn, in alternate pairs reversed. */
const compare = async (found: Map<string, Ratios>, ours: Side, theirs: Side): Promise<void> => {
  for (const [name, measure] of Object.entries(ours)) {
    const { rates, savings } = found.get(name) ?? { rates: [], savings: [] }
    found.set(name, { rates, savings })
    for (let pair = 1 - warmingUp; pair <= Number(values.pairs); pair++) {
      const both = [measure, theirs[name]!]
      const speeds: Array<Speed> = []
      for (const side of pair % 2 === 0 ? [0, 1] : [1, 0]) speeds[side] = await both[side]!()
      const [first, second] = [speeds[0]!, speeds[1]!]
      note(`${name}, pair ${pair}: ${first.rate.toFixed(2)}/s to ${second.rate.toFixed(2)}/s`)
      if (pair <= 0) continue
      rates.push(first.rate / second.rate)
      if (first.cost !== undefined && second.cost !== undefined) savings.push(second.cost / first.cost)
    }
    note(`${name}: ${rates.map((ratio) => ratio.toFixed(3)).join(" ")}`)
  }
}

/** Compares after each of several starts, and answers a figure for each name. */
const compared = async (
  start: (found: Map<string, Ratios>, count: number) => Promise<void>
): Promise<ReadonlyArray<Figure>> => {
  const found = new Map<string, Ratios>()
  for (let count = 0; count < Number(values.starts); count++) await start(found, count)
  return Array.from(found).flatMap(([name, { rates, savings }]) => [
    figure(`${name}, to the other checkout`, median(rates), "", { target, better: "more" }),
    ...(savings.length === 0
      ? []
      : [figure(`${name}, answers by processor time`, median(savings), "", { target, better: "more" })])
  ])
}

/**
 * Both checkouts on stages of their own: each has its Postgres, its database and its load client. They take turns in
 * being started first, so that the order affects both.
 */
const onBothStages = (side: (checkout: string, stage: Stage) => Promise<Side>): Promise<ReadonlyArray<Figure>> =>
  compared((found, count) =>
    onStage((first) =>
      onStage(async (second) => {
        const isFirst = count % 2 === 0
        const early = await side(isFirst ? here : resolve(other), first)
        const late = await side(isFirst ? resolve(other) : here, second)
        return isFirst ? compare(found, early, late) : compare(found, late, early)
      })
    )
  )

const introspection = (checkout: string, { database, folder, keep, measure }: Stage) =>
  load(checkout, "introspection/Subject.ts").then(async ({ start }): Promise<Side> => {
    const subject = keep(await start(database, folder))
    const requests: ReadonlyArray<string> = (await subject.issue(2_000)).map(subject.introspection)
    const asked = { requests, expect: `"active":true` }
    await whenAnswering(() => measure(subject, { ...asked, requests: requests.slice(-1) }, 0))
    return {
      "warm introspections": async () => {
        // The cache may have evicted these tokens, so an uncounted pass introspects them again.
        await measure(subject, asked, 0)
        return measure(subject, asked, span)
      },
      "cold introspections": async () => {
        const fresh = (await subject.issue(4_000)).map(subject.introspection)
        return measure(subject, { requests: fresh, expect: asked.expect }, 0)
      }
    }
  })

const edge = (checkout: string, { database, folder, keep, measure }: Stage) =>
  load(checkout, "edge/Subject.ts").then(async ({ start }): Promise<Side> => {
    const subject = keep(await start(database, folder))
    // The daemon reads its sessions when it is told of them.
    await pause(3_000)
    const { open, signedIn } = questions()
    const rate = (requests: ReadonlyArray<string>) => measure(subject, { requests, expect: "" }, span)
    return { "/verify signed in": () => rate(signedIn), "/verify unprotected": () => rate(open) }
  })

const lookUps = (checkout: string, { database, folder, keep, measure }: Stage) =>
  load(checkout, "switch/Subject.ts").then(async ({ start }): Promise<Side> => {
    const subject = keep(await start(database, folder))
    const users = spread(4_000, extensions).map((n) => userRequest(subject.token, n))
    const calls = spread(2_000, numbers).map((n) => callRequest(subject.token, n + 1))
    await whenAnswering(() => measure(subject, { requests: users.slice(0, 1), expect: "a1-hash" }, 0))
    const warmed = async (requests: ReadonlyArray<string>, expect: string) => {
      await measure(subject, { requests, expect }, 0)
      return measure(subject, { requests, expect }, span)
    }
    return { "the switch's users": () => warmed(users, "a1-hash"), "the switch's calls": () => warmed(calls, "user/") }
  })

/** The speed of the alarm path is the inverse of its latency: alarms per second, one after the other. */
const alarms = async (found: Map<string, Ratios>): Promise<void> => {
  const sides = await Promise.all(
    [here, resolve(other)].map(async (checkout) => startAlarms(await load(checkout, "alarm/Rig.ts")))
  )
  const [ours, theirs] = sides.map(({ latency }): Side => ({
    alarms: async () => ({ rate: 1_000 / (await latency()) })
  }))
  try {
    await compare(found, ours!, theirs!)
  } finally {
    for (const side of sides) await side.end()
  }
}

/** Repeats until it succeeds, because a daemon's data may be a moment old. Rethrows the last error after 10 s. */
const whenAnswering = async (attempt: () => Promise<unknown>): Promise<void> => {
  for (let left = 50; ; left--) {
    try {
      return void (await attempt())
    } catch (error) {
      if (left === 0) throw error
      await pause(200)
    }
  }
}

const all: Readonly<Record<string, () => Promise<ReadonlyArray<Figure>>>> = {
  introspection: () => onBothStages(introspection),
  edge: () => onBothStages(edge),
  switch: () => onBothStages(lookUps),
  alarm: () => compared(alarms)
}
const figures: Array<Figure> = []
for (const [name, run] of Object.entries(all))
  if (names.length === 0 || names.includes(name)) figures.push(...(await run()))
process.stdout.write(`${table(figures)}\n`)
process.exit(0)
