/** Results of tests of settings, in every offered language. */
import { Effect } from "effect"
import { type Said, said } from "./Texts.ts"

export interface TestResult {
  /** The tested thing: the name of a setting or the address of a server. */
  readonly subject: string
  readonly ok: boolean
  readonly text: Said
  /** What the other side said, in English; null when there is nothing more to say. */
  readonly detail: string | null
  /** Unit: milliseconds. */
  readonly took: number
}

/** What one try found. */
export interface Found {
  readonly ok: boolean
  readonly text: Said
  readonly detail?: string | undefined
}

/** The result of one try, with its duration. */
export const timed = <R>(subject: string, look: Effect.Effect<Found, never, R>): Effect.Effect<TestResult, never, R> =>
  Effect.suspend(() => {
    const began = performance.now()
    return Effect.map(look, ({ detail, ok, text }) => ({
      subject,
      ok,
      text,
      detail: detail ?? null,
      took: Math.round(performance.now() - began)
    }))
  })

/** The result of a setting that has no value. */
export const notSet = (subject: string): Found => ({ ok: false, text: said((t) => t.notSet({ setting: subject })) })
