import { mailServerSettings } from "../config/MailServerSettings.ts"
import { sipHost } from "../config/TelephonySettings.ts"
import * as Settings from "../config/Settings.ts"

/** Settings that name the provider's own domains. */
export const ownershipSettings = {
  mailHost: mailServerSettings.mailHost,
  sipHost,
  reservedDomains: Settings.list("SIGNALBOX_RESERVED_DOMAINS", {
    doc:
      "Domains that tenants may not claim, with the names above and below them, in addition to SIGNALBOX_MAIL_HOST " +
      "and SIGNALBOX_SIP_HOST; service tokens and users of the provider's tenant may",
    default: [],
    check: (name) => (/^[a-z0-9.-]+\.[a-z0-9-]+$/.test(name) ? undefined : `${name} is not a domain in lower case`)
  })
}
