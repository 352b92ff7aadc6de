import { useSignal } from "@preact/signals"
import { words } from "../../lib/Language.ts"

const t = words({
  en: {
    show: (what: string) => `Show ${what}`,
    hide: (what: string) => `Hide ${what}`,
    copy: (what: string) => `Copy ${what}`,
    copied: "Copied.",
    failed: "This browser does not let us copy."
  },
  de: {
    show: (what: string) => `${what} zeigen`,
    hide: (what: string) => `${what} verbergen`,
    copy: (what: string) => `${what} kopieren`,
    copied: "Kopiert.",
    failed: "Dieser Browser erlaubt das Kopieren nicht."
  }
})

/**
 * A secret that is hidden until the user reveals it; it can be copied without revealing it. `what`: its name, as in
 * "Show password".
 */
export const Revealed = ({ secret, what }: { readonly secret: string; readonly what: string }) => {
  const shown = useSignal(false)
  const said = useSignal<"copied" | "failed" | undefined>(undefined)
  const copy = () =>
    void navigator.clipboard.writeText(secret).then(
      () => (said.value = "copied"),
      () => (said.value = "failed")
    )
  return (
    <span class="secret">
      <code>{shown.value ? secret : "••••••••••••"}</code>
      <button type="button" class="small" onClick={() => (shown.value = !shown.value)}>
        {shown.value ? t().hide(what) : t().show(what)}
      </button>
      <button type="button" class="small" onClick={copy}>
        {t().copy(what)}
      </button>
      <small role="status">{said.value === undefined ? "" : t()[said.value]}</small>
    </span>
  )
}
