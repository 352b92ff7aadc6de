import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"

/**
 * How long the button waits for the confirmation. Unit: milliseconds. Reason: long enough to read, but too short to be
 * forgotten and clicked by accident.
 */
const asking = 6_000

/**
 * Button for an action that cannot be undone. The first click asks for confirmation, the second one runs the action.
 */
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
