import { words } from "../lib/Language.ts"
import { isProvider, type Permission } from "../lib/Me.ts"
import { Page } from "../parts/Page.tsx"

const t = words({
  en: {
    title: "Not for you",
    provider: "This page is about the whole installation. Only users of the provider may see it.",
    permission: (names: string) => `This page needs the permission ${names}. An admin of the provider can grant it.`,
    or: " or ",
    back: "To the overview"
  },
  de: {
    title: "Nicht für Sie",
    provider: "Diese Seite betrifft die ganze Installation. Nur Benutzer des Betreibers dürfen sie sehen.",
    permission: (names: string) =>
      `Für diese Seite ist die Berechtigung ${names} nötig. Ein Admin des Betreibers kann sie erteilen.`,
    or: " oder ",
    back: "Zum Überblick"
  }
})

/** Shown instead of a page of the provider that the user may not open: the reason. */
export const NotAllowed = ({ needs }: { readonly needs: ReadonlyArray<Permission> }) => (
  <Page title={t().title}>
    <p>{isProvider() ? t().permission(needs.join(t().or)) : t().provider}</p>
    <p>
      <a href="/console/">{t().back}</a>
    </p>
  </Page>
)
