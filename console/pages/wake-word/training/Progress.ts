/** Applies an event of a training's progress to the trainings that a page shows. Pure. */
import type { Phase, Training } from "../Shapes.ts"

/** Data of the event `wakeword.training.progress`. */
export interface Progress {
  readonly job_id: string
  readonly state: Training["state"]
  /** Null: not begun. */
  readonly phase: Phase | null
  /** Of the phase, 0 to 1. */
  readonly progress: number
  readonly problem: string | null
}

/** `training` after the event. The phases before the one that runs are complete; progress never falls in a phase. */
const after = (training: Training, { phase, problem, progress, state }: Progress): Training => {
  const at = training.phases.findIndex((one) => one.phase === phase)
  return {
    ...training,
    state,
    phase,
    problem,
    phases: training.phases.map((one, index) => ({
      ...one,
      progress: index < at ? 1 : index === at ? progress : one.progress
    }))
  }
}

/**
 * The trainings after the event; undefined when the page must load them again, because the training is unknown or its
 * state changed, which also moves the ones that wait.
 */
export const applied = (trainings: ReadonlyArray<Training>, event: Progress): ReadonlyArray<Training> | undefined => {
  const known = trainings.find(({ id }) => id === event.job_id)
  if (known === undefined || known.state !== event.state) return undefined
  return trainings.map((one) => (one === known ? after(one, event) : one))
}
