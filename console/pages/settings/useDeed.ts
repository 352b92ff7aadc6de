/** Runs an action of a button, one at a time, and keeps its result. */
import { type Signal, useSignal } from "@preact/signals"
import { Problem } from "../../lib/Problem.ts"

export interface Deed {
  readonly busy: Signal<boolean>
  readonly problem: Signal<Problem | undefined>
  readonly done: Signal<boolean>
  /** Resolves with whether the action succeeded. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>
}

export const useDeed = (): Deed => {
  const busy = useSignal(false)
  const problem = useSignal<Problem | undefined>(undefined)
  const done = useSignal(false)
  const run = async (work: () => Promise<unknown>) => {
    busy.value = true
    problem.value = undefined
    done.value = false
    try {
      await work()
      done.value = true
    } catch (error) {
      problem.value = error instanceof Problem ? error : new Problem(0, "failed", String(error))
    } finally {
      busy.value = false
    }
    return done.value
  }
  return { busy, problem, done, run }
}
