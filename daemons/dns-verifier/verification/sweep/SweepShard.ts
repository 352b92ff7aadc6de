/**
 * The sweep: checks all domains and mail domains when they are due (Schedule). Eight placed actors share the rows by
 * id, so that several processes share the work. A check without a change writes nothing. A shard stores its progress
 * when the checks of a window are done: a crash repeats at most that window and skips no domain.
 */
import { Cause, Context, Deferred, Duration, Effect, Exit, FiberSet, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isAway } from "#core/sql/Sql.ts"
import { Wake } from "#core/events/Wake.ts"
import { Actor, describe } from "#core/supervision/Supervisor.ts"
import * as Cadence from "../decide/Cadence.ts"
import type { Observation, Question } from "../observe/Observation.ts"
import { Observer } from "../observe/Observer.ts"
import * as Cursors from "./Cursors.ts"
import * as DomainLook from "./DomainLook.ts"
import type { LookOutcome, Settings } from "./DomainLook.ts"
import * as DueRows from "./DueRows.ts"
import { newDomain } from "./NewDomains.ts"
import * as MailLook from "./MailLook.ts"
import { LookSlots } from "./LookSlots.ts"
import { Rounds } from "./Rounds.ts"
import { catchUp, windowOf } from "./Schedule.ts"
import { SweepState } from "./SweepState.ts"

/** Number of shards. The tables compute the shard from the row's id. */
export const shards = 8

/**
 * Concurrent checks of one shard. Reason: each has several queries; all shards in one process keep a few hundred in
 * flight.
 */
const atOnce = 24

/**
 * Shortest pause between rounds, used while rows are due, and longest pause. Unit: fractions of a minute. Reason:
 * windows of 2 to 60 seconds; domains are checked every 5 minutes at most, and a new one wakes the sweep.
 */
const shortRound = 1 / 30
const longRound = 1

/** Longest time between two writes of the progress, even if nothing was due. Unit: fractions of a minute. */
const writtenEvery = 1

export class Sweep extends Context.Service<Sweep, { readonly settings: Settings; readonly state: SweepState }>()(
  "signalbox/dns-verifier/Sweep"
) {}

export const layer = (settings: Settings): Layer.Layer<Sweep> =>
  Layer.sync(Sweep, () => Sweep.of({ settings, state: new SweepState(settings.dnsMinute) }))

/** Services for the part of a check after the quick check. */
type LookNeeds =
  | Effect.Services<ReturnType<typeof DomainLook.lookOn>>
  | Effect.Services<ReturnType<typeof MailLook.lookOn>>

/** A check that is about to start. */
interface Begun {
  readonly name: string
  readonly questions: ReadonlyArray<Question>
  /** Called at the end of the check. */
  readonly done: () => void
  /** What remains after the quick check; undefined: nothing. */
  readonly further: (glance: Observation) => Effect.Effect<LookOutcome, SqlError.SqlError, LookNeeds> | undefined
}

