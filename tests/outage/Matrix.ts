/**
 * One row of the outage matrix: a load, something taken away under it, looked at, brought back; and what has to hold.
 */
import { Effect, Fiber } from "effect"
import { expect } from "vitest"
import { type Alarm, arrivals, holdBack, load, type Part } from "./Load.ts"
import type { Site } from "./Site.ts"
import { ailing, type Daemon, processor, type Reports, reports, restarts } from "./Watch.ts"

export const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

export interface Outage {
  readonly name: string
  readonly away: (site: Site) => Effect.Effect<unknown, unknown>
  readonly back: (site: Site) => Effect.Effect<unknown, unknown>
  /** What `/health` must name while it lasts. */
  readonly named: { readonly daemon: Daemon; readonly part: RegExp }
  /** Actors that may start anew, `daemon/actor`; all others must not. */
  readonly mayRestart?: RegExp
  /** Targets that cannot arrive meanwhile; all others must. */
  readonly holds: ReadonlyArray<Part>
  /** Whether alarms can be taken meanwhile. Default true; otherwise no latency is judged. */
  readonly accepts?: boolean
  /** Unit: milliseconds. What has to pass at least until `/health` can know. Default 0. */
  readonly blindFor?: number
  /**
   * Unit: milliseconds. What is still honest work of the load, after which the process has to be quiet; in the long
   * run. Default 0.
   */
  readonly working?: number
  /** Targets that may arrive twice, marked. Default none. */
  readonly mayRepeat?: ReadonlyArray<Part>
}

/**
 * Unit: milliseconds. `quiet`: without new alarms, in which processor time is measured. `settling`: before that;
 * Postgres may keep a transaction to itself for 10 s before it counts it, which the short run takes as it comes.
 */
const times = long
  ? { before: 5_000, loaded: 20_000, settling: 12_000, quiet: 45_000, after: 3_000 }
  : { before: 750, loaded: 2_000, settling: 300, quiet: 2_000, after: 750 }

/**
 * Unit: share of one processor, in the quiet part. Reason: idle it is 0.02, and 0.06 to 0.16 of 2 s while every actor
 * comes back to a Postgres that is away; a loop that spins takes one whole, or what a loaded machine of two leaves it.
 */
const processorLimit = 0.3

/**
 * Unit: transactions a second in the quiet part. Reason: idle it is about 6, and with 60 targets that come again while
 * a probe hangs about 60; a worker that spins over five targets was seen to make 600.
 */
const transactionLimit = 200

/** Unit: lines a second in the quiet part. */
const logLimit = 5

/** Unit: milliseconds. Alarms of the other parts take 0.1 to 0.6 s; the rest is a loaded machine. */
const latencyLimit = 10_000

/**
 * Unit: milliseconds. Reason: the longest pause of a breaker, 30 s, a probe's time-out, and the pace of what has
 * waited.
 */
const recoveryLimit = 60_000

/** How long `/health` may take to show it, from when it can be known. Unit: milliseconds. */
const degradedLimit = 10_000

/** Looks every 50 ms until the answer is not undefined; dies after so many milliseconds. */
const eventually = <A>(
  what: string,
  site: Site,
  limit: number,
  look: Effect.Effect<A | undefined>,
  more: () => string = () => ""
) =>
  Effect.gen(function* () {
    const from = Date.now()
    for (;;) {
      const found = yield* look
      if (found !== undefined) return { found, after: Date.now() - from }
      if (Date.now() - from > limit)
        return yield* Effect.die(new Error(`not within ${limit} ms: ${what} ${more()}\n${site.fleet.tail(30)}`))
      yield* Effect.sleep(50)
    }
  })

const well = (site: Site, when: string) => {
  let last: Reports | undefined
  const look = Effect.map(reports(site), (now) => {
    last = now
    return now !== undefined && ailing(now).length === 0 ? now : undefined
  })
  return eventually(`/health ok ${when}`, site, recoveryLimit, look, () =>
    last === undefined ? "(no answer)" : ailing(last).join(", ")
  )
}

