import type { ComponentChildren } from "preact"
import type { Loaded } from "../lib/Load.ts"
import { Trouble } from "./Trouble.tsx"
import { Waiting } from "./Waiting.tsx"

/** What was loaded, with what went wrong above it; what was there stays in sight while it is asked for again. */
export const Loading = <A,>({
  children,
  of
}: {
  readonly of: Loaded<A>
  readonly children: (value: A) => ComponentChildren
}) => (
  <>
    <Trouble problem={of.problem.value} again={of.reload} />
    {of.value.value !== undefined ? children(of.value.value) : of.problem.value === undefined ? <Waiting /> : null}
  </>
)
