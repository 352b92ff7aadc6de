import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import "./dialog.css"

/** Modal dialog. The focus stays inside, Escape closes it, and then the focus returns to its previous element. */
export const Dialog = ({
  children,
  close,
  title
}: {
  readonly title: string
  readonly close: () => void
  readonly children: ComponentChildren
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before the next key press, which belongs to the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog ref={dialog} class="dialog" aria-label={title} onClose={close}>
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}