/** Takes it away under load and brings it back; answers with a line of figures. */
export const prove = (site: Site, outage: Outage) =>
  Effect.gen(function* () {
    const pid = site.unit.pid()!
    const { found: before } = yield* well(site, "before")
    const early = yield* load(site, times.before)

    const awayAt = Date.now()
    yield* Effect.orDie(outage.away(site))
    const seen = yield* Effect.forkScoped(seenDegraded(site, outage))
    const during = yield* load(site, times.loaded)
    if (outage.blindFor !== undefined) yield* Effect.sleep(Math.max(0, awayAt + outage.blindFor - Date.now()))
    yield* delivered(site, "of the other parts", [...early, ...during], outage)
    const idle = yield* quiet(site, pid, outage)
    const degraded = yield* Fiber.join(seen)
    const waits = latencies(site, during, outage)
    const waiting = [...early, ...during].filter((alarm) =>
      arrivals(site, alarm).some(({ at }) => at === undefined)
    ).length

    yield* Effect.orDie(outage.back(site))
    const backAt = Date.now()
    const late = yield* load(site, times.after)
    const all = [...early, ...during, ...late]
    yield* delivered(site, "afterwards", all)
    const deliveredAfter = Math.max(0, ...all.flatMap((alarm) => arrivals(site, alarm).map(({ at }) => at! - backAt)))
    const { found: after } = yield* well(site, "afterwards")
    const okAfter = Date.now() - backAt

    const line =
      `${outage.name}: away ${backAt - awayAt} ms, degraded seen after ${degraded.after} ms (${degraded.found.slice(0, 110)}), ${all.length} alarms, ${waiting} waiting at its end, ` +
      `others p50 ${quantile(waits, 0.5)} ms, max ${quantile(waits, 1)} ms; all delivered ${deliveredAfter} ms after, ok ${okAfter} ms after; ` +
      `processor ${(idle.processor * 100).toFixed(1)} %, ${idle.transactions.toFixed(1)} transactions/s, ${idle.lines.toFixed(1)} log lines/s`
    process.stdout.write(`${line}\n`)

    const tail = `\n${line}\n${site.fleet.tail(30)}`
    expect(site.unit.ends, `the process stays${tail}`).toEqual([])
    expect(site.unit.pid()).toBe(pid)
    expect(strayRestarts(before, after, outage), `only the actor concerned starts anew${tail}`).toEqual([])
    expect(
      all
        .flatMap(({ refusals }) => refusals)
        .filter((code) => code >= 400 && ![421, 450, 451, 452, 503].includes(code)),
      "refused for a while only"
    ).toEqual([])
    expect(doubled(site, all, outage.mayRepeat ?? []), `nothing arrives twice${tail}`).toEqual([])
    if (outage.accepts !== false) expect(quantile(waits, 1), `other channels go on${tail}`).toBeLessThan(latencyLimit)
    expect(degraded.after, `told${tail}`).toBeLessThan(degradedLimit + (outage.blindFor ?? 0))
    expect(idle.processor, `no busy loop${tail}`).toBeLessThan(processorLimit)
    expect(idle.transactions, `no loop over the database${tail}`).toBeLessThan(transactionLimit)
    expect(idle.lines, `no loop in the log${tail}`).toBeLessThan(logLimit)
    let open: ReadonlyArray<string> = []
    const ended = Effect.map(unfinished(site), (found) => (open = found).length === 0 || undefined)
    yield* eventually("every run ends delivered", site, recoveryLimit, ended, () => open.join(", "))
  }).pipe(Effect.scoped)

/** Until `/health` names what is away. */
const seenDegraded = (site: Site, { blindFor = 0, name, named }: Outage) => {
  let last: Reports | undefined
  const look = Effect.map(reports(site), (now) => {
    last = now ?? last
    const { daemon, part } = named
    return now === undefined || now[daemon].status === "ok"
      ? undefined
      : ailing(now).find((line) => line.startsWith(`${daemon}/`) && part.test(line.slice(daemon.length + 1)))
  })
  return eventually(`/health tells of ${name}`, site, degradedLimit + blindFor + times.loaded, look, () =>
    last === undefined ? "(no answer)" : ailing(last).join(", ")
  )
}

/**
 * Waits until all has arrived that can, of alarms that were accepted; during an outage only what does not need what is
 * away.
 */
