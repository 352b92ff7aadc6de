import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { duration, number } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { useNow } from "../../../parts/Now.ts"
import { When } from "../../../parts/When.tsx"
import { wordHref } from "../Shapes.ts"
import { WakeWordPage } from "../WakeWordPage.tsx"
import { AddRecordings } from "./AddRecordings.tsx"

const t = words({
  en: {
    title: "Recordings by word",
    none: "There are no recordings yet.",
    noneHint: "A training works without them. With the voices of the people who use the word it hears them better.",
    word: "Word",
    count: "Recordings",
    speakers: "Speakers",
    length: "Length",
    newest: "Newest",
    first: "First page",
    more: "Next page"
  },
  de: {
    title: "Aufnahmen nach Wörtern",
    none: "Es gibt noch keine Aufnahmen.",
    noneHint: "Ein Training geht ohne sie. Mit den Stimmen derer, die das Wort gebrauchen, hört es sie besser.",
    word: "Wort",
    count: "Aufnahmen",
    speakers: "Sprecher",
    length: "Länge",
    newest: "Neueste",
    first: "Erste Seite",
    more: "Nächste Seite"
  }
})

/** Words of a page. */
const pageSize = 20

/** Recordings grouped by word, and a form for new ones. */
export default () => {
  const after = useSignal<string | undefined>(undefined)
  const list = useLoad(
    () => call("GET /api/v1/wakeword/samples", { query: { limit: pageSize, after: after.value } }),
    [after.value]
  )
  const now = useNow(60_000)
  return (
    <WakeWordPage section="recordings">
      {may("wakeword.manage") ? <AddRecordings added={list.reload} /> : null}
      <section class="card" aria-labelledby="words">
        <h2 id="words">{t().title}</h2>
        <Loading of={list}>
          {({ items, next_after }) =>
            items.length === 0 && after.value === undefined ? (
              <div class="empty">
                <p>{t().none}</p>
                <p>{t().noneHint}</p>
              </div>
            ) : (
              <>
                <div class="scroll" role="region" aria-labelledby="words" tabIndex={0}>
                  <table class="wake-table">
                    <thead>
                      <tr>
                        <th scope="col">{t().word}</th>
                        <th scope="col" class="number">
                          {t().count}
                        </th>
                        <th scope="col" class="number">
                          {t().speakers}
                        </th>
                        <th scope="col" class="number">
                          {t().length}
                        </th>
                        <th scope="col">{t().newest}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {items.map(({ count, duration_ms, newest_at, speakers, word }) => (
                        <tr key={word}>
                          <th scope="row">
                            <a href={wordHref(word)}>{word}</a>
                          </th>
                          <td class="number">{number(count)}</td>
                          <td class="number">{number(speakers)}</td>
                          <td class="number">{duration(duration_ms)}</td>
                          <td>
                            <When at={newest_at} now={now} />
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
                {next_after === null && after.value === undefined ? null : (
                  <div class="pager">
                    <button
                      type="button"
                      disabled={after.value === undefined}
                      onClick={() => (after.value = undefined)}
                    >
                      {t().first}
                    </button>
                    <button
                      type="button"
                      disabled={next_after === null}
                      onClick={() => (after.value = next_after ?? undefined)}
                    >
                      {t().more}
                    </button>
                  </div>
                )}
              </>
            )
          }
        </Loading>
      </section>
    </WakeWordPage>
  )
}
