/** The time, again and again while somebody looks and it matters. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"

/** Epoch milliseconds, renewed every so many milliseconds; undefined: it stands still. */
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
