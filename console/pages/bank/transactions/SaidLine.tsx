import { words } from "../../../lib/Language.ts"
import type { Said } from "./Desk.ts"

const t = words({
  en: {
    matched: (invoices: string) => `Matched with ${invoices}.`,
    partial: (invoices: string) => `Matched with ${invoices}; a part is still open.`,
    ignored: "Ignored.",
    undone: "Undone.",
    loading: "The suggestions are still loading.",
    nothing: "That is not possible here.",
    undo: "Undo"
  },
  de: {
    matched: (invoices: string) => `Zugeordnet zu ${invoices}.`,
    partial: (invoices: string) => `Zugeordnet zu ${invoices}; ein Teil ist noch offen.`,
    ignored: "Ignoriert.",
    undone: "Rückgängig gemacht.",
    loading: "Die Vorschläge laden noch.",
    nothing: "Das geht hier nicht.",
    undo: "Rückgängig"
  }
})

const text = (said: Said): string =>
  said.what === "matched" ? (said.partial ? t().partial : t().matched)(said.invoices.join(", ")) : t()[said.what]

/** What was done last, announced to screen readers, with a button to undo it. */
export const SaidLine = ({
  said,
  undo
}: {
  readonly said: Said | undefined
  readonly undo: (() => void) | undefined
}) => (
  <div class="desk-said">
    <span role="status" class={said?.what === "loading" || said?.what === "nothing" ? "soft" : "done"}>
      {said === undefined ? "" : text(said)}
    </span>
    {undo !== undefined && (said?.what === "matched" || said?.what === "ignored") ? (
      <button type="button" class="small" onClick={undo}>
        {t().undo}
      </button>
    ) : null}
  </div>
)
