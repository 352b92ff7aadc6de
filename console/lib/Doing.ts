/** Runs one action of a page at a time, and keeps its result for the page. */
import { type Signal, useSignal } from "@preact/signals"
import { Problem } from "./Problem.ts"

export interface Doing {
  readonly busy: Signal<boolean>
  /** The error of the last action. */
  readonly problem: Signal<Problem | undefined>
  /** Whether the last action succeeded. False while one runs, and before the first. */
  readonly done: Signal<boolean>
  /** Resolves with whether the action succeeded. Starts nothing while another action runs. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>
}

export const problemFrom = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(0, "failed", String(error))

export const useDoing = (): Doing => {
  const busy = useSignal(false)
  const problem = useSignal<Problem | undefined>(undefined)
  const done = useSignal(false)
  const run = async (work: () => Promise<unknown>) => {
    if (busy.peek()) return false
    busy.value = true
    problem.value = undefined
    done.value = false
    try {
      await work()
      done.value = true
    } catch (error) {
      problem.value = problemFrom(error)
    } finally {
      busy.value = false
    }
    return done.peek()
  }
  return { busy, problem, done, run }
}
