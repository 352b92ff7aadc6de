/** The current time, updated while the page is visible. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"

/** Epoch milliseconds, updated every `every` milliseconds; undefined: no updates. */
export const useNow = (every: number | undefined): number => {
  const now = useSignal(Date.now())
  useEffect(() => {
    now.value = Date.now()
    if (every === undefined) return
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") now.value = Date.now()
    }, every)
    return () => clearInterval(timer)
  }, [every])
  return now.value
}
