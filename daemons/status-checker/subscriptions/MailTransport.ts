/** Relay, sender and addresses of mails to subscribers. Pure. */
import type { Relay } from "#core/second-path/RelayAddress.ts"
import { rebuilt } from "#core/settings/LiveSettings.ts"
import { normaliseDomain } from "#protocols/mail-address/Domain.ts"
import { baseOf } from "../status/Settings.ts"
import type { TransportConfig } from "./Settings.ts"

export interface MailTransport {
  readonly relay: Relay
  readonly from: string
  /** Domain of Message-IDs and of the List-Id. */
  readonly domain: string
  /** Address of the status page, without a final slash. */
  readonly base: string
}

/** Submission with implicit TLS. Source: RFC 8314 §7.3. */
const implicitTlsPort = 465

/** Undefined when SMTP_HOST or MAIL_FROM is not set; then nobody can subscribe. */
export const mailTransport = (config: TransportConfig): MailTransport | undefined =>
  config.smtpHost === undefined || config.mailFrom === undefined
    ? undefined
    : {
        relay: {
          host: config.smtpHost,
          port: config.smtpPort,
          implicitTls: config.smtpPort === implicitTlsPort,
          credentials: undefined
        },
        from: config.mailFrom,
        domain: normaliseDomain(config.mailFrom.slice(config.mailFrom.lastIndexOf("@") + 1)) ?? "signalbox.invalid",
        base: baseOf(config)
      }

/** The transport of this moment. `config` has present values. */
export const presentTransport = (config: TransportConfig): (() => MailTransport | undefined) =>
  rebuilt(
    () => [config.smtpHost, config.smtpPort, config.mailFrom, config.baseUrl],
    (smtpHost, smtpPort, mailFrom, baseUrl) => mailTransport({ smtpHost, smtpPort, mailFrom, baseUrl })
  )

/** Variables that mail requires. */
export const neededSettings: ReadonlyArray<string> = ["SMTP_HOST", "MAIL_FROM"]