const shardActor = (shard: number) => ({
  name: `sweep ${shard}`,
  placed: true,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const sql = yield* SqlClient.SqlClient
    const observer = yield* Observer
    const wakeup = yield* (yield* Wake).subscribe(newDomain)
    const { settings, state } = yield* Sweep
    const minute = settings.dnsMinute
    const heard = Observer.of({
      ...observer,
      observe: (domain, questions, depth) =>
        Effect.tap(observer.observe(domain, questions, depth), (seen) => Effect.sync(() => state.hear(seen)))
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => state.shards.delete(shard)))
    const rounds = new Rounds()
    const slots = new LookSlots(atOnce)
    const broken = yield* Deferred.make<never, SqlError.SqlError>()
    const until = new Map(yield* Cursors.read(shard))
    const fork = yield* FiberSet.makeRuntime<Exclude<LookNeeds, Observer>>()
    const ending = { stopped: false }
    yield* Effect.addFinalizer(() => Effect.sync(() => void (ending.stopped = true)))
    let writtenAt = 0

    /** Continues a check in a fiber. A failure is logged and does not stop other checks. */
    const goOn = (
      { done, name }: Pick<Begun, "done" | "name">,
      look: Effect.Effect<LookOutcome, SqlError.SqlError, LookNeeds>
    ) =>
      fork(
        Effect.onExit(Effect.withSpan(Effect.provideService(look, Observer, heard), "dns-verifier.look"), (exit) =>
          Effect.gen(function* () {
            slots.giveBack()
            if (Exit.isSuccess(exit)) state.count(exit.value)
            else if (Cause.hasInterruptsOnly(exit.cause)) return
            else {
              const error = Cause.squash(exit.cause)
              // The database is away: the round does not count as done.
              if (isAway(error)) return yield* Deferred.fail(broken, error as SqlError.SqlError)
              state.countFailed()
              yield* Effect.logError(`the check of ${name} failed: ${describe(exit.cause)}`, exit.cause)
            }
            done()
          })
        ).pipe(Effect.ignoreCause)
      )

    /** Starts with a quick check, which needs no fiber and is nearly always enough. */
    const start = (begun: Begun) => {
      observer
        .glance(begun.name, begun.questions, ending)
        .then((glance) => {
          if (ending.stopped) return
          state.hear(glance)
          const further = begun.further(glance)
          if (further !== undefined) return void goOn(begun, further)
          state.count(DomainLook.nothing)
          slots.giveBack()
          begun.done()
        })
        .catch((defect) => void (ending.stopped || goOn(begun, Effect.die(defect))))
    }

    /** A waiting check holds only its row, because objects that are built early and kept are expensive to collect. */
    const begin = (look: () => Begun) => slots.enter(() => observer.whenRoom(() => start(look())))

    const loop = Effect.gen(function* () {
      let pause = minute * shortRound
      let before = performance.now() - pause
      while (true) {
        yield* actor.progress
        const [now, clock] = [Date.now(), performance.now()]
        const step = Math.max(clock - before, minute * shortRound) * catchUp
        before = clock
        const windows = Cadence.classes.map((every) => windowOf(every, until.get(every), now, every * minute, step))
        for (const window of windows) until.set(window.every, window.until)
        const arcs = windows.flatMap((window) => window.arcs)
        const round = rounds.begin(new Map(until))
        let due = 0
        const takeDomain = (row: DueRows.DomainRow) => {
          due++
          const done = round.look()
          const further = (glance: Observation) =>
            DomainLook.isAsKnown(row, glance, settings) ? undefined : DomainLook.lookOn(row, glance, settings)
          begin(() => ({ name: row.name, questions: DomainLook.asks(row), done, further }))
        }
        const takeMailDomain = (row: DueRows.MailRow) => {
          due++
          const questions = MailLook.asks(row)
          if (questions.length === 0) return
          const done = round.look()
          const further = (glance: Observation) =>
            MailLook.isAsKnown(row, glance, settings) ? undefined : MailLook.lookOn(row)
          begin(() => ({ name: row.name, questions, done, further }))
        }
        yield* Effect.andThen(
          DueRows.eachDomain(shard, arcs, { take: takeDomain, ready: slots.ready }),
          DueRows.eachMailDomain(shard, arcs, { take: takeMailDomain, ready: slots.ready })
        ).pipe(Effect.withSpan("dns-verifier.sweep", { attributes: { shard } }))
        round.all()
        const done = rounds.takeDone()
        if (done !== undefined) {
          state.shards.set(shard, done)
          if (due > 0 || clock - writtenAt > minute * writtenEvery) {
            writtenAt = clock
            yield* Cursors.write(shard, done)
          }
        }
        pause = due > 0 ? minute * shortRound : Math.min(pause * 2, minute * longRound)
        // A shard that is behind continues at once. A new domain waits for one short round at most.
        yield* Effect.sleep(Duration.millis(Math.max(0, minute * shortRound - (performance.now() - clock))))
        const rest = pause - (performance.now() - clock)
        if (rest > 0) yield* wakeup.wait(Duration.millis(rest))
      }
    })
    yield* Effect.raceFirst(Effect.provideService(loop, SqlClient.SqlClient, sql), Deferred.await(broken))
  })
})

export const sweepActors = Array.from({ length: shards }, (_, shard) => shardActor(shard))
