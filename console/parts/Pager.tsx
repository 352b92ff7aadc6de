import { type Signal, useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { words } from "../lib/Language.ts"

const t = words({
  en: { newer: "Newer", older: "Older", pages: "Pages of the list" },
  de: { newer: "Neuere", older: "Ältere", pages: "Seiten der Liste" }
})

/** The way back from where one is: the `before` of every page that was opened, none for the first. */
export type Trail = Signal<ReadonlyArray<string>>

/** `keys`: with another of these it begins anew. */
export const useTrail = (keys: ReadonlyArray<unknown>): Trail => {
  const trail: Trail = useSignal<ReadonlyArray<string>>([])
  useEffect(() => {
    trail.value = []
  }, keys)
  return trail
}

/** To older entries and back; nothing where all fit on one page. */
export const Pager = ({ next, trail }: { readonly trail: Trail; readonly next: string | number | null }) =>
  next === null && trail.value.length === 0 ? null : (
    <div class="pager" role="group" aria-label={t().pages}>
      <button
        type="button"
        disabled={trail.value.length === 0}
        onClick={() => (trail.value = trail.value.slice(0, -1))}
      >
        {t().newer}
      </button>
      <button
        type="button"
        disabled={next === null}
        onClick={() => next !== null && (trail.value = [...trail.value, String(next)])}
      >
        {t().older}
      </button>
    </div>
  )
