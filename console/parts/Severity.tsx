import { words } from "../lib/Language.ts"
import { Badge } from "./Badge.tsx"

const t = words({
  en: { info: "Info", success: "Success", warning: "Warning", error: "Error" },
  de: { info: "Info", success: "Erfolg", warning: "Warnung", error: "Fehler" }
})

/** Badge for a severity of the interface document: info blue, success green, warning yellow, error red. */
export const Severity = ({ of }: { readonly of: "info" | "success" | "warning" | "error" }) => (
  <Badge tone={of}>{t()[of]}</Badge>
)
