import type { Answer } from "../../lib/Endpoints.ts"
import { ago, bothMoments, number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { Badge, type Tone } from "../../parts/Badge.tsx"

const t = words({
  en: {
    caption: "Watched mailboxes",
    none: "No mailbox is watched.",
    mailbox: "Mailbox",
    state: "State",
    since: "Since",
    folders: "Folders",
    news: "Last event",
    failure: "Last failure",
    again: (when: string) => `tried again ${when}`,
    never: "none yet",
    notify: "all folders, at once (NOTIFY)",
    idle: "inbox at once (IDLE)",
    push: "when its server calls (push)",
    poll: "checked every minute (poll)",
    lazy: "when somebody reads",
    connecting: "connecting",
    failed: "cannot be watched"
  },
  de: {
    caption: "Beobachtete Postfächer",
    none: "Kein Postfach wird beobachtet.",
    mailbox: "Postfach",
    state: "Zustand",
    since: "Seit",
    folders: "Ordner",
    news: "Letztes Ereignis",
    failure: "Letzter Fehler",
    again: (when: string) => `nächster Versuch ${when}`,
    never: "noch keine",
    notify: "alle Ordner sofort (NOTIFY)",
    idle: "Posteingang sofort (IDLE)",
    push: "wenn der Server es meldet (Push)",
    poll: "jede Minute nachgesehen (Poll)",
    lazy: "wenn jemand liest",
    connecting: "wird verbunden",
    failed: "lässt sich nicht beobachten"
  }
})

type Watched = Answer<"GET /api/v1/mail/webmail/watcher/status">["items"][number]

const tones: Readonly<Record<Watched["mode"], Tone>> = {
  notify: "success",
  idle: "success",
  push: "success",
  poll: "info",
  lazy: "quiet",
  connecting: "warning",
  failed: "error"
}

const When = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={bothMoments(at)}>
    {ago(at)}
  </time>
)

/** How each mailbox is watched, and when it last reported something. */
export const WatchTable = ({ items }: { readonly items: ReadonlyArray<Watched> }) =>
  items.length === 0 ? (
    <p class="empty">{t().none}</p>
  ) : (
    <div class="scroll" role="region" aria-label={t().caption} tabIndex={0}>
      <table>
        <caption class="sr">{t().caption}</caption>
        <thead>
          <tr>
            <th>{t().mailbox}</th>
            <th>{t().state}</th>
            <th>{t().since}</th>
            <th class="number">{t().folders}</th>
            <th>{t().news}</th>
            <th>{t().failure}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((one) => (
            <tr key={one.id}>
              <td>{one.account}</td>
              <td>
                <Badge tone={tones[one.mode]}>{t()[one.mode]}</Badge>
              </td>
              <td>{one.since === null ? "" : <When at={one.since} />}</td>
              <td class="number">{number(one.folders)}</td>
              <td>{one.last_event_at === null ? <small>{t().never}</small> : <When at={one.last_event_at} />}</td>
              <td>
                {one.last_failure}
                {one.next_try_at === null ? null : (
                  <>
                    {" "}
                    <small>{t().again(ago(one.next_try_at))}</small>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
