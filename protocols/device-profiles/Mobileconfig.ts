/**
 * Apple configuration profiles (`.mobileconfig`) with accounts for mail, contacts and calendars. Pure: values in, XML
 * property list out; `CmsSignature.ts` signs it. The library plist writes and escapes the list. Source: Apple Platform
 * Deployment, payloads `com.apple.mail.managed`, `com.apple.carddav.account` and `com.apple.caldav.account`.
 */
import { hash } from "node:crypto"
import { build, type PlistValue } from "plist"
import type { DavAccount, MailAccount } from "./Accounts.ts"
import { oneLine } from "./Text.ts"

/** Media type with which Apple devices offer to install the answer. */
export const mediaType = "application/x-apple-aspen-config"

export interface Profile {
  /**
   * Identifier of the profile on the device, in the form of a reversed domain name. A profile with the same identifier
   * replaces the installed one.
   */
  readonly identifier: string
  readonly title: string
  readonly organization: string
  readonly description: string
  readonly mail?: MailAccount
  readonly contacts?: DavAccount
  readonly calendar?: DavAccount
}

/** The profile as an XML property list. A profile without accounts is valid and changes nothing. */
export const mobileconfig = (profile: Profile): string => {
  const { calendar, contacts, mail } = profile
  return build({
    ...common(profile, "Configuration", profile.identifier, profile.title),
    PayloadDescription: oneLine(profile.description),
    PayloadOrganization: oneLine(profile.organization),
    PayloadRemovalDisallowed: false,
    PayloadContent: [
      ...(mail === undefined ? [] : [mailPayload(profile, mail)]),
      ...(contacts === undefined ? [] : [davPayload(profile, "CardDAV", contacts)]),
      ...(calendar === undefined ? [] : [davPayload(profile, "CalDAV", calendar)])
    ]
  })
}

type Payload = Record<string, PlistValue>

/** Members of the profile itself and of each payload. */
const common = (profile: Profile, type: string, identifier: string, name: string): Payload => ({
  PayloadType: type,
  PayloadVersion: 1,
  PayloadIdentifier: oneLine(identifier),
  PayloadUUID: uuidOf(`${profile.identifier}\n${type}`),
  PayloadDisplayName: oneLine(name)
})

const mailPayload = (profile: Profile, mail: MailAccount): Payload => ({
  ...common(profile, "com.apple.mail.managed", `${profile.identifier}.mail`, mail.address),
  EmailAccountType: "EmailTypeIMAP",
  EmailAccountDescription: oneLine(mail.address),
  EmailAccountName: oneLine(mail.displayName),
  EmailAddress: oneLine(mail.address),
  IncomingMailServerAuthentication: "EmailAuthPassword",
  IncomingMailServerHostName: oneLine(mail.imap.host),
  IncomingMailServerPortNumber: mail.imap.port,
  IncomingMailServerUseSSL: true,
  IncomingMailServerUsername: oneLine(mail.username),
  IncomingPassword: mail.password,
  OutgoingMailServerAuthentication: "EmailAuthPassword",
  OutgoingMailServerHostName: oneLine(mail.smtp.host),
  OutgoingMailServerPortNumber: mail.smtp.port,
  OutgoingMailServerUseSSL: true,
  OutgoingMailServerUsername: oneLine(mail.username),
  OutgoingPassword: mail.password,
  OutgoingPasswordSameAsIncomingPassword: true
})

/** Ports when the address names none. */
const usualPorts = { https: 443, http: 80 } as const

const davPayload = (profile: Profile, kind: "CardDAV" | "CalDAV", dav: DavAccount): Payload => {
  const type = `com.apple.${kind.toLowerCase()}.account`
  const { hostname, pathname, port, protocol } = new URL(dav.url)
  const isSecure = protocol === "https:"
  return {
    ...common(profile, type, `${profile.identifier}.${kind.toLowerCase()}`, `${profile.title} ${kind}`),
    [`${kind}AccountDescription`]: oneLine(profile.title),
    [`${kind}HostName`]: hostname,
    [`${kind}Port`]: port === "" ? (isSecure ? usualPorts.https : usualPorts.http) : Number(port),
    [`${kind}PrincipalURL`]: pathname,
    [`${kind}UseSSL`]: isSecure,
    [`${kind}Username`]: oneLine(dav.username),
    [`${kind}Password`]: dav.password
  }
}

/** UUID of a name, always the same, so that a repeated download is the same profile. Source: RFC 9562 §5.8. */
const uuidOf = (name: string): string => {
  const digits = hash("sha256", name, "hex")
  const variant = ((Number.parseInt(digits.slice(16, 17), 16) & 3) | 8).toString(16)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32)
  ]
    .join("-")
    .toUpperCase()
}
