import { useSignal } from "@preact/signals"
import { words } from "../lib/Language.ts"

const t = words({
  en: { copy: "Copy", copied: "Copied.", failed: "This browser does not allow copying." },
  de: { copy: "Kopieren", copied: "Kopiert.", failed: "Dieser Browser erlaubt das Kopieren nicht." }
})

/** Button that copies a text, and says whether that worked. `label`: its name for screen readers. */
export const CopyButton = ({ label, text }: { readonly text: string; readonly label: string }) => {
  const outcome = useSignal<"copied" | "failed" | undefined>(undefined)
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => (outcome.value = "copied"),
      () => (outcome.value = "failed")
    )
  return (
    <>
      <button type="button" aria-label={label} onClick={copy}>
        {t().copy}
      </button>
      <small role="status">{outcome.value === undefined ? "" : t()[outcome.value]}</small>
    </>
  )
}
