import type { ComponentChildren } from "preact"
import type { Loaded } from "../lib/Load.ts"
import { Trouble } from "./Trouble.tsx"
import { Waiting } from "./Waiting.tsx"

/** Shows loaded data, with an error above it. Existing data stays visible during a reload. */
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
