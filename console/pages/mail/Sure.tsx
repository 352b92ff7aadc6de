import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"

/**
 * How long it stands asking. Unit: milliseconds. Reason: long enough to read, short enough that nobody comes back to it
 * unawares.
 */
const asking = 6_000

/** A button for what cannot be undone: it asks by its own words, and the second press does it. */
export const Sure = ({
  children,
  disabled = false,
  onSure,
  sure
}: {
  readonly children: ComponentChildren
  readonly sure: string
  readonly onSure: () => void
  readonly disabled?: boolean
}) => {
  const asks = useSignal(false)
  useEffect(() => {
    if (!asks.value) return
    const timer = setTimeout(() => (asks.value = false), asking)
    return () => clearTimeout(timer)
  }, [asks.value])
  return (
    <button
      type="button"
      class={asks.value ? "danger" : ""}
      disabled={disabled}
      onBlur={() => (asks.value = false)}
      onClick={() => {
        if (asks.value) onSure()
        asks.value = !asks.value
      }}
    >
      <span aria-live="polite">{asks.value ? sure : children}</span>
    </button>
  )
}
