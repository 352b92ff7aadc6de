import { words } from "../lib/Language.ts"

const t = words({ en: { waiting: "One moment …" }, de: { waiting: "Einen Moment …" } })

/** Shown while data is loading. */
export const Waiting = () => (
  <p class="waiting" role="status">
    {t().waiting}
  </p>
)
