/** Requests that a busy machine may leave without an answer for a moment. */
import { Effect } from "effect"

/**
 * Asks again after 503, for several seconds. The program answers 503 when the database did not confirm the state of
 * tokens or accounts within 800 ms, which happens on busy cores.
 */
export const answered = <A extends { readonly status: number }, E, R>(
  asked: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.repeat(asked, { while: ({ status }) => status === 503, times: 5 })
