/** What somebody does whose number is dialled. Times are the switch's milliseconds: see `timeScale`. */
export type Callee =
  /** Takes the call and stays until it is over, or hangs up. */
  | {
      readonly kind: "answers"
      /** Ringing before the answer. Default 300. */
      readonly afterMs?: number
      /** Hangs up so long after the answer; without it never. */
      readonly hangsUpAfterMs?: number
      /** Keys, each so long after the answer. */
      readonly digits?: ReadonlyArray<{ readonly digit: string; readonly afterMs: number }>
      /** Sends early media (183) before the answer instead of ringing (180). */
      readonly earlyMedia?: boolean
    }
  /** The call does not come about: `cause` as a job says it (`USER_BUSY`), with the trail of events captured for it. */
  | { readonly kind: "fails"; readonly cause: string; readonly afterMs?: number }
  /** Rings until `originate_timeout` (or for ever). `silent`: not even that. */
  | { readonly kind: "rings"; readonly silent?: boolean }

/** Takes the call at once, hears everything. */
export const answers: Callee = { kind: "answers" }

export const busy: Callee = { kind: "fails", cause: "USER_BUSY" }
export const unanswered: Callee = { kind: "rings" }
export const fails = (cause: string): Callee => ({ kind: "fails", cause })
export const hangsUp = (afterMs: number): Callee => ({ kind: "answers", hangsUpAfterMs: afterMs })
export const presses = (digit: string, afterMs: number): Callee => ({ kind: "answers", digits: [{ digit, afterMs }] })
