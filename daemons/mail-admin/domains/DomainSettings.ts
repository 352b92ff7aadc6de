import { isAbsolute } from "node:path"
import { mailServerSettings } from "#core/config/MailServerSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"

export const domainSettings = {
  ...mailServerSettings,
  dmarcReportAddress: Settings.optionalText("SIGNALBOX_DMARC_REPORT_ADDRESS", {
    doc: "Address for DMARC reports of other mail servers; unset: postmaster@ and the domain",
    // Refuses characters that need escaping in the `mailto:` of a DMARC record. Source: RFC 7489 §6.2, RFC 6068 §2.
    check: (text) =>
      normaliseEmail(text) === text && /^[a-z0-9._+-]+@/.test(text)
        ? undefined
        : "must be an address in lower case such as dmarc@example.org"
  }),
  dkimDir: Settings.optionalText("SIGNALBOX_DKIM_DIR", {
    doc: "Directory of the DKIM keys in plain text, for the signer of outgoing mail; unset: no keys are written",
    check: (text) => (isAbsolute(text) ? undefined : "must be an absolute path")
  })
}
