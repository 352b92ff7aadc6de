import type { Problem } from "../../lib/Problem.ts"
import { told } from "./Refusals.ts"

/** Error of an action, announced when it appears. `shown`: fields of the form that show their own errors. */
export const Refused = ({
  problem,
  shown = []
}: {
  readonly problem: Problem | undefined
  readonly shown?: ReadonlyArray<string>
}) => (
  <div role="alert" class={problem === undefined ? "" : "trouble"}>
    {problem === undefined ? null : <p>{told(problem, shown)}</p>}
  </div>
)
