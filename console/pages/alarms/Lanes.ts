/** Converts a run to lanes of a time line: its steps, then each target with its attempts. */
import { stepName } from "../../parts/StepWords.ts"
import type { Lane } from "../../parts/TimeLine.tsx"
import { attemptTitle, runWords as t, stepTitle, targetTitle } from "./RunWords.ts"
import { dueOf, type RunView } from "./Story.ts"
import { attemptTones, stepTones } from "./Tones.ts"

export const lanesOf = (run: RunView): ReadonlyArray<Lane> => [
  {
    name: t().trigger,
    spans: [],
    marks: [
      { at: Date.parse(run.received_at), tone: "quiet", label: t().received },
      ...run.steps.map((step) => ({
        at: Date.parse(step.at),
        tone: stepTones[step.state],
        label: t().step(stepName(step.name), stepTitle(step.state))
      })),
      ...(run.acknowledged_at === null
        ? []
        : [{ at: Date.parse(run.acknowledged_at), tone: "info" as const, label: t().acknowledged }])
    ]
  },
  ...run.targets.map((target): Lane => {
    const due = dueOf(target)
    return {
      name: `${target.channel} · ${targetTitle(target.state)}`,
      detail: target.target,
      spans: target.attempts.map((attempt) => ({
        from: Date.parse(attempt.started_at),
        to:
          attempt.finished_at === null
            ? run.finished_at === null
              ? undefined
              : Date.parse(run.finished_at)
            : Date.parse(attempt.finished_at),
        tone: attemptTones[attempt.state],
        label: `${attempt.number}. ${attemptTitle(attempt.state)}${attempt.detail === null ? "" : ` · ${attempt.detail}`}`
      })),
      marks: due === undefined ? [] : [{ at: due, tone: "quiet", label: t().retryDue, awaited: true }]
    }
  })
]
