import type { Problem } from "../lib/Problem.ts"

interface Props {
  /** The error of the last action; undefined: it succeeded, or there was none. */
  readonly problem: Problem | undefined
  /** Names of the form's fields that show their own errors. */
  readonly shown?: ReadonlyArray<string>
}

/**
 * Makes the component that shows the error of an action. `told` puts the error into the page's language. The element
 * exists before the error, because screen readers announce only changes of an element that they know.
 */
export const refusedBy =
  (told: (problem: Problem, shown?: ReadonlyArray<string>) => string) =>
  ({ problem, shown = [] }: Props) => (
    <div role="alert" class={problem === undefined ? "" : "trouble"}>
      {problem === undefined ? null : <p>{told(problem, shown)}</p>}
    </div>
  )
