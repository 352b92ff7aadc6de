import { call } from "../../lib/Call.ts"
import { number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { RebuildProblem } from "./RebuildProblem.tsx"
import { Refused } from "./Refusals.ts"
import type { Rebuild } from "./Shapes.ts"
import { At } from "../../parts/When.tsx"

const t = words({
  en: {
    title: "Automatic translation",
    intro: "Translates missing and stale texts by the translation server. What people wrote is not changed.",
    start: "Translate stale texts",
    cancel: "Cancel",
    none: "None yet.",
    progress: "Translated texts",
    all: "all languages",
    waiting: "waits",
    running: "runs",
    done: "done",
    failed: "failed",
    cancelled: "cancelled",
    counts: (translated: string, total: string) => `${translated} of ${total} texts translated`,
    stays: (count: string) => `${count} stay English, because the translation was not usable`,
    unsure: (count: string) => `${count} without an answer; the next translation takes them`
  },
  de: {
    title: "Automatische Übersetzung",
    intro: "Übersetzt fehlende und veraltete Texte mit dem Übersetzungsserver. Geschriebenes bleibt, wie es ist.",
    start: "Veraltete Texte übersetzen",
    cancel: "Abbrechen",
    none: "Noch keine.",
    progress: "Übersetzte Texte",
    all: "alle Sprachen",
    waiting: "wartet",
    running: "läuft",
    done: "fertig",
    failed: "fehlgeschlagen",
    cancelled: "abgebrochen",
    counts: (translated: string, total: string) => `${translated} von ${total} Texten übersetzt`,
    stays: (count: string) => `${count} bleiben englisch, weil die Übersetzung nicht brauchbar war`,
    unsure: (count: string) => `${count} ohne Antwort; die nächste Übersetzung nimmt sie mit`
  }
})

/** Number of rebuilds that the page lists, the newest first. */
const listed = 5

const isActive = ({ state }: Rebuild): boolean => state === "waiting" || state === "running"

/** Starts automatic translations and shows their progress live. */
export const Rebuilds = ({ turn }: { readonly turn: number }) => {
  const list = useLoad(() => call("GET /api/v1/i18n/admin/rebuilds", { query: { limit: listed } }), [turn], {
    live: ["localization.rebuild.progress"]
  })
  const doing = useDoing()
  const act = async (work: () => Promise<unknown>) => {
    await doing.run(work)
    list.reload()
  }
  const active = list.value.value?.items.find(isActive)
  return (
    <section class="card" aria-labelledby="rebuilds">
      <div class="card-head">
        <h2 id="rebuilds">{t().title}</h2>
        {active === undefined ? (
          <button
            type="button"
            class="small"
            disabled={doing.busy.value}
            onClick={() => void act(() => call("POST /api/v1/i18n/admin/rebuilds", { payload: {} }))}
          >
            {t().start}
          </button>
        ) : (
          <button
            type="button"
            class="small"
            disabled={doing.busy.value}
            onClick={() =>
              void act(() => call("POST /api/v1/i18n/admin/rebuilds/:id/cancel", { params: { id: active.id } }))
            }
          >
            {t().cancel}
          </button>
        )}
      </div>
      <p class="soft">{t().intro}</p>
      <Refused problem={doing.problem.value} />
      <Loading of={list}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="empty">{t().none}</p>
          ) : (
            <ul class="rows">
              {items.map((one) => (
                <li key={one.id}>
                  <p>
                    <strong>
                      <At at={one.created_at} />
                    </strong>
                    , {one.locale ?? t().all}: {t()[one.state]}
                  </p>
                  {isActive(one) ? (
                    <progress
                      class="share"
                      max={Math.max(one.total, 1)}
                      value={one.translated + one.kept + one.uncertain}
                      aria-label={t().progress}
                    />
                  ) : null}
                  <p>
                    {[
                      t().counts(number(one.translated), number(one.total)),
                      ...(one.kept === 0 ? [] : [t().stays(number(one.kept))]),
                      ...(one.uncertain === 0 ? [] : [t().unsure(number(one.uncertain))])
                    ].join("; ")}
                    .
                  </p>
                  <RebuildProblem of={one} />
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </section>
  )
}
