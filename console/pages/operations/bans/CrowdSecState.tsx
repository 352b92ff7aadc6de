import { shortMoment } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { Badge } from "../../../parts/Badge.tsx"
import type { CrowdSec } from "./Words.ts"

const t = words({
  en: {
    unconfigured: "CrowdSec is not set up here. These are our own bans.",
    away: "CrowdSec does not answer.",
    asOf: (when: string) => `Its bans are shown as of ${when}.`,
    never: "Its bans are unknown.",
    truncated: "CrowdSec has more bans than are shown."
  },
  de: {
    unconfigured: "CrowdSec ist hier nicht eingerichtet. Das sind unsere eigenen Sperren.",
    away: "CrowdSec antwortet nicht.",
    asOf: (when: string) => `Seine Sperren sind auf dem Stand von ${when}.`,
    never: "Seine Sperren sind unbekannt.",
    truncated: "CrowdSec hat mehr Sperren, als hier stehen."
  }
})

/** Says when the picture lacks CrowdSec, or is old. */
export const CrowdSecState = ({ of }: { readonly of: CrowdSec }) => (
  <>
    {of.state === "unconfigured" ? <p class="soft">{t().unconfigured}</p> : null}
    {of.state === "away" ? (
      <p class="ops-line">
        <Badge tone="warning">{t().away}</Badge>
        <span>{of.as_of === null ? t().never : t().asOf(shortMoment(of.as_of))}</span>
        {of.problem === null ? null : <small>{of.problem}</small>}
      </p>
    ) : null}
    {of.truncated ? <p class="soft">{t().truncated}</p> : null}
  </>
)
