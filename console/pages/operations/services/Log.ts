/** Reads the log of a service: the last lines once, or the lines as they are written. */
import { type Signal, useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { address, call } from "../../../lib/Call.ts"
import { Problem } from "../../../lib/Problem.ts"
import { readEvents } from "../../../lib/ServerEvents.ts"
import { appended, type Numbered } from "./LogLines.ts"
import type { LogEntry } from "./Words.ts"

/** Time in which new lines are gathered before they are drawn. Unit: milliseconds. Reason: a burst is drawn once. */
const gathering = 40

/** Pause before a broken connection is opened again. Unit: milliseconds. */
const pause = 2_000

export interface Log {
  /** Undefined before the first answer. */
  readonly lines: Signal<ReadonlyArray<Numbered> | undefined>
  readonly problem: Signal<Problem | undefined>
  /** Lines that were left out because the page was too slow. */
  readonly dropped: Signal<number>
  /** Earlier lines were left out, because the answer would be too large. */
  readonly truncated: Signal<boolean>
}

/** `count`: lines to show; a change of `turn` reads again. */
export const useLog = (name: string, count: number, following: boolean, turn: number): Log => {
  const lines = useSignal<ReadonlyArray<Numbered> | undefined>(undefined)
  const problem = useSignal<Problem | undefined>(undefined)
  const dropped = useSignal(0)
  const truncated = useSignal(false)
  useEffect(() => {
    const ends = new AbortController()
    problem.value = undefined
    dropped.value = 0
    truncated.value = false
    const failed = (error: unknown) => {
      if (!ends.signal.aborted)
        problem.value = error instanceof Problem ? error : new Problem(0, "failed", String(error))
    }
    let waiting: Array<LogEntry> = []
    let timer: ReturnType<typeof setTimeout> | undefined
    /** Whether the next lines replace the shown ones, because the connection sends the earlier lines again. */
    let fresh = true
    const draw = () => {
      timer = undefined
      lines.value = appended(fresh ? [] : (lines.peek() ?? []), waiting, count)
      fresh = false
      waiting = []
    }
    const once = () =>
      call("GET /api/v1/system/services/:name/logs", { params: { name }, query: { lines: count } }).then((answer) => {
        if (ends.signal.aborted) return
        lines.value = appended([], answer.items, count)
        truncated.value = answer.truncated
      }, failed)
    const path = address("GET /api/v1/system/services/:name/logs/follow", { name }, { lines: count })
    const follow = async () => {
      lines.value = []
      while (!ends.signal.aborted) {
        fresh = true
        let reason: string | undefined
        try {
          await readEvents(path, ends.signal, ({ data, type }) => {
            problem.value = undefined
            const content = JSON.parse(data) as LogEntry & { readonly count?: number; readonly reason?: string }
            if (type === "dropped") dropped.value += content.count ?? 0
            if (type === "end") reason = content.reason
            if (type !== "line") return
            waiting.push(content)
            timer ??= setTimeout(draw, gathering)
          })
          if (reason === "gone") return
        } catch (error) {
          failed(error)
          // Another attempt would be refused as well.
          if (error instanceof Problem && error.status >= 400 && error.status < 500) return
        }
        if (reason !== "renew") await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
    void (following ? follow() : once())
    return () => {
      ends.abort()
      clearTimeout(timer)
    }
  }, [name, count, following, turn])
  return { lines, problem, dropped, truncated }
}
