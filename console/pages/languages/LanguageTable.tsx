import { call } from "../../lib/Call.ts"
import { number, percent } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { useDeed } from "../settings/useDeed.ts"
import { Refused } from "./Refused.tsx"
import { type Counts, kept } from "./Shapes.ts"

const t = words({
  en: {
    title: "Texts by language",
    language: "Language",
    translated: "Translated",
    automatic: "Automatic",
    manual: "Written",
    stale: "Stale",
    forget: "Forget automatic texts",
    forgetIn: (label: string) => `Forget automatic texts: ${label}`,
    sureForget: (label: string) => `Readers get English texts in place of the automatic ones in ${label}. Forget them?`,
    remove: "Remove",
    removeThis: (label: string) => `Remove ${label}`,
    sureRemove: (label: string) => `${label} is then offered to nobody. What people wrote is kept. Remove it?`
  },
  de: {
    title: "Texte je Sprache",
    language: "Sprache",
    translated: "Übersetzt",
    automatic: "Automatisch",
    manual: "Geschrieben",
    stale: "Veraltet",
    forget: "Automatische Texte vergessen",
    forgetIn: (label: string) => `Automatische Texte vergessen: ${label}`,
    sureForget: (label: string) => `Statt der automatischen Texte in ${label} erscheinen englische. Vergessen?`,
    remove: "Entfernen",
    removeThis: (label: string) => `${label} entfernen`,
    sureRemove: (label: string) =>
      `${label} wird dann niemandem mehr angeboten. Geschriebenes bleibt erhalten. Entfernen?`
  }
})

const share = ({ total, translated }: Counts): number => (total === 0 ? 1 : translated / total)

/** The languages with the shares of their translated texts. */
export const LanguageTable = ({ changed, turn }: { readonly turn: number; readonly changed: () => void }) => {
  const list = useLoad(() => call("GET /api/v1/i18n/admin/statistics"), [turn], { live: ["localization.*"] })
  const deed = useDeed()
  const act = async (question: string, work: () => Promise<unknown>) => {
    if (confirm(question) && (await deed.run(work))) changed()
  }
  return (
    <section class="card" aria-labelledby="language-table">
      <h2 id="language-table">{t().title}</h2>
      <Refused of={deed} />
      <Loading of={list}>
        {({ languages }) => (
          <div class="scroll" tabIndex={0} role="region" aria-labelledby="language-table">
            <table>
              <thead>
                <tr>
                  <th scope="col">{t().language}</th>
                  <th scope="col">{t().translated}</th>
                  <th scope="col" class="number">
                    {t().automatic}
                  </th>
                  <th scope="col" class="number">
                    {t().manual}
                  </th>
                  <th scope="col" class="number">
                    {t().stale}
                  </th>
                  <td />
                </tr>
              </thead>
              <tbody>
                {languages.map((row) => (
                  <tr key={row.code}>
                    <th scope="row">
                      <a href={`/console/languages/${row.code}`}>
                        <span lang={row.code}>{row.label}</span>
                      </a>{" "}
                      <code>{row.code}</code>
                    </th>
                    <td>
                      <progress
                        class="share"
                        max={1}
                        value={share(row)}
                        aria-label={`${t().translated}: ${row.label}`}
                      />{" "}
                      {percent(share(row))}
                    </td>
                    <td class="number">{number(row.auto)}</td>
                    <td class="number">{number(row.manual)}</td>
                    <td class="number">{number(row.stale)}</td>
                    <td class="number">
                      {row.auto === 0 ? null : (
                        <button
                          type="button"
                          class="small"
                          disabled={deed.busy.value}
                          aria-label={t().forgetIn(row.label)}
                          onClick={() =>
                            void act(t().sureForget(row.label), () =>
                              call("POST /api/v1/i18n/admin/languages/:locale/forget", { params: { locale: row.code } })
                            )
                          }
                        >
                          {t().forget}
                        </button>
                      )}{" "}
                      {kept.has(row.code) ? null : (
                        <button
                          type="button"
                          class="small danger"
                          disabled={deed.busy.value}
                          aria-label={t().removeThis(row.label)}
                          onClick={() =>
                            void act(t().sureRemove(row.label), () =>
                              call("DELETE /api/v1/i18n/admin/languages/:locale", { params: { locale: row.code } })
                            )
                          }
                        >
                          {t().remove}
                        </button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loading>
    </section>
  )
}
