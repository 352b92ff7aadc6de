import { useEffect } from "preact/hooks"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { on } from "../../../lib/Socket.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { useNow } from "../../../parts/Now.ts"
import { When } from "../../../parts/When.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Sure } from "../../mail/Sure.tsx"
import { said } from "../Said.ts"
import { Refused } from "../Refusals.ts"
import { modelHref, type Training } from "../Shapes.ts"
import { languageWord, sizeWord, stateTones, stateWord } from "../Words.ts"
import { Phases } from "./Phases.tsx"
import { applied, type Progress } from "./Progress.ts"

const t = words({
  en: {
    title: "Trainings",
    none: "No word was trained yet.",
    noneHint: "Type a word above. The training runs on this server; nothing is downloaded.",
    cancel: "Cancel",
    sure: "Really cancel?",
    waits: (before: number) => (before === 0 ? "next in line" : `${before} before it`),
    again: (times: number) => `begun ${times} times, because its process ended`,
    model: "See the model"
  },
  de: {
    title: "Trainings",
    none: "Noch wurde kein Wort trainiert.",
    noneHint: "Geben Sie oben ein Wort ein. Das Training läuft auf diesem Server; nichts wird heruntergeladen.",
    cancel: "Abbrechen",
    sure: "Wirklich abbrechen?",
    waits: (before: number) => (before === 0 ? "als Nächstes dran" : `${before} davor`),
    again: (times: number) => `${times}-mal begonnen, weil der Prozess endete`,
    model: "Modell ansehen"
  }
})

/** Trainings in the list. Reason: open ones and the last few results. */
const listed = 5

/** Reload interval. Unit: milliseconds. Reason: events show the progress; this is for lost ones. */
const every = 15_000

/** Open trainings with their phases, live, and the last results. `ended`: a training became a model, or failed. */
export const Trainings = ({ ended, turn }: { readonly turn: number; readonly ended: () => void }) => {
  const list = useLoad(() => call("GET /api/v1/wakeword/training", { query: { limit: listed } }), [turn], { every })
  useEffect(
    () =>
      on("wakeword.training.progress", ({ data }) => {
        const known = list.value.peek()
        const event = data as unknown as Progress
        const items = known === undefined ? undefined : applied(known.items, event)
        if (items !== undefined) list.value.value = { ...known!, items }
        else list.reload()
        if (event.state === "done") ended()
      }),
    []
  )
  const doing = useDoing()
  const now = useNow(every)
  const cancel = ({ id }: Training) =>
    void doing
      .run(() => call("POST /api/v1/wakeword/training/:job_id/cancel", { params: { job_id: id } }))
      .then(() => list.reload())
  return (
    <section class="card" aria-labelledby="trainings">
      <h2 id="trainings">{t().title}</h2>
      <Refused problem={doing.problem.value} />
      <Loading of={list}>
        {({ items }) =>
          items.length === 0 ? (
            <div class="empty">
              <p>{t().none}</p>
              {may("wakeword.manage") ? <p>{t().noneHint}</p> : null}
            </div>
          ) : (
            <ul class="rows" aria-labelledby="trainings">
              {items.map((training) => (
                <li key={training.id}>
                  <Entry of={training} now={now} busy={doing.busy.value} cancel={() => cancel(training)} />
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </section>
  )
}

const Entry = ({
  busy,
  cancel,
  now,
  of
}: {
  readonly of: Training
  readonly now: number
  readonly busy: boolean
  readonly cancel: () => void
}) => {
  const open = of.state === "waiting" || of.state === "running"
  return (
    <>
      <div class="wake-line">
        <strong>{of.word}</strong>
        <Badge tone={stateTones[of.state]}>{stateWord(of.state)}</Badge>
        <span class="soft">
          {languageWord(of.language)}, {sizeWord(of.size)}
        </span>
        <span class="soft">
          <When at={of.finished_at ?? of.started_at ?? of.created_at} now={now} />
        </span>
        {of.position === null || of.state !== "waiting" ? null : <span class="soft">{t().waits(of.position)}</span>}
        {open && of.attempts > 1 ? <span class="soft">{t().again(of.attempts)}</span> : null}
        {of.state === "done" ? <a href={modelHref(of.name)}>{t().model}</a> : null}
        {open && may("wakeword.manage") ? (
          <Sure sure={t().sure} disabled={busy} onSure={cancel}>
            {t().cancel}
            <span class="sr">: {of.word}</span>
          </Sure>
        ) : null}
      </div>
      {of.problem === null ? null : <p class="field-error">{said(of.problem)}</p>}
      {of.state === "running" ? <Phases of={of} /> : null}
    </>
  )
}
