/**
 * Whether the page is light or dark at the moment: the user's choice, else the system's. For canvas drawings, which
 * style sheets do not reach.
 */
import { signal } from "@preact/signals"
import { theme } from "../lib/Theme.ts"

const asked = matchMedia("(prefers-color-scheme: dark)")
const system = signal(asked.matches)
asked.addEventListener("change", ({ matches }) => (system.value = matches))

/** Read while rendering, so that it follows changes. */
export const useScheme = (): "light" | "dark" =>
  theme.value === "system" ? (system.value ? "dark" : "light") : theme.value
