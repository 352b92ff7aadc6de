import { ago, moment } from "../lib/Format.ts"
import { words } from "../lib/Language.ts"
import { me } from "../lib/Me.ts"
import { authorWords } from "./Author.ts"
import { canAcknowledge } from "./CanAcknowledge.ts"
import { Badge } from "./Badge.tsx"
import type { Run } from "./RunBadges.tsx"

const t = words({
  en: { open: "unacknowledged", done: "acknowledged", by: (who: string) => `acknowledged by ${who}` },
  de: { open: "nicht quittiert", done: "quittiert", by: (who: string) => `quittiert von ${who}` }
})

type Acknowledged = Pick<Run, "acknowledged_at" | "acknowledged_by" | "acknowledged_name" | "state" | "workflow">

/**
 * Author of an acknowledgement and the note, from texts such as `user:7: a note`. `me`: id of the signed-in user, who
 * is shown as "you". `name`: the user's name, when it is known.
 */
export const whoTitle = (by: string, me: number | undefined, name: string | null): string => {
  const found = /^user:(\d+)(?::\s*([^]*))?$/.exec(by)
  if (found === null) return by
  const who = Number(found[1]) === me ? authorWords().you : (name ?? authorWords().user(found[1]!))
  return found[2] === undefined || found[2] === "" ? who : `${who} – ${found[2]}`
}

/** Who acknowledged a run; undefined when nobody did. */
export const whoAcknowledged = ({ acknowledged_by, acknowledged_name }: Acknowledged): string | undefined =>
  acknowledged_by === null ? undefined : whoTitle(acknowledged_by, me.value?.id, acknowledged_name)

/** Whether an alarm is acknowledged, by whom and since when; nothing for a run that cannot be acknowledged. */
export const AcknowledgementBadge = ({ run }: { readonly run: Acknowledged }) => {
  if (canAcknowledge(run)) return <Badge tone="warning">{t().open}</Badge>
  const who = whoAcknowledged(run)
  if (who === undefined || run.acknowledged_at === null) return null
  return (
    <span class="acknowledged">
      {run.state === "acknowledged" ? null : <Badge tone="info">{t().done}</Badge>}
      <small title={`${moment(run.acknowledged_at)} · ${ago(run.acknowledged_at)}`}>{t().by(who)}</small>
    </span>
  )
}
