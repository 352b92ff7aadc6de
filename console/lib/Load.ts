/** What a page shows of the server: asked once, again when asked to, and again when events say so. */
import { type Signal, useSignal, useSignalEffect } from "@preact/signals"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { Problem } from "./Problem.ts"
import { missed, on } from "./Socket.ts"

export interface Loaded<A> {
  /** The last answer; undefined before the first. Stays while the next is under way, and when that fails. */
  readonly value: Signal<A | undefined>
  readonly problem: Signal<Problem | undefined>
  readonly loading: Signal<boolean>
  /** Asks again. */
  readonly reload: () => void
}

/** Several events at once are one reason to ask again. Unit: milliseconds. */
const gathering = 250

/**
 * `keys`: what the question depends on; `live`: patterns of events after which the answer is another; `every`:
 * milliseconds.
 */
export const useLoad = <A>(
  ask: () => Promise<A>,
  keys: ReadonlyArray<unknown> = [],
  { every, live = [] }: { readonly live?: ReadonlyArray<string>; readonly every?: number } = {}
): Loaded<A> => {
  const value = useSignal<A | undefined>(undefined)
  const problem = useSignal<Problem | undefined>(undefined)
  const loading = useSignal(true)
  const turn = useRef(0)
  const latest = useRef(ask)
  latest.current = ask
  const reload = useMemo(
    () => () => {
      const own = ++turn.current
      loading.value = true
      latest.current().then(
        (answer) => {
          if (own !== turn.current) return
          value.value = answer
          problem.value = undefined
          loading.value = false
        },
        (error: unknown) => {
          if (own !== turn.current) return
          problem.value = error instanceof Problem ? error : new Problem(0, "failed", String(error))
          loading.value = false
        }
      )
    },
    []
  )
  useEffect(() => {
    reload()
    return () => void turn.current++
  }, keys)
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      waiting ??= setTimeout(() => {
        waiting = undefined
        reload()
      }, gathering)
    }
    const ends = live.map((pattern) => on(pattern, soon))
    const timer =
      every === undefined ? undefined : setInterval(() => document.visibilityState === "visible" && reload(), every)
    return () => {
      for (const end of ends) end()
      clearTimeout(waiting)
      clearInterval(timer)
    }
  }, keys)
  const seen = useRef(missed.peek())
  useSignalEffect(() => {
    if (missed.value === seen.current) return
    seen.current = missed.value
    reload()
  })
  return { value, problem, loading, reload }
}
