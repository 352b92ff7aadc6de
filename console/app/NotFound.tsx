import { words } from "../lib/Language.ts"
import { Page } from "../parts/Page.tsx"

const t = words({
  en: { title: "Nothing here", text: "There is no such page, or it is not for you.", back: "To the overview" },
  de: {
    title: "Hier ist nichts",
    text: "Diese Seite gibt es nicht, oder sie ist nicht für Sie.",
    back: "Zum Überblick"
  }
})

export const NotFound = () => (
  <Page title={t().title}>
    <p>{t().text}</p>
    <p>
      <a href="/console/">{t().back}</a>
    </p>
  </Page>
)
