/** What mail-admin is told by its environment. */
import ipaddr from "ipaddr.js"
import { isAbsolute } from "node:path"
import { mailServerSettings } from "#core/config/MailServerSettings.ts"
import type { SettingProblem, Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"

export const mailAdminSettings = {
  ...mailServerSettings,
  dmarcReportAddress: Settings.optionalText("SIGNALBOX_DMARC_REPORT_ADDRESS", {
    doc: "Where other mail servers send their DMARC reports about the domains; unset: postmaster@ and the domain",
    // What a mailto: in a DMARC record would have to escape is refused. Source: RFC 7489 §6.2, RFC 6068 §2.
    check: (text) =>
      normaliseEmail(text) === text && /^[a-z0-9._+-]+@/.test(text)
        ? undefined
        : "must be an address in lower case such as dmarc@example.org"
  }),
  dkimDir: Settings.optionalText("SIGNALBOX_DKIM_DIR", {
    doc: "Directory in which the signer of outgoing mail finds the DKIM keys, in plain text; unset: none is written",
    check: (text) => (isAbsolute(text) ? undefined : "must be an absolute path")
  }),
  policyHost: Settings.text("SIGNALBOX_POLICY_HOST", {
    doc: "Address on which Postfix asks about mails (smtpd_end_of_data_restrictions); it has neither password nor TLS",
    default: "127.0.0.1"
  }),
  policyPort: Settings.port("SIGNALBOX_POLICY_PORT", { doc: "Port on which Postfix asks about mails", default: 10032 }),
  banExempt: Settings.list("SIGNALBOX_MAIL_BAN_EXEMPT_CIDRS", {
    doc: "Ranges that are never banned for wrong passwords or many mails, such as a webmail server's; loopback never is",
    default: [],
    check: (range) => (ipaddr.isValidCIDR(range) ? undefined : `${range} is not a range such as 10.0.0.0/8`)
  }),
  doveadmUrl: Settings.httpAddress("SIGNALBOX_DOVEADM_URL", {
    doc: "Dovecot's administration over HTTP, which cuts the sessions of a mailbox that is suspended, deleted or gets another password; unset: they stay open"
  }),
  doveadmKey: Settings.secret("SIGNALBOX_DOVEADM_KEY", { doc: "Its doveadm_api_key" })
}

/** What is wrong with the settings together. */
export const conflicts = ({ doveadmKey, doveadmUrl }: MailAdminConfig): ReadonlyArray<SettingProblem> =>
  doveadmUrl !== undefined && doveadmKey === undefined
    ? [{ name: "SIGNALBOX_DOVEADM_KEY", message: "is required with SIGNALBOX_DOVEADM_URL" }]
    : []

export type MailAdminConfig = Values<typeof mailAdminSettings>
