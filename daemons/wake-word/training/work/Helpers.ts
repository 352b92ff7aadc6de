/**
 * The helper threads of a phase, as the phase's thread sees them. They compute; the phase's thread reads and writes the
 * results. The process starts and ends all of them. Reason: if the phase's thread had started them, Node would
 * terminate them together with it, perhaps in the middle of a native call, which aborts the process.
 */
import type { MessagePort } from "node:worker_threads"
import type { FromHelper, TaskKind, Tasks, ToHelper } from "./Tasks.ts"

/** Tasks for each thread that are begun and not taken. Reason: a thread has the next one when it ends a task. */
const ahead = 4

export interface Helpers {
  /**
   * Runs one task in the thread with the fewest tasks. The samples of the task are moved to that thread and cannot be
   * used afterwards; arrays in shared memory stay usable.
   */
  readonly run: <Kind extends TaskKind>(
    kind: Kind,
    task: Tasks[Kind]["task"],
    progress?: (share: number) => void
  ) => Promise<ReadonlyArray<Tasks[Kind]["result"]>>
  /** Runs an item after the other in all threads, and takes the results in the order of the items. */
  readonly inOrder: <Item, Result>(
    items: ReadonlyArray<Item>,
    run: (item: Item, index: number) => Promise<Result>,
    take: (result: Result, item: Item, index: number) => Promise<void>
  ) => Promise<void>
}

interface Waiting {
  readonly done: (results: ReadonlyArray<never>) => void
  readonly failed: (error: Error) => void
  readonly progress: ((share: number) => void) | undefined
}

export const helpersOf = (ports: ReadonlyArray<MessagePort>): Helpers => {
  const threads = ports.map(threadOf)
  return {
    run: (kind, task, progress) =>
      new Promise((done, failed) => {
        const [first, ...others] = threads
        if (first === undefined) throw new Error("the phase has no helper threads")
        const thread = others.reduce((least, each) => (each.waiting() < least.waiting() ? each : least), first)
        thread.give({ kind, task } as ToHelper, { done, failed, progress })
      }),
    inOrder: async (items, run, take) => {
      const begun: Array<ReturnType<typeof run>> = []
      let taken = 0
      const takeNext = async () => {
        const result = await begun.shift()!
        await take(result, items[taken]!, taken)
        taken++
      }
      for (const [index, item] of items.entries()) {
        if (begun.length === ahead * threads.length) await takeNext()
        const result = run(item, index)
        // Its failure is seen when it is taken.
        result.catch(() => undefined)
        begun.push(result)
      }
      while (begun.length > 0) await takeNext()
    }
  }
}

/** A thread works on its tasks one after the other, so answers come in the order of the tasks. */
const threadOf = (port: MessagePort) => {
  const waiting: Array<Waiting> = []
  port.on("message", (message: FromHelper) => {
    if (message.kind === "progress") return waiting[0]?.progress?.(message.share)
    const asked = waiting.shift()
    if (message.kind === "done") asked?.done(message.results as ReadonlyArray<never>)
    else asked?.failed(new Error(message.problem))
  })
  return {
    waiting: () => waiting.length,
    give: (message: ToHelper, asked: Waiting) => {
      waiting.push(asked)
      port.postMessage(message, buffersOf(message.task))
    }
  }
}

/** Buffers of the samples in a task. */
const buffersOf = (task: object): Array<ArrayBuffer> =>
  Object.values(task).flatMap((value) =>
    value instanceof Int16Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : []
  )
