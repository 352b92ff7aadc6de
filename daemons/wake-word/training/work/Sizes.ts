/** How much speech the two sizes of a training use. */
import { defaultPlan, type PlanOptions } from "#protocols/wake-word/Plan.ts"
import { defaultTraining, type TrainingSettings } from "#protocols/wake-word/TrainHead.ts"
import type { Size } from "../Phases.ts"

export interface SizePlan extends Pick<PlanOptions, "positives" | "adversarial" | "hours"> {
  readonly training: Omit<TrainingSettings, "seed">
}

export const plans: Readonly<Record<Size, SizePlan>> = {
  // Takes seconds. Its model does not pass the gate, because a minute of speech shows nothing about false accepts.
  small: {
    positives: { train: 40, check: 10, heldOut: 20 },
    adversarial: 24,
    hours: { train: 0.02, check: 0.01, heldOut: 0.01 },
    training: { hidden: 16, steps: 160, round: 160, networks: 1 }
  },
  full: { ...defaultPlan, training: defaultTraining }
}
