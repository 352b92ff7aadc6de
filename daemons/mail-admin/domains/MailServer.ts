/** The mail server that the DNS records of all domains refer to, as it is configured now. */
import { Context, Effect, Layer } from "effect"
import type { Component } from "#core/daemon/Health.ts"
import { settings } from "#core/config/Environment.ts"
import { mailServerSettings } from "#core/config/MailServerSettings.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
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
    Effect.gen(function* () {
      const { dmarcReportAddress: report } = yield* settings(domainSettings)
      const now = (yield* StoredSettings).live({}, mailServerSettings)
      return MailServer.of({
        get host() {
          return now.mailHost
        },
        get missing() {
          return [
            ...(now.mailHost === undefined ? ["SIGNALBOX_MAIL_HOST"] : []),
            ...(now.platformIpv4 === undefined ? ["SIGNALBOX_PLATFORM_IPV4"] : [])
          ]
        },
        get records() {
          return { host: now.mailHost, ipv4: now.platformIpv4, ipv6: now.platformIpv6, report }
        }
      })
    })
  )
}

/** Health component `mail_server`. */
export const mailServerComponent = Effect.map(MailServer, (server): Component => {
  const { missing } = server
  return missing.length === 0
    ? { status: "ok" }
    : { status: "unconfigured", detail: `${missing.join(", ")} unset: mail domains wait for their DNS records` }
})
