import { Badge } from "../../../parts/Badge.tsx"
import { healthTones, type Service, serviceWords, stateTones } from "./Words.ts"

/** State of a service, and its health where it says more. */
export const ServiceBadges = ({ of }: { readonly of: Service }) => (
  <span class="ops-line">
    <Badge tone={stateTones[of.state]}>{serviceWords()[of.state]}</Badge>
    {of.health === "none" || of.health === "starting" || (of.health === "healthy" && of.state === "running") ? null : (
      <Badge tone={healthTones[of.health]}>{serviceWords()[of.health]}</Badge>
    )}
  </span>
)
