/**
 * A thousand alarms at once with mixed targets, against the real executable: graver ones first, no channel and no host
 * in another's way, the ledger complete, memory flat, and the API still answering. Repeat a run with
 * SIGNALBOX_TEST_SEED; SIGNALBOX_TEST_LONG=1 is the whole storm, and the only form that holds the API to its promise:
 * other test files share the machine with the short one.
 */
import { it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { describe, expect } from "vitest"
import * as Random from "#support/Random.ts"
import { makeAlarms, type Mixture, type Part, type StormAlarm, textOf } from "./Alarms.ts"
import { longestPause, orderOf, waits } from "./Arrivals.ts"
import { handIn } from "./HandIn.ts"
import { judge, open } from "./Judge.ts"
import { asking, type Call, command, figures, resident, sampling, shown } from "./Probe.ts"
import { make, type Site } from "./Site.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

/** More hang than one host has places, so that some are put off. */
const whole: Mixture = long
  ? { alarms: 1_000, calls: 20, voices: 50, slow: 20, hanging: 60, flooded: 24 }
  : { alarms: 200, calls: 4, voices: 8, slow: 6, hanging: 20, flooded: 8 }

/** The later ones, to compare memory by: nothing waits for a time-out. */
const calm: Mixture = { ...whole, alarms: long ? whole.alarms : 60, hanging: 0, slow: 0, flooded: 0 }

/** How long a storm may take to settle. Unit: milliseconds. */
const settleTimeout = long ? 300_000 : 90_000

/** Unit: milliseconds; the 99th percentile of each call of the API. */
const apiLimit = long ? 200 : 2_000

/**
 * How long a graver alarm may have been known when a less grave one goes before it. Unit: milliseconds. Reason: what is
 * in hand goes first.
 */
const orderWindow = 1_000

/**
 * When the places that a hanging host gets are taken, and when the first of them times out, from its first request.
 * Unit: milliseconds.
 */
const headStart = 2_000
const hangingTime = 10_000

/** Share of inversions among the pairs that waited together; without any order it is a half. */
const inversionLimit = long ? 0.02 : 0.1

/**
 * Unit: milliseconds in which a channel may deliver nothing though somebody waits. Reason: below the 10 s of a hanging
 * host; taking a storm in goes first.
 */
const pauseLimit = long ? 8_000 : Infinity

/**
 * Webhooks that other hosts get before the first of a hanging one times out; a handful, when it takes all places but
 * late.
 */
const besideHanging = 20

/**
 * Growth of resident memory from after the second storm to after the third. Unit: MB. Reason: what the engine keeps of
 * a heap it has grown.
 */
const growthLimit = 60

const parts: ReadonlyArray<Part> = ["webhook", "messenger", "messenger_voice", "call"]

const note = (text: string) => process.stdout.write(`storm: ${text}\n`)

/** One storm to its end. `first`: the id of its first alarm. */
const storm = (site: Site, random: Random.Random, first: number, mixture: Mixture) =>
  Effect.scoped(
    Effect.gen(function* () {
      const alarms = makeAlarms(random, first, site.hosts, mixture)
      const probes: Array<StormAlarm> = []
      const asked: Record<Call, Array<number>> = { list: [], show: [], health: [], trigger: [] }
      const memory: Array<number> = []
      const before = resident(site.pid)
      const begun = Date.now()
      yield* Effect.forkScoped(sampling(site.pid, memory))
      const probing = yield* Effect.forkScoped(
        asking(site, asked, () => {
          const probe = probeOf(site, first + 500_000 + probes.length * 10)
          probes.push(probe)
          return probe
        })
      )
      const operating = yield* Effect.forkScoped(operate(site))
      const handedIn = yield* handIn(site, alarms)
      const operator = yield* Fiber.join(operating)
      for (let left = Infinity; left > 0;) {
        yield* Effect.sleep(200)
        left = yield* open(site)
        // The probe's own alarms would keep the storm from ever ending.
        if (left <= 10) yield* Fiber.interrupt(probing)
        if (Date.now() > begun + settleTimeout)
          return yield* Effect.die(new Error(`${left} runs are open after ${settleTimeout} ms\n${site.fleet.tail(40)}`))
      }
      const ended = Date.now()
      // Of the last probe it is not known whether it was taken.
      const verdict = yield* judge(site, [...alarms, ...probes.slice(0, -1)])
      const after = resident(site.pid)

      note(
        `${alarms.length} alarms and ${probes.length} of the probe's, ${verdict.targets} targets, ${verdict.delivered} delivered; handed in in ${handedIn} ms, over after ${ended - begun} ms`
      )
      note(
        `memory before ${before.toFixed(0)}, at most ${Math.max(before, ...memory).toFixed(0)}, after ${after.toFixed(0)} MB`
      )
      const channels = parts.map((part) => {
        const arrived = verdict.arrivals
          .filter(({ target }) => target.part === part)
          .map((one) => one.arrived - begun)
          .toSorted((a, b) => a - b)
        const prompt = waits(verdict.arrivals, ({ kind, part: other }) => other === part && kind === "prompt")
        const order = orderOf(verdict.arrivals, part, orderWindow)
        const pause = longestPause(verdict.arrivals, part)
        const last = arrived.at(-1) ?? 0
        note(
          `${part}: ${arrived.length}, ${(arrived.length / (last / 1_000)).toFixed(1)}/s until the last after ${last} ms; prompt ones waited ${shown(figures(prompt))}, longest pause ${pause.toFixed(0)} ms; ` +
            `${order.inversions.length} inversions of ${order.pairs} pairs, the worst by ${Math.max(0, ...order.inversions.map(({ late }) => late)).toFixed(0)} ms`
        )
        return { part, order, pause }
      })
      for (const kind of ["slow", "flooded", "failing"] as const) {
        const waited = waits(verdict.arrivals, (target) => target.kind === kind)
        if (waited.length > 0) note(`${kind}: waited ${shown(figures(waited))}`)
      }
      for (const [call, values] of Object.entries(asked)) note(`api ${call}: ${shown(figures(values))}`)
      note(`command line: bare ${shown(operator.bare)}, list ${shown(operator.list)}, show ${shown(operator.show)}`)
      const hung = site.hanging.requests.at(0)?.at ?? Infinity
      const beside = verdict.arrivals.filter(
        ({ arrived, target }) =>
          target.part === "webhook" &&
          target.kind === "prompt" &&
          arrived > hung + headStart &&
          arrived < hung + hangingTime
      ).length
      return { asked, beside, channels, problems: verdict.problems, memory: after }
    })
  )

const probeOf = ({ hosts }: Site, id: number): StormAlarm => ({
  id,
  door: "http",
  severity: "INFO",
  subject: `INFO:WEBHOOK+${hosts.prompt}/storm/${id}/0`,
  body: textOf(id),
  targets: [{ part: "webhook", kind: "prompt", at: `/storm/${id}/0` }]
})

/** An operator at the command line. */
const operate = Effect.fnUntraced(function* (site: Site) {
  const bare: Array<number> = []
  const list: Array<number> = []
  const show: Array<number> = []
  for (let round = 0; round < (long ? 5 : 1); round++) {
    yield* Effect.sleep(1_000)
    bare.push(yield* command(site, "--version"))
    list.push(yield* command(site, "alarm", "list"))
    const newest = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(
      yield* site.fleet.cli("alarm", "list", "--limit", "1", "--json")
    )?.[0]
    if (newest === undefined) return yield* Effect.die(new Error("the command line lists no alarm"))
    show.push(yield* command(site, "alarm", "show", newest))
  }
  return { bare: figures(bare), list: figures(list), show: figures(show) }
})

describe("a storm of alarms", () => {
  it.live(
    `${whole.alarms} at once: order, fairness, ledger, memory, API`,
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const random = Random.make()
          note(`${Random.seedVariable}=${random.seed}`)
          const site = yield* make
          const storms = [
            yield* storm(site, random, 10_000, whole),
            yield* storm(site, random, 20_000, calm),
            yield* storm(site, random, 30_000, calm)
          ]

          expect(
            storms
              .flatMap(({ problems }) => problems)
              .slice(0, 20)
              .join("\n")
          ).toBe("")
          for (const { asked, channels } of storms) {
            for (const { order, part, pause } of channels) {
              // Calls and voices are too few for a share.
              if (part === "call" || part === "messenger_voice") continue
              expect(order.inversions.length / Math.max(order.pairs, 500), `order of ${part}`).toBeLessThan(
                inversionLimit
              )
              expect(pause, `pause of ${part}`).toBeLessThan(pauseLimit)
            }
            for (const [call, values] of Object.entries(asked))
              expect(figures(values).p99, `99th percentile of ${call}`).toBeLessThan(apiLimit)
          }
          expect(storms[0]!.beside, "webhooks beside the hanging host").toBeGreaterThanOrEqual(besideHanging)
          expect(
            storms[0]!.channels.some(({ order }) => order.pairs > 1_000),
            "a backlog stood"
          ).toBe(true)
          expect(storms[2]!.memory - storms[1]!.memory, "growth of memory").toBeLessThan(growthLimit)
        })
      ),
    long ? 1_000_000 : 240_000
  )
})
