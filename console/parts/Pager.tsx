import { type Signal, useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { words } from "../lib/Language.ts"

const t = words({
  en: { newer: "Newer", older: "Older", pages: "Pages of the list" },
  de: { newer: "Neuere", older: "Ältere", pages: "Seiten der Liste" }
})

/** The `before` values of all opened pages, for the way back; empty on the first page. */
export type Trail = Signal<ReadonlyArray<string>>

/** A change of `keys` returns to the first page. */
export const useTrail = (keys: ReadonlyArray<unknown>): Trail => {
  const trail: Trail = useSignal<ReadonlyArray<string>>([])
  useEffect(() => {
    trail.value = []
  }, keys)
  return trail
}

/** Buttons to older entries and back; hidden when all entries fit on one page. */
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
