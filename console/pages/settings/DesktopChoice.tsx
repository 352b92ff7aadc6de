import { askPermission, permission } from "../../lib/Desktop.ts"
import { words } from "../../lib/Language.ts"

const t = words({
  en: {
    ask: "Show notifications on this desktop",
    why: "This browser can show them while the console is open in the background.",
    granted: "This browser shows notifications on the desktop.",
    denied: "This browser was told not to show notifications. Allow them in its settings for this site.",
    none: "This browser has no desktop notifications."
  },
  de: {
    ask: "Mitteilungen auf dem Desktop zeigen",
    why: "Dieser Browser kann sie zeigen, während die Konsole im Hintergrund offen ist.",
    granted: "Dieser Browser zeigt Mitteilungen auf dem Desktop.",
    denied: "Diesem Browser wurden Mitteilungen verboten. Erlauben Sie sie in seinen Einstellungen für diese Seite.",
    none: "Dieser Browser kennt keine Desktop-Mitteilungen."
  }
})

/** Choice of desktop notifications for this browser; `brief`: shown only while undecided. */
export const DesktopChoice = ({ brief = false }: { readonly brief?: boolean }) => {
  if (permission.value === "default") {
    return (
      <p class="hint">
        <button type="button" onClick={() => void askPermission()}>
          {t().ask}
        </button>{" "}
        <span>{t().why}</span>
      </p>
    )
  }
  return brief ? null : <p class="hint">{t()[permission.value]}</p>
}
