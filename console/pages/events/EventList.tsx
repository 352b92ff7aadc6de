import type { Answer } from "../../lib/Endpoints.ts"
import { bothMoments, shortMoment } from "../../lib/Format.ts"
import { eventWords as t } from "./EventWords.ts"
import { At } from "../../parts/When.tsx"

type LoggedEvent = Answer<"GET /api/v1/events">["items"][number]

/** Events, newest first; each can be expanded to show its data. */
export const EventList = ({ events }: { readonly events: ReadonlyArray<LoggedEvent> }) =>
  events.length === 0 ? (
    <p class="empty">{t().none}</p>
  ) : (
    <ol class="events">
      {events.map((event) => (
        <li key={event.id}>
          <details>
            <summary>
              <time dateTime={event.at} title={bothMoments(event.at)}>
                {shortMoment(event.at)}
              </time>
              <strong>{event.type}</strong>
              <span class="source">{event.source}</span>
              <span class="audience">{audienceOf(event)}</span>
            </summary>
            <dl class="facts">
              <dt>{t().id}</dt>
              <dd>{event.id}</dd>
              <dt>{t().at}</dt>
              <dd>
                <At at={event.at} />
              </dd>
              <dt>{t().audience}</dt>
              <dd>{audienceOf(event)}</dd>
              <dt>{t().data}</dt>
              <dd>
                <pre tabIndex={0} aria-label={t().data}>
                  {JSON.stringify(event.data, undefined, 2)}
                </pre>
              </dd>
            </dl>
          </details>
        </li>
      ))}
    </ol>
  )

/** Who may see the event. */
const audienceOf = ({ tenant_id, user_id }: LoggedEvent): string =>
  tenant_id === null
    ? t().operators
    : user_id === null
      ? `${t().tenant} ${tenant_id}`
      : `${t().tenant} ${tenant_id}, ${t().user} ${user_id}`
