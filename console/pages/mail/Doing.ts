/** Runs one action at a time and keeps its error. */
import { type Signal, useSignal } from "@preact/signals"
import { Problem } from "../../lib/Problem.ts"

export interface Doing {
  readonly busy: Signal<boolean>
  readonly problem: Signal<Problem | undefined>
  /** Resolves with whether the action succeeded. Starts nothing while another action runs. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>
}

export const problemFrom = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(0, "failed", String(error))

export const useDoing = (): Doing => {
  const busy = useSignal(false)
  const problem = useSignal<Problem | undefined>(undefined)
  const run = async (work: () => Promise<unknown>) => {
    if (busy.peek()) return false
    busy.value = true
    problem.value = undefined
    try {
      await work()
      return true
    } catch (error) {
      problem.value = problemFrom(error)
      return false
    } finally {
      busy.value = false
    }
  }
  return { busy, problem, run }
}
