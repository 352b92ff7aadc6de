/**
 * The sweep: all domains and mail domains, each looked at when it is due (Schedule). They are spread over eight placed actors by their number, so
 * that several processes share them. A look without news writes nothing; how far a shard has come is written when a window's looks are done, so
 * that a kill repeats at most a window and skips nothing.
 */
import { Cause, Context, Deferred, Duration, Effect, Exit, Layer, Semaphore } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isAway } from "#core/Sql.ts"
import { Actor, type ActorSpec, describe } from "#core/Supervisor.ts"
import * as Cadence from "../decide/Cadence.ts"
import { Observer } from "../observe/Observer.ts"
import * as Cursors from "./Cursors.ts"
import { lookAt, type Looked, type Settings } from "./DomainLook.ts"
import * as DueRows from "./DueRows.ts"
import { lookAtMail } from "./MailLook.ts"
import { Rounds } from "./Rounds.ts"
import { catchUp, windowOf } from "./Schedule.ts"
import { SweepState } from "./SweepState.ts"

/** Shards. The tables compute them from the number of the row. */
export const shards = 8

/** Looks of one shard that are under way at once. Unit: looks. Reason: some questions each; all shards in one process keep a few hundred in flight. */
const atOnce = 24

/** Between two rounds, while something is due in each and at most. Unit: parts of a minute. Reason: windows of 2 to 10 seconds. */
const shortRound = 1 / 30
const longRound = 1 / 6

/** How far a shard has come is written at least so often, also when nothing was due. Unit: parts of a minute. */
const writtenEvery = 1 / 2

export class Sweep extends Context.Service<Sweep, { readonly settings: Settings; readonly state: SweepState }>()("signalbox/dns-verifier/Sweep") {}

export const layer = (settings: Settings): Layer.Layer<Sweep> => Layer.sync(Sweep, () => Sweep.of({ settings, state: new SweepState(settings.dnsMinute) }))

const shardActor = (shard: number): ActorSpec<any> => ({
  name: `sweep ${shard}`,
  placed: true,
  run: Effect.gen(function*() {
    const actor = yield* Actor
    const sql = yield* SqlClient.SqlClient
    const observer = yield* Observer
    const { settings, state } = yield* Sweep
    const minute = settings.dnsMinute
    const heard = Observer.of({ observe: (domain, questions, depth) => Effect.tap(observer.observe(domain, questions, depth), (seen) => Effect.sync(() => state.hear(seen))) })
    yield* Effect.addFinalizer(() => Effect.sync(() => state.shards.delete(shard)))
    const rounds = new Rounds()
    const places = Semaphore.makeUnsafe(atOnce)
    const broken = yield* Deferred.make<never, SqlError.SqlError>()
    const until = new Map(yield* Cursors.read(shard))
    let writtenAt = 0

    /** Waits for a place, and leaves the look to itself. What one domain breaks is told and does not stop the others. */
    const begin = <E extends SqlError.SqlError, R>(name: string, done: () => void, look: Effect.Effect<Looked, E, R>) =>
      Effect.andThen(places.take(1), Effect.forkScoped(Effect.onExit(Effect.provideService(look, Observer, heard), (exit) =>
        Effect.gen(function*() {
          yield* places.release(1)
          if (Exit.isSuccess(exit)) state.count(exit.value)
          else if (Cause.hasInterruptsOnly(exit.cause)) return
          else {
            const error = Cause.squash(exit.cause)
            // Nothing of this round counts as done then.
            if (isAway(error)) return yield* Deferred.fail(broken, error as SqlError.SqlError)
            state.failed++
            yield* Effect.logError(`the look at ${name} broke: ${describe(exit.cause)}`, exit.cause)
          }
          done()
        })).pipe(Effect.ignoreCause)))

    const loop = Effect.gen(function*() {
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
        yield* DueRows.eachDomain(shard, arcs, (row) => Effect.suspend(() => {
          due++
          return begin(row.name, round.look(), lookAt(row, settings))
        }))
        yield* DueRows.eachMailDomain(shard, arcs, (row) => Effect.suspend(() => {
          due++
          return begin(row.name, round.look(), lookAtMail(row, settings))
        }))
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
        // Who is behind goes on at once.
        yield* Effect.sleep(Duration.millis(Math.max(0, pause - (performance.now() - clock))))
      }
    })
    yield* Effect.raceFirst(Effect.provideService(loop, SqlClient.SqlClient, sql), Deferred.await(broken))
  })
})

export const sweepActors: ReadonlyArray<ActorSpec<any>> = Array.from({ length: shards }, (_, shard) => shardActor(shard))
