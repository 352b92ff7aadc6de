import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { Loaded } from "../lib/Load.ts"

interface Some {
  readonly items: ReadonlyArray<unknown>
}

/** What is known of a list, to decide whether its filters are of use. */
export interface ListState {
  /** Number of listed objects; undefined before the first answer. */
  readonly listed: number | undefined
  /** Whether a new answer is under way. */
  readonly loading: boolean
  /** Whether the reader has set a filter, or is on a later page. */
  readonly filtered: boolean
  /** Whether the filters were shown before. */
  readonly before: boolean
  /** Whether the filters that are set from the start hide something. */
  readonly hides: boolean
}

/**
 * Whether the filters above a list are shown: something is there to filter, or a filter is set. They stay while an
 * answer is under way, so that a field that was just emptied keeps the focus. Pure.
 */
export const isFilterable = ({ before, filtered, hides, listed, loading }: ListState): boolean =>
  filtered || hides || (listed ?? 0) > 0 || (before && loading)

/**
 * Whether the filters above this list are shown. `filtered`: the reader has set a filter, or is on a later page.
 * `hidden`: asks for what the filters that are set from the start hide; for lists that have such filters.
 */
export const useFilterable = (
  { loading, value }: Loaded<Some>,
  filtered: boolean,
  hidden?: () => Promise<Some>
): boolean => {
  const before = useSignal(false)
  const hides = useSignal(false)
  const listed = value.value?.items.length
  const asks = hidden !== undefined && listed === 0 && !filtered
  useEffect(() => {
    if (!asks) return
    hidden().then(
      ({ items }) => (hides.value = items.length > 0),
      // The list itself shows why nothing can be loaded.
      () => undefined
    )
  }, [asks])
  const shown = isFilterable({
    listed,
    loading: loading.value,
    filtered,
    before: before.value,
    hides: asks && hides.value
  })
  useEffect(() => void (before.value = shown), [shown])
  return shown
}
