/**
 * A suite, or another thing with a scope, that the tests of a file share. For tests that each use people, domains or
 * accounts of their own: the start of a suite takes as much processor time as many of these tests.
 *
 *     const running = oncePerFile(factorSuite())
 *     it.live("…", () => Effect.gen(function* () {
 *       const { person } = yield* running
 */
import { Effect, Exit, Scope } from "effect"
import { afterAll } from "vitest"

/** Makes it at the first use. It ends after the last test of the file that calls this. */
export const oncePerFile = <A, E>(make: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E> => {
  const scope = Scope.makeUnsafe()
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Effect.runSync(Effect.cached(Scope.provide(make, scope)))
}
