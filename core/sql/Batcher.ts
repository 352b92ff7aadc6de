/**
 * Work that is cheaper together: what is asked for while a batch is under way goes with the next one. Nobody waits for
 * others to come; an idle batcher runs a single call at once. For statements and short transactions, whose cost is the
 * round trip and the commit and hardly the rows.
 */
import { Deferred, Effect, Exit, type Scope } from "effect"

export interface BatcherOptions {
  /** Calls in one batch at most. */
  readonly most: number
}

/**
 * `run` answers each call's end, in the order given; a defect of it is every caller's. Who is interrupted while waiting
 * leaves its call behind, to be carried out. Ends with the scope.
 */
export const make = <A, B, E, R>(
  run: (calls: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<Exit.Exit<B, E>>, never, R>,
  { most }: BatcherOptions
): Effect.Effect<(call: A) => Effect.Effect<B, E>, never, R | Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const context = yield* Effect.context<R>()
    let waiting: Array<{ readonly call: A; readonly end: Deferred.Deferred<B, E> }> = []
    let running = false

    const drain = Effect.gen(function* () {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, most)
        waiting = waiting.slice(most)
        const ends = yield* Effect.exit(run(batch.map(({ call }) => call)))
        for (const [index, { end }] of batch.entries()) {
          Deferred.doneUnsafe(end, Exit.isSuccess(ends) ? ends.value[index]! : Exit.failCause(ends.cause))
        }
      }
    }).pipe(
      Effect.provideContext(context),
      Effect.onExit(() =>
        Effect.sync(() => {
          running = false
          // Only when the scope ended in the middle; those who still wait would do so for ever.
          for (const { end } of waiting) Deferred.doneUnsafe(end, Exit.interrupt())
          waiting = []
        })
      )
    )

    return (call) =>
      Effect.suspend(() => {
        const end = Deferred.makeUnsafe<B, E>()
        waiting.push({ call, end })
        if (running) return Deferred.await(end)
        running = true
        return Effect.andThen(Effect.forkIn(drain, scope), Deferred.await(end))
      })
  })
