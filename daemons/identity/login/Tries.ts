/**
 * Tries at a password, bounded for each account and each address before anything is looked at. A try counts as failed from its
 * beginning, so that a hundred at once are no more than their number allows; one that did not fail is given back.
 */
import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import { retryAfter } from "#core/http/AnswerHeaders.ts"
import type { Client } from "#core/http/Client.ts"
import { Unavailable } from "#core/http/Problem.ts"
import type { InvalidCredentials, TooManyTries } from "../Errors.ts"
import type { Busy } from "../password/HashThreads.ts"

/** Whose password is tried, and from where. */
export interface Who {
  /** The normalised address of the account, whether or not there is one. */
  readonly account: string
  readonly client: Client
}

export class Tries extends Context.Service<Tries, {
  /** Runs a try, unless there were too many. One that fails with `InvalidCredentials`, or is given up, stays counted. */
  readonly guard: <A, E, R>(
    who: Who,
    attempt: Effect.Effect<A, E | Busy | InvalidCredentials, R>
  ) => Effect.Effect<A, Exclude<E, Busy> | InvalidCredentials | TooManyTries | Unavailable, R | HttpServerRequest.HttpServerRequest>
  /** Work of the hash threads that is no try; without time for it: 503. */
  readonly whenFree: <A, E, R>(
    work: Effect.Effect<A, E | Busy, R>
  ) => Effect.Effect<A, Exclude<E, Busy> | Unavailable, R | HttpServerRequest.HttpServerRequest>
}>()("signalbox/identity/Tries") {}

/** When somebody may come again whom the hash threads had no time for. Unit: seconds. */
const busyRetry = 2

const whenFree: Tries["Service"]["whenFree"] = (work) =>
  Effect.catchTag(work as Effect.Effect<any, Busy, any>, "Busy", () =>
    Effect.andThen(retryAfter(busyRetry), Effect.fail(new Unavailable({ detail: "Too many sign-ins at once." })))) as never

export const layer: Layer.Layer<Tries> = Layer.succeed(
  Tries,
  Tries.of({ guard: (_who, attempt) => whenFree(attempt) as never, whenFree })
)
