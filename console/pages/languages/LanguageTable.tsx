import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { number, percent } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { NameDialog } from "../../parts/NameDialog.tsx"
import { RowMenu } from "../../parts/RowMenu.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { Refused, told } from "./Refusals.ts"
import { type Counts, kept } from "./Shapes.ts"

const t = words({
  en: {
    title: "Texts by language",
    language: "Language",
    translated: "Translated",
    automatic: "Automatic",
    manual: "Written",
    stale: "Stale",
    rename: "Rename",
    renameThis: (label: string) => `Rename ${label}`,
    label: "Name in this language",
    forget: "Forget automatic texts",
    forgetIn: (label: string) => `Forget automatic texts: ${label}`,
    sureForget: (label: string) => `Readers get English texts in place of the automatic ones in ${label}.`,
    remove: "Remove",
    removeThis: (label: string) => `Remove ${label}`,
    sureRemove: (label: string) => `${label} is then offered to nobody. What people wrote is kept.`
  },
  de: {
    title: "Texte je Sprache",
    language: "Sprache",
    translated: "Übersetzt",
    automatic: "Automatisch",
    manual: "Geschrieben",
    stale: "Veraltet",
    rename: "Umbenennen",
    renameThis: (label: string) => `${label} umbenennen`,
    label: "Name in dieser Sprache",
    forget: "Automatische Texte vergessen",
    forgetIn: (label: string) => `Automatische Texte vergessen: ${label}`,
    sureForget: (label: string) => `Statt der automatischen Texte in ${label} erscheinen englische.`,
    remove: "Entfernen",
    removeThis: (label: string) => `${label} entfernen`,
    sureRemove: (label: string) => `${label} wird dann niemandem mehr angeboten. Geschriebenes bleibt erhalten.`
  }
})

/** An action that is asked about. */
interface Asked {
  readonly title: string
  readonly loses: string
  readonly action: string
  readonly work: () => Promise<unknown>
}

/** Longest name of a language. Unit: characters. Source: localization. */
const longestLabel = 60

const share = ({ total, translated }: Counts): number => (total === 0 ? 1 : translated / total)

/** The languages with the shares of their translated texts. */
export const LanguageTable = ({ changed, turn }: { readonly turn: number; readonly changed: () => void }) => {
  const list = useLoad(() => call("GET /api/v1/i18n/admin/statistics"), [turn], { live: ["localization.*"] })
  const doing = useDoing()
  const asked = useSignal<Asked | undefined>(undefined)
  const renaming = useSignal<Counts | undefined>(undefined)
  return (
    <section class="card" aria-labelledby="language-table">
      <h2 id="language-table">{t().title}</h2>
      <Refused problem={doing.problem.value} />
      {asked.value === undefined ? null : (
        <ConfirmDialog
          title={asked.value.title}
          action={asked.value.action}
          work={async () => {
            if (await doing.run(asked.value!.work)) changed()
          }}
          close={() => (asked.value = undefined)}
        >
          <p>{asked.value.loses}</p>
        </ConfirmDialog>
      )}
      {renaming.value === undefined ? null : (
        <NameDialog
          title={t().renameThis(renaming.value.label)}
          label={t().label}
          longest={longestLabel}
          value={renaming.value.label}
          told={told}
          close={() => (renaming.value = undefined)}
          save={async (label) => {
            await call("PUT /api/v1/i18n/admin/languages/:locale", {
              params: { locale: renaming.value!.code },
              payload: { label }
            })
            list.reload()
            changed()
          }}
        />
      )}
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
                      <RowMenu
                        of={row.label}
                        actions={[
                          { text: t().rename, act: () => (renaming.value = row) },
                          ...(row.auto === 0
                            ? []
                            : [
                                {
                                  text: t().forget,
                                  act: () =>
                                    (asked.value = {
                                      title: t().forgetIn(row.label),
                                      loses: t().sureForget(row.label),
                                      action: t().forget,
                                      work: () =>
                                        call("POST /api/v1/i18n/admin/languages/:locale/forget", {
                                          params: { locale: row.code }
                                        })
                                    })
                                }
                              ]),
                          ...(kept.has(row.code)
                            ? []
                            : [
                                {
                                  text: t().remove,
                                  danger: true,
                                  act: () =>
                                    (asked.value = {
                                      title: t().removeThis(row.label),
                                      loses: t().sureRemove(row.label),
                                      action: t().remove,
                                      work: () =>
                                        call("DELETE /api/v1/i18n/admin/languages/:locale", {
                                          params: { locale: row.code }
                                        })
                                    })
                                }
                              ])
                        ]}
                      />
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
