/** History of a run as an ordered list of moments. Pure; the page adds the texts. */
import type { Answer } from "../../lib/Endpoints.ts"

export type RunView = Answer<"GET /api/v1/workflows/runs/:id">
export type Target = RunView["targets"][number]
export type Attempt = Target["attempts"][number]
export type Step = RunView["steps"][number]

/** An entry of the history. `at`: epoch milliseconds. */
export type Moment =
  | { readonly kind: "received"; readonly at: number }
  | { readonly kind: "step"; readonly at: number; readonly step: Step }
  | { readonly kind: "attempt"; readonly at: number; readonly target: Target; readonly attempt: Attempt }
  | { readonly kind: "acknowledged"; readonly at: number; readonly by: string }
  | { readonly kind: "finished"; readonly at: number }
  /** A retry in the future. */
  | { readonly kind: "due"; readonly at: number; readonly target: Target }

/** Order of entries with the same time. */
const order: ReadonlyArray<Moment["kind"]> = ["received", "step", "attempt", "acknowledged", "finished", "due"]

/** All known moments of a run in order, with future ones at the end. */
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

/**
 * Time of a target's next attempt; undefined when there is none. The first attempt is left out, because it is about to
 * start anyway.
 */
export const dueOf = (target: Target): number | undefined =>
  (target.state === "pending" || target.state === "uncertain") && target.due_at !== null && target.attempts.length > 0
    ? Date.parse(target.due_at)
    : undefined

/** Whether the run continues. */
export const goesOn = ({ finished_at }: Pick<RunView, "finished_at">): boolean => finished_at === null

/** A step or target that failed, with the answer of the other side. */
export interface Failure {
  readonly kind: "step" | "target"
  readonly key: string
  readonly name: string
  readonly channel: string | undefined
  readonly state: "failed" | "uncertain"
  readonly reason: string | null
}

/** What failed or is in doubt, in the order of the run: steps, then targets without a fallback that was reached. */
export const failuresOf = ({ steps, targets }: Pick<RunView, "steps" | "targets">): ReadonlyArray<Failure> => [
  ...steps
    .filter(({ state }) => state === "failed")
    .map(({ detail, name }): Failure => ({
      kind: "step",
      key: `step ${name}`,
      name,
      channel: undefined,
      state: "failed",
      reason: detail ?? null
    })),
  ...targets
    .filter((one) => one.state === "failed" || (one.state === "uncertain" && one.due_at === null))
    .map((one): Failure => ({
      kind: "target",
      key: `target ${one.position}`,
      name: one.target,
      channel: one.channel,
      state: one.state === "failed" ? "failed" : "uncertain",
      reason: one.attempts.at(-1)?.detail ?? one.reason
    }))
]
