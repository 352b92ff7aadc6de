import { useSignal } from "@preact/signals"
import { useId, useRef } from "preact/hooks"
import { words } from "../lib/Language.ts"
import { Icon } from "./Icon.tsx"
import { SureDialog } from "./SureDialog.tsx"
import "./row-menu.css"

const t = words({
  en: { actions: (of: string) => `Actions: ${of}` },
  de: { actions: (of: string) => `Aktionen: ${of}` }
})

export interface RowAction {
  readonly text: string
  /** A page to open, or what the action does. */
  readonly act: string | (() => void)
  /** Whether it deletes something. */
  readonly danger?: boolean
  readonly disabled?: boolean
  /** Question before the action: what will be lost, and the text of the button that runs the action. */
  readonly asks?: { readonly loses: string; readonly sure: string }
}

/** Space between the menu and the edge of the window. Unit: pixels. */
const edge = 8

/** Actions of a row in a menu. Arrow keys move, Escape closes. An action can ask first. Nothing when there are none. */
export const RowMenu = ({ actions, of }: { readonly of: string; readonly actions: ReadonlyArray<RowAction> }) => {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  /** Index of the action whose question is open. */
  const asked = useSignal(-1)
  if (actions.length === 0) return null
  const question = actions[asked.value]
  const place = () => {
    const [own, opener] = [menu.current!, button.current!.getBoundingClientRect()]
    const left = Math.max(edge, Math.min(opener.right - own.offsetWidth, innerWidth - own.offsetWidth - edge))
    const below = opener.bottom + own.offsetHeight + edge <= innerHeight
    own.style.left = `${left}px`
    own.style.top = `${below ? opener.bottom : Math.max(edge, opener.top - own.offsetHeight)}px`
  }
  const items = () => [...menu.current!.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)")]
  const move = (event: KeyboardEvent) => {
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next =
      event.key === "ArrowDown"
        ? (at + 1) % all.length
        : event.key === "ArrowUp"
          ? (at + all.length - 1) % all.length
          : event.key === "Home"
            ? 0
            : event.key === "End"
              ? all.length - 1
              : undefined
    if (next === undefined) return
    event.preventDefault()
    all[next]?.focus()
  }
  const shut = () => menu.current?.hidePopover()
  return (
    <>
      <button
        ref={button}
        type="button"
        class="plain small row-menu"
        aria-haspopup="menu"
        aria-label={t().actions(of)}
        title={t().actions(of)}
        popovertarget={id}
      >
        <Icon name="more" />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        class="row-menu-list"
        aria-label={t().actions(of)}
        onKeyDown={move}
        onToggle={({ newState }) => {
          if (newState !== "open") return
          place()
          items()[0]?.focus()
        }}
      >
        {actions.map(({ act, asks, danger = false, disabled = false, text }, index) =>
          typeof act === "string" ? (
            <a key={text} role="menuitem" href={act} onClick={shut}>
              {text}
            </a>
          ) : (
            <button
              key={text}
              type="button"
              role="menuitem"
              class={danger ? "danger" : ""}
              disabled={disabled}
              onClick={() => {
                shut()
                if (asks === undefined) act()
                else asked.value = index
              }}
            >
              {text}
            </button>
          )
        )}
      </div>
      {question?.asks === undefined || typeof question.act === "string" ? null : (
        <SureDialog
          title={`${question.text}: ${of}`}
          loses={question.asks.loses}
          sure={question.asks.sure}
          onSure={question.act}
          close={() => (asked.value = -1)}
        />
      )}
    </>
  )
}
