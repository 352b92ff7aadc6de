/** The mail server that the records of every domain name, as the installation says. */
import { Context, Effect, Layer } from "effect"
import type { Component } from "#core/daemon/Health.ts"
import { NotConfigured } from "#core/http/Problem.ts"
import { settings } from "#core/config/Environment.ts"
import { domainSettings } from "./DomainSettings.ts"
import type { MailServer as Server } from "./DnsRecords.ts"

export class MailServer extends Context.Service<
  MailServer,
  {
    /** Its name, where mail programs find it. */
    readonly host: string | undefined
    /** Variables that are missing; empty: the records can be written. */
    readonly missing: ReadonlyArray<string>
    /** A domain without MX and SPF is half a thing, so none is made before the installation says what they name. */
    readonly get: Effect.Effect<Server, NotConfigured>
  }
>()("signalbox/mail-admin/MailServer") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(settings(domainSettings), (config) => {
      const { dmarcReportAddress: report, mailHost: host, platformIpv4: ipv4, platformIpv6: ipv6 } = config
      const missing = [
        ...(host === undefined ? ["SIGNALBOX_MAIL_HOST"] : []),
        ...(ipv4 === undefined ? ["SIGNALBOX_PLATFORM_IPV4"] : [])
      ]
      const detail = `Set ${missing.join(" and ")}, then restart mail-admin.`
      return MailServer.of({
        host,
        missing,
        get:
          host === undefined || ipv4 === undefined
            ? Effect.fail(new NotConfigured({ settings: missing, detail }))
            : Effect.succeed({ host, ipv4, ipv6, report })
      })
    })
  )
}

/** Health component `mail_server`. */
export const mailServerComponent = Effect.map(MailServer, ({ missing }): Component =>
  missing.length === 0
    ? { status: "ok" }
    : { status: "unconfigured", detail: `${missing.join(", ")} unset: no mail domain can be made` }
)
