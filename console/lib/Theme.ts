/** Colour theme: light, dark, or the system's. The style sheet applies it (`color-scheme`, `light-dark()`). */
import { effect, signal } from "@preact/signals"

export const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]

const key = "signalbox.theme"

export const theme = signal<Theme>(themes.find((one) => one === localStorage.getItem(key)) ?? "system")

export const choose = (chosen: Theme): void => {
  localStorage.setItem(key, chosen)
  theme.value = chosen
}

effect(() => {
  document.documentElement.dataset["theme"] = theme.value
})
