import { words } from "../../../lib/Language.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { stoppedText } from "../Stopped.ts"
import type { Account, KeyStatus } from "../Shapes.ts"

const t = words({
  en: {
    pending: "set-up not begun",
    keys_generated: "keys generated",
    ini_sent: "first key sent",
    hia_sent: "waits for the bank",
    active: "ready",
    unaccepted: "waits for you",
    suspended: "suspended",
    inactive: "deactivated",
    import: "import by hand"
  },
  de: {
    pending: "Einrichtung nicht begonnen",
    keys_generated: "Schlüssel erzeugt",
    ini_sent: "erster Schlüssel gesendet",
    hia_sent: "wartet auf die Bank",
    active: "bereit",
    unaccepted: "wartet auf Sie",
    suspended: "ausgesetzt",
    inactive: "deaktiviert",
    import: "Import von Hand"
  }
})

export const keyStatusTitle = (status: KeyStatus["key_status"]): string => t()[status]

/** State of an account: of its keys, and why it waits for a person. */
export const AccountBadges = ({
  account: { active, host_id, key_status, ready, stopped }
}: {
  readonly account: Pick<Account, "active" | "host_id" | "key_status" | "ready" | "stopped">
}) => (
  <span class="bank-stop">
    {!active ? (
      <Badge tone="quiet">{t().inactive}</Badge>
    ) : host_id === null ? (
      <Badge tone="quiet">{t().import}</Badge>
    ) : key_status === "active" ? (
      <Badge tone={ready ? "success" : "warning"}>{ready || stopped !== null ? t().active : t().unaccepted}</Badge>
    ) : (
      <Badge tone={key_status === "suspended" ? "warning" : "info"}>{t()[key_status]}</Badge>
    )}{" "}
    {stopped === null ? null : <Badge tone="error">{stoppedText(stopped)}</Badge>}
  </span>
)
