/**
 * One row of the outage matrix: under load, a component becomes unreachable and returns. Checks that the promises hold
 * before, during and after.
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
  /** Part that `/health` must report during the outage. */
  readonly named: { readonly daemon: Daemon; readonly part: RegExp }
  /** Actors that may restart (`daemon/actor`); all others must not. */
  readonly mayRestart?: RegExp
  /** Targets that cannot arrive during the outage; all others must arrive. */
  readonly holds: ReadonlyArray<Part>
  /** Whether alarms are accepted during the outage. Default true; when false, latency is not checked. */
  readonly accepts?: boolean
  /** Time until `/health` can detect the outage. Unit: milliseconds. Default 0. */
  readonly blindFor?: number
  /**
   * Time in which the process still works on the load, before it must be idle. Unit: milliseconds. Long run only.
   * Default 0.
   */
  readonly working?: number
  /** Targets that may arrive twice, if the second is marked as a repeat. Default none. */
  readonly mayRepeat?: ReadonlyArray<Part>
}

/**
 * Lengths of the phases. Unit: milliseconds. `quiet`: no new alarms; processor time is measured. `settling`: time
 * before `quiet`. Postgres may report transactions up to 10 s late; only the long run waits for that.
 */
const times = long
  ? { before: 5_000, loaded: 20_000, settling: 12_000, quiet: 45_000, after: 3_000 }
  : { before: 750, loaded: 2_000, settling: 300, quiet: 2_000, after: 750 }

/**
 * Largest processor share in the quiet phase. Unit: processors. Reason: idle it is 0.02, and 0.06 to 0.16 over 2 s
 * while every actor retries an unreachable Postgres. A busy loop takes 1, or less on a loaded machine with two.
 */
const processorLimit = 0.3

/**
 * Largest transaction rate in the quiet phase. Unit: transactions per second. Reason: about 6 when idle, about 60 with
 * 60 retrying targets during a hanging probe; a busy worker with five targets caused 600.
 */
const transactionLimit = 200

/** Largest log rate in the quiet phase. Unit: lines per second. */
const logLimit = 5

/**
 * Longest latency of alarms to other targets. Unit: milliseconds. Reason: normally 0.1 to 0.6 s; the rest is for a
 * loaded machine. The short run shares the machine with other tests.
 */
const latencyLimit = long ? 10_000 : 30_000

/**
 * Longest time until all alarms arrive after the outage. Unit: milliseconds. Reason: the longest pause of a breaker (30
 * s), a probe's timeout, and the delivery of the waiting alarms.
 */
const recoveryLimit = 60_000

/** Longest time until `/health` reports the outage, from when it can detect it. Unit: milliseconds. */
const degradedLimit = 10_000

/** Polls every 50 ms until the answer is not undefined. Dies after `limit` milliseconds. */
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

/** Runs one outage under load and checks everything. Returns a line of figures. */
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
    // A failed outage must not be there during the next one.
  }).pipe(
    Effect.scoped,
    Effect.onError(() => Effect.ignore(outage.back(site)))
  )

/** Waits until `/health` reports the outage. */
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
 * Waits until all possible targets of accepted alarms have arrived. During an outage, only targets that do not need the
 * missing component count.
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

/** Resource use of the process while alarms wait and none arrive. */
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

/** Latencies from acceptance to arrival, of targets that the outage does not hold back. */
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

/** Targets that arrived more than once. Where repeats are allowed, only unmarked repeats count. */
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

/** Runs in the ledger that did not end as `delivered`. */
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
