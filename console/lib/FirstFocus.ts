/**
 * Moves the focus into a part of the page that has just appeared. It moves in the same step that adds the part to the
 * page. `useEffect` runs later, on a busy machine much later, and would take the focus from the field that somebody
 * already types in.
 */
import type { RefObject } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

/**
 * Ref of the element that gets the focus; with `field`, a CSS selector, the first such element inside it. `keys`:
 * values whose change moves the focus again.
 */
export const useFirstFocus = <E extends HTMLElement>(
  field?: string,
  keys: ReadonlyArray<unknown> = []
): RefObject<E | null> => {
  const ref = useRef<E>(null)
  useLayoutEffect(() => {
    const own = ref.current
    ;(field === undefined ? own : own?.querySelector<HTMLElement>(field))?.focus()
  }, keys)
  return ref
}