const delivered = (site: Site, when: string, alarms: ReadonlyArray<Alarm>, outage?: Outage) => {
  if (outage?.accepts === false) return Effect.void
  const missing = () =>
    alarms
      .filter((alarm) => outage === undefined || alarm.accepted !== undefined)
      .flatMap((alarm) =>
        alarm.accepted === undefined
          ? [`${alarm.id} is not accepted (${alarm.door}: ${alarm.refusals.join(" ")})`]
          : outage !== undefined && outage.named.daemon === "alarm-bridge" && alarm.door === "mailbox"
            ? []
            : arrivals(site, alarm)
                .filter(({ at, part }) => at === undefined && !outage?.holds.includes(part))
                .map(({ part }) => `${part} of ${alarm.id}`)
      )
  return eventually(
    `alarms delivered ${when}`,
    site,
    outage === undefined ? recoveryLimit : 2 * latencyLimit,
    Effect.sync(() => missing().length === 0 || undefined),
    () => missing().join(", ")
  )
}

/** What the process takes while alarms wait and none come. */
const quiet = (site: Site, pid: number, { working = 0 }: Outage) =>
  Effect.gen(function* () {
    yield* holdBack(true)
    yield* Effect.sleep(times.settling + (long ? working : 0))
    let lines = 0
    site.unit.onLine(() => void (lines += 1))
    const [used, ended, from] = [processor(pid), yield* site.transactions, Date.now()]
    yield* Effect.sleep(times.quiet)
    const seconds = (Date.now() - from) / 1_000
    return {
      processor: (processor(pid) - used) / 1_000 / seconds,
      transactions: ((yield* site.transactions) - ended) / seconds,
      lines: lines / seconds
    }
  }).pipe(Effect.ensuring(holdBack(false)))

/** From acceptance to arrival, of alarms of the outage, over parts that it does not hold. */
const latencies = (site: Site, alarms: ReadonlyArray<Alarm>, { holds }: Outage) =>
  alarms.flatMap((alarm) =>
    arrivals(site, alarm).flatMap(({ at, part }) =>
      at === undefined || alarm.accepted === undefined || holds.includes(part) ? [] : [Math.max(0, at - alarm.accepted)]
    )
  )

const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.length === 0
    ? 0
    : values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!

const strayRestarts = (before: Reports, after: Reports, { mayRestart }: Outage) => {
  const then = restarts(before)
  return [...restarts(after)].filter(
    ([actor, count]) => count > (then.get(actor) ?? 0) && !(mayRestart?.test(actor) ?? false)
  )
}

/** Targets that arrived more than once; an unmarked second counts even where repeats may be. */
const doubled = ({ bot, sink, telephone }: Site, alarms: ReadonlyArray<Alarm>, mayRepeat: ReadonlyArray<Part>) =>
  alarms.flatMap(({ targets }) =>
    targets
      .filter(({ at, part }) => {
        if (part === "webhook") return sink.acted.filter(({ path }) => path === at).length > 1
        if (part === "call")
          return (
            !mayRepeat.includes(part) &&
            telephone.calls.filter(({ heardMs, number }) => number === at && heardMs > 0).length > 1
          )
        const [, ...more] = bot.messages.filter(({ chatId }) => chatId === at)
        return more.some(({ text }) => !mayRepeat.includes(part) || !text.includes("may be a repeat"))
      })
      .map(({ at, part }) => `${part} ${at}`)
  )

/** Runs of the ledger that have not ended `delivered`. */
const unfinished = (site: Site) =>
  Effect.promise(async () => {
    const open: Array<string> = []
    for (let before: number | null | undefined; before !== null;) {
      const response: Response = await fetch(
        `${site.unit.addresses()["comm-dispatcher"]}/api/v1/workflows/runs?workflow=alarm&limit=200${before === undefined ? "" : `&before=${before}`}`,
        { headers: { "x-service-token": site.token } }
      )
      const page = (await response.json()) as {
        readonly items: ReadonlyArray<{ readonly state: string; readonly subject: string; readonly reason: string }>
        readonly next_before: number | null
      }
      open.push(
        ...page.items
          .filter(({ state }) => state !== "delivered" && state !== "duplicate")
          .map(({ reason, state, subject }) => `${state} ${subject} ${reason}`)
      )
      before = page.next_before
    }
    return open
  })
