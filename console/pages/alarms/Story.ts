/** What happened in a run, as moments in their order, and as lanes over time. Pure; words come from the page. */
import type { Answer } from "../../lib/Endpoints.ts"

export type RunView = Answer<"GET /api/v1/workflows/runs/:id">
export type Target = RunView["targets"][number]
export type Attempt = Target["attempts"][number]
export type Step = RunView["steps"][number]

/** `at`: epoch milliseconds. */
export type Moment =
  | { readonly kind: "received"; readonly at: number }
  | { readonly kind: "step"; readonly at: number; readonly step: Step }
  | { readonly kind: "attempt"; readonly at: number; readonly target: Target; readonly attempt: Attempt }
  | { readonly kind: "acknowledged"; readonly at: number; readonly by: string }
  | { readonly kind: "finished"; readonly at: number }
  /** Still to come. */
  | { readonly kind: "due"; readonly at: number; readonly target: Target }

/** At the same moment what comes earlier here came first. */
const order: ReadonlyArray<Moment["kind"]> = ["received", "step", "attempt", "acknowledged", "finished", "due"]

/** Everything that is known of a run, in the order in which it happened; what is awaited stands last. */
export const storyOf = (run: RunView): ReadonlyArray<Moment> => {
  const moments: Array<Moment> = [
    { kind: "received", at: Date.parse(run.received_at) },
    ...run.steps.map((step): Moment => ({ kind: "step", at: Date.parse(step.at), step })),
    ...run.targets.flatMap((target) =>
      target.attempts.map((attempt): Moment => ({
        kind: "attempt",
        at: Date.parse(attempt.started_at),
        target,
        attempt
      }))
    ),
    ...(run.acknowledged_at === null
      ? []
      : [{ kind: "acknowledged", at: Date.parse(run.acknowledged_at), by: run.acknowledged_by ?? "" } as const]),
    ...(run.finished_at === null ? [] : [{ kind: "finished", at: Date.parse(run.finished_at) } as const]),
    ...run.targets.flatMap((target) =>
      dueOf(target) === undefined ? [] : [{ kind: "due", at: dueOf(target)!, target } as const]
    )
  ]
  const rank = ({ kind }: Moment) => (kind === "due" ? 1 : 0)
  return moments.sort((a, b) => rank(a) - rank(b) || a.at - b.at || order.indexOf(a.kind) - order.indexOf(b.kind))
}

/** When a target that waits goes again; a first try that is merely next in the queue is no news. */
export const dueOf = (target: Target): number | undefined =>
  (target.state === "pending" || target.state === "uncertain") && target.due_at !== null && target.attempts.length > 0
    ? Date.parse(target.due_at)
    : undefined

/** Whether anything is still to happen. */
export const goesOn = ({ finished_at }: Pick<RunView, "finished_at">): boolean => finished_at === null

/** Whether somebody can take it on: an alarm that reached out and that nobody has taken on. */
export const canAcknowledge = ({
  acknowledged_at,
  state,
  workflow
}: Pick<RunView, "acknowledged_at" | "state" | "workflow">): boolean =>
  workflow === "alarm" && acknowledged_at === null && !["rejected", "duplicate", "acknowledgement"].includes(state)
