import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { MarkedText } from "./MarkedText.tsx"
import { At } from "../../parts/When.tsx"

const t = words({
  en: {
    none: "No change yet.",
    override: "written",
    imported: "imported",
    reverted: "change removed",
    shipped: "new version",
    automatic: "translated",
    forgotten: "forgotten",
    english: "the English text"
  },
  de: {
    none: "Noch keine Änderung.",
    override: "geschrieben",
    imported: "importiert",
    reverted: "Änderung zurückgenommen",
    shipped: "neue Version",
    automatic: "übersetzt",
    forgotten: "vergessen",
    english: "der englische Text"
  }
})

/** Maximum number of changes shown. */
const listed = 20

/** The changes of a text, newest first. */
export const History = ({
  locale,
  of: key,
  turn
}: {
  readonly locale: string
  readonly of: string
  readonly turn: string
}) => {
  const list = useLoad(
    () =>
      call("GET /api/v1/i18n/admin/translations/:locale/:key/history", {
        params: { locale, key },
        query: { limit: listed }
      }),
    [locale, key, turn]
  )
  return (
    <div class="inset">
      <Loading of={list}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="empty">{t().none}</p>
          ) : (
            <ul class="rows">
              {items.map((change) => (
                <li key={change.id}>
                  <At at={change.at} />, {t()[change.kind]} (<code>{change.actor}</code>):{" "}
                  {change.after === null ? t().english : <MarkedText of={change.after} lang={locale} />}
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </div>
  )
}
