import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { shortMoment } from "../../../lib/Format.ts"
import { authorTitle } from "../../../parts/Author.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Badge, type Tone } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { undoable } from "../../../lib/Undo.ts"
import { undoWords } from "../../../lib/UndoWords.ts"
import { Refused } from "../Refusals.ts"
import { SilenceDialog } from "./SilenceDialog.tsx"
import { alertWords, type Silence } from "./Words.ts"

const t = words({
  en: {
    title: "Silences",
    add: "Silence alerts",
    none: "Nothing is silenced.",
    over: "Also those that are over",
    key: (pattern: string) => `alerts ${pattern}`,
    group: (pattern: string) => `cause ${pattern}`,
    from: (start: string, end: string) => `${start} to ${end}`,
    matches: (count: number) => (count === 1 ? "1 open alert" : `${count} open alerts`),
    by: (who: string) => `by ${who}`,
    change: "Change",
    end: "End now",
    one: (pattern: string) => `The silence of ${pattern}`
  },
  de: {
    title: "Stummschaltungen",
    add: "Meldungen stumm schalten",
    none: "Nichts ist stumm geschaltet.",
    over: "Auch vergangene",
    key: (pattern: string) => `Meldungen ${pattern}`,
    group: (pattern: string) => `Ursache ${pattern}`,
    from: (start: string, end: string) => `${start} bis ${end}`,
    matches: (count: number) => (count === 1 ? "1 offene Meldung" : `${count} offene Meldungen`),
    by: (who: string) => `von ${who}`,
    change: "Ändern",
    end: "Beenden",
    one: (pattern: string) => `Die Stummschaltung von ${pattern}`
  }
})

const tones: Readonly<Record<Silence["state"], Tone>> = { planned: "info", active: "warning", over: "quiet" }

/** Silences per page. */
const pageSize = 20

/** Request for an ended silence with its rest. A silence that has begun begins now. */
const againOf = ({ ends_at, group_pattern, key_pattern, reason, starts_at, state }: Silence) => ({
  ...(key_pattern === null ? {} : { key_pattern }),
  ...(group_pattern === null ? {} : { group_pattern }),
  ...(state === "planned" ? { starts_at } : {}),
  reason,
  ends_at
})

/** Silences with their reasons; adds and ends them. */
export const Silences = ({ changed, turn }: { readonly turn: number; readonly changed: () => void }) => {
  const past = useSignal(false)
  const trail = useTrail([past.value])
  const before = trail.value.at(-1)
  const list = useLoad(
    () => call("GET /api/v1/monitoring/silences", { query: { limit: pageSize, before } }),
    [before, turn],
    { every: 30_000 }
  )
  const adding = useSignal(false)
  const changing = useSignal<Silence | undefined>(undefined)
  const doing = useDoing()
  const manages = may("system.manage")
  const end = (one: Silence) =>
    void doing
      .run(() =>
        undoable(
          () => call("DELETE /api/v1/monitoring/silences/:id", { params: { id: one.id } }),
          () => undoWords().ended(t().one(one.key_pattern ?? one.group_pattern ?? "")),
          () => call("POST /api/v1/monitoring/silences", { payload: againOf(one) }).then(changed)
        )
      )
      .then((well) => well && changed())
  return (
    <section class="card" aria-labelledby="silences">
      <div class="card-head">
        <h2 id="silences">{t().title}</h2>
        <div class="choices">
          <label>
            <input
              type="checkbox"
              checked={past.value}
              onChange={({ currentTarget }) => (past.value = currentTarget.checked)}
            />
            {t().over}
          </label>
          {manages ? (
            <button type="button" onClick={() => (adding.value = true)}>
              {t().add}
            </button>
          ) : null}
        </div>
      </div>
      <Refused problem={doing.problem.value} />
      <Loading of={list}>
        {({ items, next_before }) => {
          const shown = items.filter(({ state }) => past.value || state !== "over")
          return (
            <>
              {shown.length === 0 ? (
                <p class="soft">{t().none}</p>
              ) : (
                <ul class="rows" aria-labelledby="silences">
                  {shown.map((one) => (
                    <li key={one.id}>
                      <SilenceLine
                        of={one}
                        {...(manages && one.state !== "over"
                          ? { busy: doing.busy.value, end: () => end(one), change: () => (changing.value = one) }
                          : {})}
                      />
                    </li>
                  ))}
                </ul>
              )}
              <Pager trail={trail} next={next_before} />
            </>
          )
        }}
      </Loading>
      {changing.value === undefined ? null : (
        <SilenceDialog
          wanted={{}}
          of={changing.value}
          shut={() => (changing.value = undefined)}
          done={() => {
            changing.value = undefined
            changed()
          }}
        />
      )}
      {adding.value ? (
        <SilenceDialog
          wanted={{}}
          shut={() => (adding.value = false)}
          done={() => {
            adding.value = false
            changed()
          }}
        />
      ) : null}
    </section>
  )
}

const SilenceLine = ({
  busy = false,
  change,
  end,
  of
}: {
  readonly of: Silence
  readonly busy?: boolean
  readonly change?: () => void
  readonly end?: () => void
}) => {
  const what = [
    of.key_pattern === null ? "" : t().key(of.key_pattern),
    of.group_pattern === null ? "" : t().group(of.group_pattern)
  ]
    .filter((one) => one !== "")
    .join(", ")
  return (
    <div class="ops-alert">
      <div class="ops-alert-text">
        <div class="ops-line">
          <Badge tone={tones[of.state]}>{alertWords()[of.state]}</Badge>
          <strong>{what}</strong>
          <span>{t().from(shortMoment(of.starts_at), shortMoment(of.ends_at))}</span>
        </div>
        <p>
          {of.reason}{" "}
          <span class="soft">
            ({t().by(authorTitle(of.created_by))}, {t().matches(of.alerts)})
          </span>
        </p>
      </div>
      {end === undefined ? null : (
        <div class="page-actions">
          <button type="button" class="small" onClick={change}>
            {t().change}
            <span class="sr">: {what}</span>
          </button>
          <button type="button" class="small" disabled={busy} onClick={end}>
            {t().end}
            <span class="sr">: {what}</span>
          </button>
        </div>
      )}
    </div>
  )
}
