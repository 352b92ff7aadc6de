/** Behaviour of a dialled person. Times are in milliseconds of the switch: see `timeScale`. */
export type Callee =
  /** Answers and stays until the end of the call, or hangs up. */
  | {
      readonly kind: "answers"
      /** Ringing time before the answer. Default 300. */
      readonly afterMs?: number
      /** Time from the answer until the callee hangs up; undefined: never. */
      readonly hangsUpAfterMs?: number
      /** Key presses with their time after the answer. */
      readonly digits?: ReadonlyArray<{ readonly digit: string; readonly afterMs: number }>
      /** Sends early media (183) before the answer instead of ringing (180). */
      readonly earlyMedia?: boolean
    }
  /** The call fails. `cause`: as in the job's answer (`USER_BUSY`). The events are those captured for this cause. */
  | { readonly kind: "fails"; readonly cause: string; readonly afterMs?: number }
  /** Rings until `originate_timeout`, or forever. `silent`: sends no ringing either. */
  | { readonly kind: "rings"; readonly silent?: boolean }

/** Answers at the default time and stays until the end. */
export const answers: Callee = { kind: "answers" }

export const busy: Callee = { kind: "fails", cause: "USER_BUSY" }
export const unanswered: Callee = { kind: "rings" }
export const fails = (cause: string): Callee => ({ kind: "fails", cause })
export const hangsUp = (afterMs: number): Callee => ({ kind: "answers", hangsUpAfterMs: afterMs })
export const presses = (digit: string, afterMs: number): Callee => ({ kind: "answers", digits: [{ digit, afterMs }] })
