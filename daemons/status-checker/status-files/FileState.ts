/** State of a watched file, and its changes by one look at the file. Pure. */
import type { Fingerprint } from "./BoundedFile.ts"

/** Result of one look. Times: milliseconds since 1970. */
export type Look<A> =
  /** Unchanged since the last look. */
  | { readonly _tag: "Same" }
  /** Being written. */
  | { readonly _tag: "Moving" }
  /** `hash`: of the bytes. */
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
  /** Last valid content. */
  readonly good:
    | { readonly hash: string; readonly value: A; readonly warnings: ReadonlyArray<string>; readonly at: number }
    | undefined
  /** Why the current content is not used. */
  readonly trouble: { readonly problem: string; readonly since: number } | undefined
  /** Content that was invalid at the last look, perhaps because it is half written. */
  readonly doubt: { readonly fingerprint: Fingerprint; readonly since: number } | undefined
}

export const unread: FileState<never> = { good: undefined, trouble: undefined, doubt: undefined }

/**
 * Next state of the file, and whether its content is new. With `patient`, an invalid file counts as broken only when
 * the next look finds the same version: editors write in pieces, and swaps take two steps. Valid content is taken at
 * once.
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
