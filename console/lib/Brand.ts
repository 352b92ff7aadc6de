/** Name, logo and colour of the installation. */
import { signal } from "@preact/signals"
import { call } from "./Call.ts"
import type { Answer } from "./Endpoints.ts"

/** Our own, until the server has answered. */
export const brand = signal<Answer<"GET /api/v1/branding">>({ name: "Signalbox", logo: null, colour: null })

/** Reads the name, logo and colour from the server once. Without an answer the default ones stay. */
export const beginBrand = (): void => {
  call("GET /api/v1/branding").then(
    (answer) => {
      brand.value = answer
      if (answer.colour !== null) document.documentElement.style.setProperty("--brand", answer.colour)
      document.title = document.title.replace(/Signalbox$/, answer.name)
    },
    () => {}
  )
}
