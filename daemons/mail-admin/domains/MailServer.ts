/** The configured mail server that the DNS records of all domains refer to. */
import { Context, Effect, Layer } from "effect"
import type { Component } from "#core/daemon/Health.ts"
import { settings } from "#core/config/Environment.ts"
import { domainSettings } from "./DomainSettings.ts"
import type { MailServer as Server } from "./DnsRecords.ts"

export class MailServer extends Context.Service<
  MailServer,
  {
    /** Host name for mail programs. */
    readonly host: string | undefined
    /** Variables that are not set yet and that every domain waits for. */
    readonly missing: ReadonlyArray<string>
    readonly records: Server
  }
>()("signalbox/mail-admin/MailServer") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(settings(domainSettings), (config) => {
      const { dmarcReportAddress: report, mailHost: host, platformIpv4: ipv4, platformIpv6: ipv6 } = config
      return MailServer.of({
        host,
        missing: [
          ...(host === undefined ? ["SIGNALBOX_MAIL_HOST"] : []),
          ...(ipv4 === undefined ? ["SIGNALBOX_PLATFORM_IPV4"] : [])
        ],
        records: { host, ipv4, ipv6, report }
      })
    })
  )
}

/** Health component `mail_server`. */
export const mailServerComponent = Effect.map(MailServer, ({ missing }): Component =>
  missing.length === 0
    ? { status: "ok" }
    : { status: "unconfigured", detail: `${missing.join(", ")} unset: mail domains wait for their DNS records` }
)
