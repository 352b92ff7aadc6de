import type { ComponentChildren } from "preact"
import type { Loaded } from "../lib/Load.ts"
import { words } from "../lib/Language.ts"
import { Trouble } from "./Trouble.tsx"

const t = words({ en: { waiting: "One moment …" }, de: { waiting: "Einen Moment …" } })

/** Shown while data is loading. */
export const Waiting = () => (
  <p class="waiting" role="status">
    {t().waiting}
  </p>
)

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
