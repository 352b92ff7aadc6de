/** What is known of a watched file, and what a look at it changes. Pure. */
import type { Fingerprint } from "./BoundedFile.ts"

/** One look. Times: milliseconds since 1970. */
export type Look<A> =
  /** As it was at the last look. */
  | { readonly _tag: "Same" }
  /** It is being written. */
  | { readonly _tag: "Moving" }
  /** `hash`: of its bytes. */
  | {
      readonly _tag: "Good"
      readonly hash: string
      readonly value: A
      readonly warnings: ReadonlyArray<string>
      readonly fingerprint: Fingerprint
    }
  /** `problem` continues "the file …". */
  | { readonly _tag: "Broken"; readonly problem: string; readonly fingerprint: Fingerprint }

export interface FileState<A> {
  /** The last that was whole and good. */
  readonly good:
    | { readonly hash: string; readonly value: A; readonly warnings: ReadonlyArray<string>; readonly at: number }
    | undefined
  /** Why what is there now is not taken. */
  readonly trouble: { readonly problem: string; readonly since: number } | undefined
  /** What was found broken at the last look, and is perhaps only half written. */
  readonly doubt: { readonly fingerprint: Fingerprint; readonly since: number } | undefined
}

export const unread: FileState<never> = { good: undefined, trouble: undefined, doubt: undefined }

/**
 * `patient`: a broken file is only said to be broken when the next look finds it as it was, because editors write in
 * pieces and files are swapped in two steps. A good one is taken at once.
 */
export const decide = <A>(
  state: FileState<A>,
  look: Look<A>,
  now: number,
  patient: boolean
): { readonly state: FileState<A>; readonly taken: boolean } => {
  if (look._tag === "Same" || look._tag === "Moving") return { state, taken: false }
  if (look._tag === "Good") {
    const taken = state.good?.hash !== look.hash
    return {
      state: {
        good: { hash: look.hash, value: look.value, warnings: look.warnings, at: now },
        trouble: undefined,
        doubt: undefined
      },
      taken
    }
  }
  const settled = !patient || state.trouble !== undefined || state.doubt?.fingerprint === look.fingerprint
  const since = state.trouble?.since ?? state.doubt?.since ?? now
  return settled
    ? { state: { good: state.good, trouble: { problem: look.problem, since }, doubt: undefined }, taken: false }
    : { state: { ...state, doubt: { fingerprint: look.fingerprint, since } }, taken: false }
}
