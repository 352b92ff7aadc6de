import type { Problem } from "../../lib/Problem.ts"
import { told } from "./Words.ts"

/** Error of an action; it is announced when it appears. */
export const Refused = ({ problem }: { readonly problem: Problem | undefined }) => (
  <div role="alert" class={problem === undefined ? "" : "trouble"}>
    {problem === undefined ? null : <p>{told(problem)}</p>}
  </div>
)
