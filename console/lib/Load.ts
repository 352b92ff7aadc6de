/** Loads data for a page: once, on request, after matching events, and after an undo. */
import { type Signal, untracked, useSignal, useSignalEffect } from "@preact/signals"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { Problem } from "./Problem.ts"
import { missed, on } from "./Socket.ts"
import { undone } from "./Undo.ts"

export interface Loaded<A> {
  /** The last answer; undefined before the first. It stays while a reload runs or fails. */
  readonly value: Signal<A | undefined>
  readonly problem: Signal<Problem | undefined>
  readonly loading: Signal<boolean>
  /** Loads again. */
  readonly reload: () => void
}

/** Delay that combines several events into one reload. Unit: milliseconds. */
const gathering = 250

/**
 * `keys`: values that change the request; `live`: event patterns that trigger a reload; `every`: reload interval in
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
  const turns = () => missed.value + undone.value
  const seen = useRef(untracked(turns))
  useSignalEffect(() => {
    if (turns() === seen.current) return
    seen.current = turns()
    reload()
  })
  return { value, problem, loading, reload }
}
