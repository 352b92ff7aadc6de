import { Badge } from "../../../parts/Badge.tsx"
import { type Alert, alertWords, severityTones } from "./Words.ts"

/** Severity of an alert, and whether people are told of it. */
export const AlertBadges = ({ of }: { readonly of: Alert }) => (
  <>
    <Badge tone={of.state === "open" ? severityTones[of.severity] : "quiet"}>{alertWords()[of.severity]}</Badge>{" "}
    {of.close_reason === null ? null : <Badge tone="success">{alertWords()[of.close_reason]}</Badge>}{" "}
    {of.flapping ? <Badge tone="warning">{alertWords().flapping}</Badge> : null}{" "}
    {of.acknowledged_at === null ? null : <Badge tone="info">{alertWords().acknowledged}</Badge>}{" "}
    {of.silence_id === null ? null : <Badge tone="quiet">{alertWords().silenced}</Badge>}{" "}
    {of.maintenance_id === null ? null : <Badge tone="quiet">{alertWords().maintenance}</Badge>}
  </>
)
