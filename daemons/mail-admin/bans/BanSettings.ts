import ipaddr from "ipaddr.js"
import * as Settings from "#core/config/Settings.ts"

export const banSettings = {
  policyHost: Settings.text("SIGNALBOX_POLICY_HOST", {
    doc: "Listening address for policy requests of Postfix (smtpd_end_of_data_restrictions), without password and TLS",
    default: "127.0.0.1"
  }),
  policyPort: Settings.port("SIGNALBOX_POLICY_PORT", { doc: "Port for policy requests of Postfix", default: 10032 }),
  banExempt: Settings.list("SIGNALBOX_MAIL_BAN_EXEMPT_CIDRS", {
    doc:
      "Networks that are never banned for wrong passwords or many mails, such as a webmail server's; loopback is " +
      "always exempt",
    default: [],
    check: (range) => (ipaddr.isValidCIDR(range) ? undefined : `${range} is not a range such as 10.0.0.0/8`)
  })
}
