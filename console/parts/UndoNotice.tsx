import { useEffect, useRef } from "preact/hooks"
import { words } from "../lib/Language.ts"
import { tell, undo, undoState } from "../lib/Undo.ts"
import { Icon } from "./Icon.tsx"
import "./undo.css"

const t = words({
  en: {
    undo: "Undo",
    left: (seconds: number) => `${seconds} s`,
    close: "Close this notice",
    undone: (done: string) => `Undone. (${done})`,
    failed: (why: string) => `This could not be undone: ${why}`
  },
  de: {
    undo: "Rückgängig",
    left: (seconds: number) => `${seconds} s`,
    close: "Diesen Hinweis schließen",
    undone: (done: string) => `Rückgängig gemacht. (${done})`,
    failed: (why: string) => `Das ließ sich nicht rückgängig machen: ${why}`
  }
})

const second = 1_000

/**
 * Says on every page what was just done, with a button that takes it back for some seconds. The text is a live region;
 * the remaining seconds are not, so they are not spoken.
 */
export const UndoNotice = () => {
  const box = useRef<HTMLDivElement>(null)
  const state = undoState.value
  const isTimed = state.is === "offered" || state.is === "undone"
  useEffect(() => {
    if (!isTimed) return undefined
    const timer = setInterval(() => {
      const held = box.current?.matches(":hover, :focus-within") === true
      tell({ did: "second", held: held || document.visibilityState !== "visible" })
    }, second)
    return () => clearInterval(timer)
  }, [isTimed, state.is === "none" ? undefined : state.offer])
  const text =
    state.is === "none"
      ? ""
      : state.is === "undone"
        ? t().undone(state.offer.done())
        : state.is === "failed"
          ? t().failed(state.problem.message)
          : state.offer.done()
  return (
    <div ref={box} class={`undo-notice ${state.is}`} data-undo={state.is}>
      <p role="status">{text}</p>
      {state.is === "offered" ? (
        <button type="button" aria-keyshortcuts="Control+Z" onClick={() => void undo()}>
          {t().undo}
          <small aria-hidden="true"> {t().left(state.left)}</small>
        </button>
      ) : null}
      {state.is === "none" || state.is === "undoing" ? null : (
        <button
          type="button"
          class="plain"
          aria-label={t().close}
          title={t().close}
          onClick={() => tell({ did: "close" })}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  )
}
