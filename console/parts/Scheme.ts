/**
 * Whether the page is light or dark just now: as chosen, else as the system has it. For what is drawn and not styled.
 */
import { signal } from "@preact/signals"
import { theme } from "../lib/Theme.ts"

const asked = matchMedia("(prefers-color-scheme: dark)")
const system = signal(asked.matches)
asked.addEventListener("change", ({ matches }) => (system.value = matches))

/** Read while rendering, it follows. */
export const useScheme = (): "light" | "dark" =>
  theme.value === "system" ? (system.value ? "dark" : "light") : theme.value
