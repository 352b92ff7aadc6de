import { useLocation, useRoute } from "preact-iso"
import { useEffect } from "preact/hooks"
import { address, call, request } from "../../../lib/Call.ts"
import { duration } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { useNow } from "../../../parts/Now.ts"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { RowTable } from "../../../parts/RowTable.tsx"
import { When } from "../../../parts/When.tsx"
import { problemFrom, useDoing } from "../../../lib/Doing.ts"
import { Sure } from "../../mail/Sure.tsx"
import { Refused } from "../Refusals.ts"
import type { Sample } from "../Shapes.ts"
import { sectionHref, WakeWordPage } from "../WakeWordPage.tsx"
import { AddRecordings } from "./AddRecordings.tsx"
import { PlayButton } from "./PlayButton.tsx"
import { stopPlaying } from "./Player.ts"

const t = words({
  en: {
    title: "Recordings",
    name: "Recording",
    speaker: "Speaker",
    unknown: "unknown",
    length: "Length",
    added: "Added",
    remove: "Delete",
    sure: "Really delete?",
    removeAll: "Delete all of this word",
    sureAll: "Really delete all? This cannot be undone."
  },
  de: {
    title: "Aufnahmen",
    name: "Aufnahme",
    speaker: "Sprecher",
    unknown: "unbekannt",
    length: "Länge",
    added: "Hinzugefügt",
    remove: "Löschen",
    sure: "Wirklich löschen?",
    removeAll: "Alle dieses Wortes löschen",
    sureAll: "Wirklich alle löschen? Das lässt sich nicht rückgängig machen."
  }
})

/** Recordings of a page. */
const pageSize = 50

/** Recordings of one word: plays, deletes and adds them. */
export default () => {
  const { word = "" } = useRoute().params
  const { route } = useLocation()
  const trail = useTrail([word])
  const before = trail.value.at(-1)
  const list = useLoad(
    () => call("GET /api/v1/wakeword/samples/:word", { params: { word }, query: { limit: pageSize, before } }),
    [word, before]
  )
  const doing = useDoing()
  const now = useNow(60_000)
  useEffect(() => stopPlaying, [])
  const leave = () => route(sectionHref("recordings"))
  const remove = ({ id }: Sample) =>
    void doing
      .run(() => call("DELETE /api/v1/wakeword/samples/:word/:id", { params: { word, id } }))
      .then((done) => {
        if (!done) return
        // A word exists only while it has recordings.
        if (list.value.peek()?.items.length === 1 && trail.peek().length === 0) leave()
        else list.reload()
      })
  const removeAll = () =>
    void doing
      .run(() => call("DELETE /api/v1/wakeword/samples/:word", { params: { word } }))
      .then((done) => done && leave())
  return (
    <WakeWordPage
      section="recordings"
      title={list.value.value === undefined ? t().title : word}
      actions={
        may("wakeword.manage") && list.value.value !== undefined ? (
          <Sure sure={t().sureAll} disabled={doing.busy.value} onSure={removeAll}>
            {t().removeAll}
          </Sure>
        ) : undefined
      }
    >
      {may("wakeword.manage") ? <AddRecordings word={word} added={list.reload} /> : null}
      <section class="card" aria-labelledby="recordings">
        <h2 id="recordings">{t().title}</h2>
        <Refused problem={doing.problem.value} />
        <Loading of={list}>
          {({ items, next_before }) => (
            <>
              <RowTable
                class="wake-table"
                labelledBy="recordings"
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { title: t().name, show: ({ name }) => name },
                  { title: t().speaker, show: ({ speaker }) => speaker ?? <span class="soft">{t().unknown}</span> },
                  { title: t().length, numeric: true, show: ({ duration_ms }) => duration(duration_ms) },
                  { title: t().added, show: ({ created_at }) => <When at={created_at} now={now} /> }
                ]}
                actions={(sample) => (
                  <div class="page-actions">
                    <PlayButton
                      id={String(sample.id)}
                      name={sample.name}
                      get={() => soundOf(sample)}
                      failed={(error) => (doing.problem.value = problemFrom(error))}
                    />
                    {may("wakeword.manage") ? (
                      <Sure sure={t().sure} disabled={doing.busy.value} onSure={() => remove(sample)}>
                        {t().remove}
                        <span class="sr">: {sample.name}</span>
                      </Sure>
                    ) : null}
                  </div>
                )}
              />
              <Pager trail={trail} next={next_before} />
            </>
          )}
        </Loading>
      </section>
    </WakeWordPage>
  )
}

const soundOf = async ({ id, word }: Sample): Promise<Blob> =>
  (await request(address("GET /api/v1/wakeword/samples/:word/:id/audio", { word, id }))).blob()
