/**
 * Decides whether the webhooks of an alarm may reach the private networks of SIGNALBOX_WEBHOOK_ALLOW_CIDRS. Pure. These
 * networks are the provider's, so only alarms of the provider may: mail through the provider's mailboxes and listener,
 * platform tokens, and operators. A tenant's user chooses the addresses, so theirs reach public networks only.
 */
import { providerTenant } from "#core/auth/Caller.ts"
import type { AlarmTrigger } from "#core/contracts/Alarm.ts"

type Origin = Pick<typeof AlarmTrigger.data.Type, "operator" | "platform" | "source" | "tenant_id">

export const mayReachPrivate = ({ operator, platform, source, tenant_id }: Origin): boolean => {
  switch (source.kind) {
    case "imap":
    case "smtp":
      return tenant_id === providerTenant
    case "api":
      return platform === true
    case "operator":
      return operator === true
  }
}
