import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"
import { words } from "../../lib/Language.ts"
import { SureDialog } from "../../parts/SureDialog.tsx"

/** Text of questions about actions that lose nothing in particular. */
export const usual = words({
  en: { usual: "This takes effect at once and cannot be taken back here." },
  de: { usual: "Das gilt sofort und lässt sich hier nicht zurücknehmen." }
})

/**
 * The part of a text after its question, which says what the action does: "Its invoices are open again." of
 * "Really? Its invoices are open again." Pure.
 */
export const consequence = (sure: string): string | undefined => /\?\s+(\S.*)$/s.exec(sure)?.[1]

/**
 * Button for an action that cannot be undone. It opens a dialog that says what will be lost, and whose second button
 * runs the action. `sure`: text of that button.
 */
export const Sure = ({
  children,
  disabled = false,
  loses,
  onSure,
  sure
}: {
  readonly children: ComponentChildren
  readonly sure: string
  /** What will be lost. Default: the sentences of `sure` after its question. */
  readonly loses?: string
  readonly onSure: () => void
  readonly disabled?: boolean
}) => {
  const button = useRef<HTMLButtonElement>(null)
  /** Text of the button, which names the object too, once it was pressed. */
  const title = useSignal<string | undefined>(undefined)
  const close = () => (title.value = undefined)
  return (
    <>
      <button
        ref={button}
        type="button"
        disabled={disabled}
        aria-haspopup="dialog"
        onClick={() => (title.value = button.current?.textContent.trim() ?? "")}
      >
        {children}
      </button>
      {title.value === undefined ? null : (
        <SureDialog
          title={title.value}
          loses={loses ?? consequence(sure) ?? usual().usual}
          sure={sure}
          onSure={onSure}
          close={close}
        />
      )}
    </>
  )
}
