/** Environment variables that name our mail server and what connections to mail servers may reach. */
import { readFileSync } from "node:fs"
import { createSecureContext } from "node:tls"
import { mailServerSettings } from "#core/config/MailServerSettings.ts"
import { cidrProblem } from "#core/config/PlatformSettings.ts"
import type { Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"

/** Checks at start that the certificate file is readable. */
const certificatesProblem = (path: string): string | undefined => {
  try {
    createSecureContext({ ca: readFileSync(path, "utf8") })
    return undefined
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`
  }
}

/** Certificates that connections to mail servers trust beside the public ones. */
export const mailCa = Settings.optionalText("SIGNALBOX_MAIL_CA", {
  doc: "PEM file with certificates to trust in addition to public ones, for mail servers with a private CA",
  check: certificatesProblem
})

export const accountSettings = {
  mailHost: mailServerSettings.mailHost,
  connectHost: Settings.optionalText("SIGNALBOX_MAIL_CONNECT_HOST", {
    doc:
      "Host name under which this daemon connects to our mail server; unset: SIGNALBOX_MAIL_HOST. The server's " +
      "certificate must have this name"
  }),
  imapPort: Settings.port("SIGNALBOX_MAIL_IMAP_PORT", {
    doc: "IMAP port of our mail server, TLS from the first byte",
    default: 993
  }),
  submissionPort: Settings.port("SIGNALBOX_MAIL_SUBMISSION_PORT", {
    doc: "Submission port of our mail server, TLS from the first byte",
    default: 465
  }),
  mailCa,
  allowCidrs: Settings.list("SIGNALBOX_MAIL_ALLOW_CIDRS", {
    doc: "Private networks that users' foreign mail servers may be in",
    default: [],
    check: cidrProblem
  })
}

export type AccountSettings = Values<typeof accountSettings>

/** Settings that every connection to a mail server needs. */
export type TrustSettings = Pick<AccountSettings, "mailCa">
