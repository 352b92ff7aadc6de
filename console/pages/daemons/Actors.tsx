import { ago, bothMoments } from "../../lib/Format.ts"
import { Badge } from "../../parts/Badge.tsx"
import { type Actor, actorStatus, byIllness, statusTones } from "./Fleet.ts"
import { daemonWords as t } from "./Words.ts"
import { At } from "../../parts/When.tsx"

/** Table of a daemon's actors: state, restarts, last failure, and current activity. */
export const Actors = ({
  actors,
  daemon,
  now
}: {
  readonly actors: ReadonlyArray<Actor>
  readonly daemon: string
  readonly now: number
}) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={`${t().actors}: ${daemon}`}>
    <table class="actors">
      <caption class="sr">
        {t().actors}: {daemon}
      </caption>
      <thead>
        <tr>
          <th scope="col">{t().name}</th>
          <th scope="col">{t().state}</th>
          <th scope="col" class="number">
            {t().restarts}
          </th>
          <th scope="col">{t().failure}</th>
          <th scope="col">{t().note}</th>
          <th scope="col">{t().progress}</th>
        </tr>
      </thead>
      <tbody>
        {byIllness(actors, actorStatus, ({ name }) => name).map((actor) => (
          <tr key={actor.name} class={actorStatus(actor)}>
            <th scope="row">
              {actor.name}
              {actor.placed ? <small>{t().placed}</small> : null}
            </th>
            <td>
              <Badge
                tone={
                  actor.state === "stopped" || actor.state === "elsewhere" ? "quiet" : statusTones[actorStatus(actor)]
                }
              >
                {actor.stalled ? t().stalled : t()[actor.state]}
              </Badge>{" "}
              <small title={bothMoments(actor.since)}>{ago(actor.since, now)}</small>
            </td>
            <td class="number">
              {actor.restarts === 0 ? <span class="none">0</span> : <strong>{actor.restarts}</strong>}
            </td>
            <td class="failure">
              {actor.last_failure === undefined ? null : (
                <>
                  {actor.last_failure.message}
                  <small>
                    <At at={actor.last_failure.at} />
                  </small>
                </>
              )}
            </td>
            <td>{actor.note}</td>
            <td class="when">
              {actor.last_progress === undefined ? null : (
                <time dateTime={actor.last_progress} title={bothMoments(actor.last_progress)}>
                  {ago(actor.last_progress, now)}
                </time>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
