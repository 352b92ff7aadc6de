import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { words } from "../lib/Language.ts"
import { undo, undoState } from "../lib/Undo.ts"
import { Icon } from "../parts/Icon.tsx"
import { KeyList } from "./KeyList.tsx"
import { Palette } from "./Palette.tsx"
import { isField, type Shortcut, shortcutOf } from "./Shortcuts.ts"

const t = words({
  en: { search: "Go to or find …", key: "Ctrl K" },
  de: { search: "Öffnen oder finden …", key: "Strg K" }
})

/** Button of the command palette, and the keys that open the palette and the list of keys, or undo. */
export const Finding = () => {
  const open = useSignal<Exclude<Shortcut, "undo"> | undefined>(undefined)
  useEffect(() => {
    const heard = (event: KeyboardEvent): void => {
      if (document.querySelector("dialog[open]") !== null) return
      const shortcut = shortcutOf(event, isField(event.target))
      if (shortcut === undefined) return
      if (shortcut === "undo") {
        if (undoState.peek().is !== "offered") return
        event.preventDefault()
        return void undo()
      }
      event.preventDefault()
      open.value = shortcut
    }
    // Events reach the window after the document, where pages listen for keys of their own.
    window.addEventListener("keydown", heard)
    return () => window.removeEventListener("keydown", heard)
  }, [])
  const close = () => (open.value = undefined)
  return (
    <>
      <button type="button" class="find" aria-keyshortcuts="Control+K /" onClick={() => (open.value = "search")}>
        <Icon name="search" />
        <span>{t().search}</span>
        <kbd aria-hidden="true">{t().key}</kbd>
      </button>
      {open.value === "search" ? <Palette close={close} /> : null}
      {open.value === "help" ? <KeyList close={close} /> : null}
    </>
  )
}
