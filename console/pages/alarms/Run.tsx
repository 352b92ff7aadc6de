import { call } from "../../lib/Call.ts"
import { duration } from "../../lib/Format.ts"
import { useLoad } from "../../lib/Load.ts"
import { Acknowledge } from "../../parts/Acknowledge.tsx"
import { AcknowledgementBadge, whoAcknowledged } from "../../parts/Acknowledgement.tsx"
import { canAcknowledge } from "../../parts/CanAcknowledge.ts"
import { Loading } from "../../parts/Loading.tsx"
import { useNow } from "../../parts/Now.ts"
import { Page } from "../../parts/Page.tsx"
import { SeverityBadge, StateBadge } from "../../parts/RunBadges.tsx"
import { TargetChips } from "../../parts/TargetChips.tsx"
import { TimeLine } from "../../parts/TimeLine.tsx"
import "../../parts/runs.css"
import { Failures } from "./Failures.tsx"
import { lanesOf } from "./Lanes.ts"
import { runWords as t } from "./RunWords.ts"
import { sourceOf, StoryList } from "./StoryList.tsx"
import { goesOn, type RunView } from "./Story.ts"
import { At } from "../../parts/When.tsx"

/** Interval at which the time line moves while a run continues. Unit: milliseconds. */
const beat = 500

/** Reload interval, in case a live event is missed. Unit: milliseconds. */
const unasked = 10_000

/** Page of one run: its data, its time line, and every attempt with the answer of the other side. */
export default ({ id }: { readonly id: string }) => {
  const run = useLoad(() => call("GET /api/v1/workflows/runs/:id", { params: { id } }), [id], {
    live: ["alarm.*"],
    every: unasked
  })
  const now = useNow(run.value.value !== undefined && goesOn(run.value.value) ? beat : undefined)
  const found = run.value.value
  // The button of a push notification opens the page with this query.
  const asked = new URLSearchParams(location.search).has("acknowledge")
  return (
    <Page
      title={found === undefined ? t().alarm : found.title}
      actions={
        <>
          <a class="button" href="/console/alarms">
            {t().back}
          </a>
          {found !== undefined && canAcknowledge(found) ? (
            <Acknowledge id={id} done={run.reload} opened={asked} />
          ) : null}
        </>
      }
    >
      <Loading of={run}>
        {(run) => (
          <>
            <section class="card run-head" aria-label={t().facts}>
              <p class="badges" role="status">
                <StateBadge state={run.state} /> <SeverityBadge severity={run.severity} />{" "}
                <AcknowledgementBadge run={run} />
              </p>
              <Failures run={run} />
              <TargetChips of={run.targets} />
              <Facts run={run} />
              {run.body.trim() === "" ? null : (
                <details>
                  <summary>{t().body}</summary>
                  <pre class="wrapped">{run.body}</pre>
                </details>
              )}
            </section>
            <section class="card" aria-labelledby="time-line">
              <div class="card-head">
                <h2 id="time-line">{t().timeLine}</h2>
              </div>
              <TimeLine
                lanes={lanesOf(run)}
                now={now}
                label={t().summary(
                  run.targets.length,
                  run.targets.reduce((all, { attempts }) => all + attempts.length, 0)
                )}
              />
            </section>
            <section class="card" aria-labelledby="story">
              <div class="card-head">
                <h2 id="story">{t().story}</h2>
              </div>
              <StoryList run={run} now={now} />
            </section>
          </>
        )}
      </Loading>
    </Page>
  )
}

const Facts = ({ run }: { readonly run: RunView }) => (
  <dl class="facts run-facts">
    {run.reason === null ? null : (
      <>
        <dt>{t().reason}</dt>
        <dd>{run.reason}</dd>
      </>
    )}
    {run.subject === "" || run.subject === run.title ? null : (
      <>
        <dt>{t().subject}</dt>
        <dd>{run.subject}</dd>
      </>
    )}
    <dt>{t().sender}</dt>
    <dd>{run.sender}</dd>
    <dt>{t().source}</dt>
    <dd>{sourceOf(run)}</dd>
    <dt>{t().received}</dt>
    <dd>
      <At at={run.received_at} />
    </dd>
    {run.finished_at === null ? null : (
      <>
        <dt>{t().finished}</dt>
        <dd>
          <At at={run.finished_at} />{" "}
          <small>({duration(Date.parse(run.finished_at) - Date.parse(run.created_at))})</small>
        </dd>
      </>
    )}
    {run.workflow === "alarm" ? null : (
      <>
        <dt>{t().workflow}</dt>
        <dd>
          <a href={`/console/workflows/${encodeURIComponent(run.workflow)}`}>{run.workflow}</a>
        </dd>
      </>
    )}
    {run.target_count === 0 ? null : (
      <>
        <dt>{t().reached}</dt>
        <dd>{t().of(run.delivered_count, run.target_count)}</dd>
      </>
    )}
    {run.retry === null ? null : (
      <>
        <dt>{t().retry}</dt>
        <dd>{t().repeats(run.retry.attempts, run.retry.pause_minutes)}</dd>
      </>
    )}
    {run.acknowledged_at === null ? null : (
      <>
        <dt>{t().acknowledged}</dt>
        <dd>
          <At at={run.acknowledged_at} /> · {t().takenOn(whoAcknowledged(run) ?? "")}
        </dd>
      </>
    )}
  </dl>
)
