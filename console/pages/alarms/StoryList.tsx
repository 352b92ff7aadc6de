import type { ComponentChildren } from "preact"
import { ago, bothMoments, duration, timeOfDay } from "../../lib/Format.ts"
import { me } from "../../lib/Me.ts"
import { Badge, type Tone } from "../../parts/Badge.tsx"
import { whoTitle } from "../../parts/Acknowledgement.tsx"
import { StateBadge } from "../../parts/RunBadges.tsx"
import { stepName } from "../../parts/StepWords.ts"
import { attemptTitle, runWords as t, stepTitle } from "./RunWords.ts"
import { type Moment, type RunView, storyOf } from "./Story.ts"
import { attemptTones, stepTones } from "./Tones.ts"

/** History of a run with times, newest last, future entries at the end. */
export const StoryList = ({ now, run }: { readonly run: RunView; readonly now: number }) => (
  <ol class="story">
    {storyOf(run).map((moment) => (
      <Entry key={keyOf(moment)} moment={moment} run={run} now={now} />
    ))}
  </ol>
)

const keyOf = (moment: Moment): string =>
  moment.kind === "attempt"
    ? `attempt ${moment.target.position} ${moment.attempt.number}`
    : moment.kind === "due"
      ? `due ${moment.target.position}`
      : moment.kind === "step"
        ? `step ${moment.step.name}`
        : moment.kind

const Line = ({
  at,
  awaited,
  children,
  tone
}: {
  readonly at: number
  readonly tone: Tone
  readonly awaited?: boolean
  readonly children: ComponentChildren
}) => (
  <li class={`${tone}${awaited === true ? " awaited" : ""}`}>
    <time dateTime={new Date(at).toISOString()} title={bothMoments(at)}>
      {timeOfDay(at)}
    </time>
    <div>{children}</div>
  </li>
)

const Entry = ({ moment: one, now, run }: { readonly moment: Moment; readonly run: RunView; readonly now: number }) => {
  switch (one.kind) {
    case "received":
      return (
        <Line at={one.at} tone="quiet">
          <p>{t().receivedBy(sourceOf(run), run.sender)}</p>
        </Line>
      )
    case "step":
      return (
        <Line at={one.at} tone={stepTones[one.step.state]}>
          <p>
            {t().step(stepName(one.step.name), stepTitle(one.step.state))}
            {one.step.tries === undefined ? "" : `, ${t().tries(one.step.tries)}`}
          </p>
          {one.step.detail === undefined ? null : <p class="said">{one.step.detail}</p>}
        </Line>
      )
    case "attempt": {
      const { attempt, target } = one
      const length = (attempt.finished_at === null ? Math.max(now, one.at) : Date.parse(attempt.finished_at)) - one.at
      return (
        <Line at={one.at} tone={attemptTones[attempt.state]}>
          <p>
            {t().attemptAt(attempt.number, nameOf(target))}{" "}
            <Badge tone={attemptTones[attempt.state]}>{attemptTitle(attempt.state)}</Badge>{" "}
            {attempt.finished_at === null && run.finished_at !== null ? null : (
              <small>
                {duration(length)}
                {attempt.finished_at === null ? "" : ` · ${timeOfDay(attempt.finished_at)}`}
              </small>
            )}
          </p>
          {attempt.detail === null ? null : <p class="said">{t().answer(attempt.detail)}</p>}
        </Line>
      )
    }
    case "acknowledged":
      return (
        <Line at={one.at} tone="info">
          <p>{t().takenOn(whoTitle(one.by, me.value?.id, run.acknowledged_name))}</p>
        </Line>
      )
    case "finished":
      return (
        <Line at={one.at} tone="quiet">
          <p>
            {t().ended} <StateBadge state={run.state} />
          </p>
        </Line>
      )
    case "due":
      return (
        <Line at={one.at} tone="quiet" awaited>
          <p>{one.at > now ? t().due(nameOf(one.target), ago(one.at, now)) : t().dueNow(nameOf(one.target))}</p>
        </Line>
      )
  }
}

const nameOf = ({ channel, target }: { readonly channel: string; readonly target: string }): string =>
  `${channel} ${target}`

export const sourceOf = ({ source }: Pick<RunView, "source">): string =>
  source.kind === "event"
    ? `${t().event} ${source.event_id}`
    : source.kind === "imap" && source.mailbox !== undefined
      ? `IMAP ${source.mailbox}`
      : source.kind === "operator"
        ? t().operator
        : source.kind.toUpperCase()
