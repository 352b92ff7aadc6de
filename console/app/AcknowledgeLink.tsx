import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { brand } from "../lib/Brand.ts"
import { call } from "../lib/Call.ts"
import type { Answer } from "../lib/Endpoints.ts"
import { moment } from "../lib/Format.ts"
import { words } from "../lib/Language.ts"
import { useLoad } from "../lib/Load.ts"
import { Problem } from "../lib/Problem.ts"
import { Badge } from "../parts/Badge.tsx"
import { Loading } from "../parts/Loading.tsx"
import { SeverityBadge, stateTitle } from "../parts/RunBadges.tsx"
import { Trouble } from "../parts/Trouble.tsx"
import { Looks } from "./Looks.tsx"
import { At } from "../parts/When.tsx"

const t = words({
  en: {
    title: "Acknowledge an alarm",
    gone: "This link is not valid, or no longer valid. Links are valid for a week. Sign in to see the alarm.",
    received: "Received",
    state: "State",
    reached: "Reached",
    of: (delivered: number, all: number) => `${delivered} of ${all}`,
    hint: "What still rings or repeats is stopped. An attempt under way ends by itself.",
    acknowledge: "Acknowledge",
    done: (who: string, at: string) => `Acknowledged at ${at}: ${who}`,
    console: "To the console"
  },
  de: {
    title: "Alarm quittieren",
    gone: "Dieser Link gilt nicht oder nicht mehr. Links gelten eine Woche. Melden Sie sich an, um den Alarm zu sehen.",
    received: "Eingang",
    state: "Zustand",
    reached: "Erreicht",
    of: (delivered: number, all: number) => `${delivered} von ${all}`,
    hint: "Was noch klingelt oder wiederholt wird, hört auf. Ein laufender Versuch endet von selbst.",
    acknowledge: "Quittieren",
    done: (who: string, at: string) => `Quittiert um ${at}: ${who}`,
    console: "Zur Konsole"
  }
})

/** Path of the page. Source: comm-dispatcher, links of alarm messages. */
export const acknowledgePath = "/console/acknowledge"

type Linked = Answer<"POST /api/v1/alarm-links/show">

/** Page of a link in an alarm message: shows the alarm, and acknowledges it by a button. Needs no sign-in. */
export const AcknowledgeLink = () => {
  const token = location.hash.slice(1)
  const alarm = useLoad(() => call("POST /api/v1/alarm-links/show", { payload: { token } }), [token])
  const changed = useSignal<Linked | undefined>(undefined)
  const problem = useSignal<Problem | undefined>(undefined)
  const busy = useSignal(false)
  const title = changed.value?.title ?? alarm.value.value?.title ?? t().title
  useEffect(() => {
    document.title = `${title} · ${brand.value.name}`
  }, [title, brand.value.name])
  const acknowledge = async () => {
    busy.value = true
    problem.value = undefined
    try {
      changed.value = await call("POST /api/v1/alarm-links/acknowledge", { payload: { token } })
    } catch (error) {
      problem.value = error instanceof Problem ? error : new Problem(0, "failed", String(error))
    } finally {
      busy.value = false
    }
  }
  return (
    <main class="sign-in">
      <h1>
        <img src="/console/icon.svg" alt="" width={32} height={32} />
        {t().title}
      </h1>
      {isGone(alarm.problem.value) ? (
        <p role="alert">{t().gone}</p>
      ) : (
        <Loading of={alarm}>
          {(loaded) => <Linked alarm={changed.value ?? loaded} acknowledge={acknowledge} busy={busy.value} />}
        </Loading>
      )}
      <Trouble problem={problem.value} />
      <p>
        <a href="/console/">{t().console}</a>
      </p>
      <Looks />
    </main>
  )
}

const isGone = (problem: Problem | undefined): boolean => problem?.status === 404 || problem?.status === 422

const Linked = ({
  acknowledge,
  alarm,
  busy
}: {
  readonly alarm: Linked
  readonly acknowledge: () => Promise<void>
  readonly busy: boolean
}) => (
  <>
    <p class="linked-alarm">
      <SeverityBadge severity={alarm.severity} /> {alarm.title}
    </p>
    <dl class="facts">
      <dt>{t().received}</dt>
      <dd>
        <At at={alarm.received_at} />
      </dd>
      <dt>{t().state}</dt>
      <dd>
        <Badge tone="quiet">{stateTitle(alarm.state)}</Badge>
      </dd>
      {alarm.target_count === 0 ? null : (
        <>
          <dt>{t().reached}</dt>
          <dd>{t().of(alarm.delivered_count, alarm.target_count)}</dd>
        </>
      )}
    </dl>
    <div role="status">
      {alarm.acknowledged_at === null ? null : (
        <p class="done">{t().done(alarm.acknowledged_by ?? "", moment(alarm.acknowledged_at))}</p>
      )}
    </div>
    {alarm.acknowledged_at === null ? (
      <>
        <button type="button" class="primary" disabled={busy} onClick={() => void acknowledge()}>
          {t().acknowledge}
        </button>
        <small>{t().hint}</small>
      </>
    ) : null}
  </>
)
