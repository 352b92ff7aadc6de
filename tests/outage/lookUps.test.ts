/**
 * Postgres becomes unreachable while the switch sends 200 look-ups per second. Every answer must be correct for its
 * time, known data must be served for as long as allowed, and the switch must never fall back to its own files.
 * Everything must recover without help. Takes a few seconds; a minute in the long run.
 */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { until } from "#support/Frame.ts"
import { signal } from "#support/Processes.ts"
import { ask, type LookedUp, switchPatience } from "./LookUps.ts"
import { change, type LookUpSite, make } from "./LookUpSite.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

/** Length of the outage. Unit: seconds. */
const awayFor = long ? 60 : 10

/** How long known data may be served. Unit: seconds; `hour`: longer than the outage. */
const bounds = { half: awayFor / 2, hour: 3600 }

/**
 * Largest age of the known data at the start of the outage. Unit: milliseconds. Source: goodFor in
 * core/lane/Projection.ts; the rest is for a comparison on a loaded machine.
 */
const age = 2_500

/**
 * `returnLimit`: longest time from Postgres's return until a change succeeds. `changeLimit`: until the change is
 * visible. Unit: seconds. Reason: about 2 s (5 s after a minute) and 0.1 s; the rest is for a loaded machine.
 */
const returnLimit = long ? 60 : 20
const changeLimit = 10

/** Stops every Postgres process: connections stay open but carry no data. */
const stopped = (site: LookUpSite) => {
  const processes = site.postgres()
  const all = (name: NodeJS.Signals) => Effect.sync(() => processes.forEach((pid) => signal(pid, name)))
  return Effect.acquireUseRelease(
    all("SIGSTOP"),
    () => Effect.sleep(`${awayFor} seconds`),
    () => all("SIGCONT")
  )
}

/** Kills Postgres again after every restart. */
const killed = (site: LookUpSite) =>
  Effect.gen(function* () {
    for (const end = performance.now() + awayFor * 1000; performance.now() < end;) {
      for (const pid of site.postgres()) signal(pid, "SIGKILL")
      yield* Effect.sleep(20)
    }
  })

for (const [name, away, bound] of [
  ["held still", stopped, bounds.half],
  ["killed again and again", killed, bounds.hour]
] as const) {
  it.live(
    `with Postgres ${name} no look-up is answered wrongly, and what changes is told soon after`,
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const site = yield* make(bound)
          const { api, telephone, unit } = site
          const pid = unit.pid()
          const health = Effect.map(
            api("GET", "/health"),
            ({ json }) => json?.components?.switch_picture?.status as string | undefined
          )
          const seen = new Set<string | undefined>()
          const { answers, moments } = yield* Effect.scoped(
            Effect.gen(function* () {
              const answers = yield* ask(site)
              yield* until(
                "the picture has it",
                Effect.sync(() => answers.some(({ meaning, what }) => what === "dialplan" && meaning === "first"))
              )
              const settled = performance.now()
              yield* until(
                "some are answered",
                Effect.sync(() => performance.now() > settled + age)
              )
              // A comparison that takes too long on a loaded machine shows for a moment.
              yield* until(
                "health is well before",
                Effect.map(health, (status) => status === "ok")
              )
              const watch = yield* Effect.forkChild(
                Effect.forever(
                  Effect.andThen(
                    Effect.map(health, (status) => seen.add(status)),
                    Effect.sleep(250)
                  )
                )
              )
              const gone = performance.now()
              yield* away(site)
              const back = performance.now()
              yield* Fiber.interrupt(watch)
              const told = telephone.commands.length
              yield* until(
                "changes are taken",
                Effect.map(change(site), (statuses) => statuses.every((status) => status === 200)),
                returnLimit
              )
              const changed = performance.now()
              yield* until(
                "the change shows",
                Effect.sync(() => shows(answers, "directory") && shows(answers, "dialplan")),
                changeLimit
              )
              const shown = performance.now()
              yield* until(
                "the switch is told",
                Effect.sync(() =>
                  telephone.commands.slice(told).includes(`api xml_flush_cache id 1001 voice.outage.test`)
                ),
                returnLimit
              )
              const flushed = performance.now()
              yield* until(
                "health is well",
                Effect.map(health, (status) => status === "ok"),
                returnLimit
              )
              yield* until(
                "both are asked again after the change showed",
                Effect.sync(
                  () => afterChange(answers, "directory").length > 0 && afterChange(answers, "dialplan").length > 0
                )
              )
              return { answers, moments: { settled, gone, back, changed, shown, flushed } }
            })
          ).pipe(Effect.onError(() => Effect.logError(site.fleet.tail(40))))
          const { back, changed, flushed, gone, settled, shown } = moments
          const known = answers.filter(({ sent }) => sent > settled)
          // Answers requested and received between these times. On a loaded machine an answer may arrive much later
          // than its request.
          const between = (from: number, to: number) => known.filter(({ done, sent }) => sent >= from && done < to)
          expect(wrong(known)).toEqual([])
          expect(told(between(settled, Math.min(gone + bound * 1000 - age, back)))).toEqual(["first"])
          if (bound < awayFor) expect(told(between(gone + bound * 1000 + age, back))).toEqual(["closed"])
          // `/health` waits two seconds for a hanging Postgres, which is longer than a short limit.
          expect([...seen]).toContain(bound < awayFor ? "down" : "degraded")
          for (const what of ["directory", "dialplan"] as const)
            expect(told(afterChange(known, what))).toEqual(["second"])
          expect([unit.pid(), unit.ends]).toEqual([pid, []])
          const waits = known.map(({ done, sent }) => done - sent).toSorted((a, b) => a - b)
          const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2)
          yield* Effect.log(
            `${name}: away ${seconds(back - gone)} s, ${known.length} look-ups, p50 ${waits[waits.length >> 1]!.toFixed(1)} ms, ` +
              `p99 ${waits[Math.floor(waits.length * 0.99)]!.toFixed(0)} ms, longest ${waits.at(-1)!.toFixed(0)} ms; ` +
              `changed ${seconds(changed - back)} s after the return, told ${seconds(shown - changed)} s later, flushed ${seconds(flushed - changed)} s later`
          )
          expect(waits.at(-1)!).toBeLessThan(switchPatience)
        })
      ),
    150_000 + 1000 * awayFor
  )
}

const shows = (answers: ReadonlyArray<LookedUp>, wanted: LookedUp["what"]): boolean =>
  answers.some(({ meaning, what }) => what === wanted && meaning === "second")

/** Answers to look-ups that were sent after the first answer with the change had arrived. */
const afterChange = (answers: ReadonlyArray<LookedUp>, what: LookedUp["what"]) => {
  const first = answers.find((one) => one.what === what && one.meaning === "second")
  return answers.filter((one) => one.what === what && first !== undefined && one.sent >= first.done)
}

const told = (answers: ReadonlyArray<LookedUp>) => [...new Set(answers.map(({ meaning }) => meaning))]

const wrong = (answers: ReadonlyArray<LookedUp>) =>
  answers
    .flatMap(({ meaning, sent, what }) => (typeof meaning === "string" ? [] : [{ what, sent, ...meaning }]))
    .slice(0, 3)
