import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import * as Texts from "../../lib/Texts.ts"
import { FilterSelect } from "../../parts/FilterSelect.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { Files } from "./Files.tsx"
import type { TextState } from "./Shapes.ts"
import { stateWord } from "./StateBadge.tsx"
import { TextRow } from "./TextRow.tsx"
import "./languages.css"

const t = words({
  en: {
    title: (language: string) => `Texts: ${language}`,
    back: "All languages",
    search: "Search",
    state: "State",
    texts: "Texts",
    none: "No text matches."
  },
  de: {
    title: (language: string) => `Texte: ${language}`,
    back: "Alle Sprachen",
    search: "Suche",
    state: "Zustand",
    texts: "Texte",
    none: "Kein Text passt."
  }
})

/** Number of texts on one page. Reason: each text has an input field, so long pages are slow. */
const pageSize = 25

const states = ["stale", "missing", "automatic", "manual"] as const satisfies ReadonlyArray<TextState>

/** Delay from the last key press to the search. Unit: milliseconds. */
const pause = 250

/** The texts of one language beside the English ones. */
export default ({ locale }: { readonly locale: string }) => {
  const search = useSignal("")
  const state = useSignal<string>("")
  const turn = useSignal(0)
  const trail = useTrail([locale, search.value, state.value])
  const after = trail.value.at(-1)
  const list = useLoad(
    () =>
      call("GET /api/v1/i18n/admin/translations/:locale", {
        params: { locale },
        query: {
          limit: pageSize,
          ...(search.value === "" ? {} : { q: search.value }),
          ...(state.value === "" ? {} : { state: state.value as TextState }),
          ...(after === undefined ? {} : { after })
        }
      }),
    [locale, search.value, state.value, after, turn.value]
  )
  const labels = useLoad(() => call("GET /api/v1/i18n/languages"))
  const saved = () => {
    list.reload()
    void Texts.reload()
  }
  const waiting = useSignal<ReturnType<typeof setTimeout> | undefined>(undefined)
  const type = (text: string) => {
    clearTimeout(waiting.peek())
    waiting.value = setTimeout(() => (search.value = text.trim()), pause)
  }
  const label = labels.value.value?.find(({ code }) => code === locale)?.label
  return (
    <Page title={label === undefined ? t().texts : t().title(label)}>
      <p>
        <a href="/console/languages">{t().back}</a>
      </p>
      <div class="filters" role="search">
        <label>
          {t().search}
          <input type="search" name="q" maxLength={200} onInput={({ currentTarget }) => type(currentTarget.value)} />
        </label>
        <FilterSelect
          label={t().state}
          name="state"
          options={states.map((one) => [one, stateWord(one)] as const)}
          value={state.value}
          set={(value) => (state.value = value)}
        />
      </div>
      <section class="card" aria-label={t().texts}>
        <Loading of={list}>
          {({ items, next_after }) =>
            items.length === 0 ? (
              <p class="empty">{t().none}</p>
            ) : (
              <>
                <ul class="rows texts">
                  {items.map((text) => (
                    <TextRow key={`${locale} ${text.key}`} locale={locale} text={text} saved={saved} />
                  ))}
                </ul>
                <Pager next={next_after} trail={trail} />
              </>
            )
          }
        </Loading>
      </section>
      <Files locale={locale} imported={() => void turn.value++} />
    </Page>
  )
}
