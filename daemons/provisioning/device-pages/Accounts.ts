/** Reads the accounts of devices out of the answer to a set-up. Pure. */
import type { Schema } from "effect"
import type { DavAccount, Endpoint, MailAccount, SipAccount } from "#protocols/device-profiles/Accounts.ts"
import type { ExtensionCredentials } from "#core/contracts/Provisioning.ts"

/** The part of the answer to a set-up (`ProvisioningAnswer` of the retrieval) that the pages use. */
export interface Answer {
  /** Base address of the tenant. */
  readonly server_url: string
  readonly user: { readonly id: number; readonly display_name: string }
  readonly services: ReadonlyArray<{
    readonly feature: string
    readonly config?: { readonly [key: string]: Schema.Json }
  }>
}

/** Accounts that the booked services of an answer describe completely. */
export interface DeviceAccounts {
  readonly mail?: MailAccount
  readonly contacts?: DavAccount
  readonly calendar?: DavAccount
}

type Service = Answer["services"][number]

/** The first booked service with this feature. */
const booked = (answer: Answer, feature: string): Service | undefined =>
  answer.services.find((service) => service.feature === feature && service.config !== undefined)

const text = (service: Service | undefined, key: string): string | undefined => {
  const value = service?.config?.[key]
  return typeof value === "string" && value !== "" ? value : undefined
}

/** Mail, contacts and calendar. The app password of the mailbox also opens contacts and calendar. */
export const accountsOf = (answer: Answer): DeviceAccounts => {
  const service = booked(answer, "mail")
  const [username, password, address] = ["username", "password", "url_template"].map((key) => text(service, key))
  const servers = address === undefined ? undefined : mailServers(address)
  if (username === undefined || password === undefined) return {}
  const dav = (feature: string): DavAccount | undefined => {
    const url = text(booked(answer, feature), "url_template")
    return url === undefined || !isWebAddress(url) ? undefined : { url, username, password }
  }
  const [contacts, calendar] = [dav("carddav"), dav("caldav")]
  return {
    ...(servers === undefined
      ? {}
      : { mail: { address: username, displayName: answer.user.display_name, username, password, ...servers } }),
    ...(contacts === undefined ? {} : { contacts }),
    ...(calendar === undefined ? {} : { calendar })
  }
}

const isWebAddress = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? "")

/** Servers of `mail.example.org:993/587`: IMAP port, then submission port. Source: interface document 2 §2.4. */
const mailServers = (address: string): { readonly imap: Endpoint; readonly smtp: Endpoint } | undefined => {
  const [, host, imap, smtp] = /^([a-z0-9.-]+):(\d{1,5})\/(\d{1,5})$/i.exec(address) ?? []
  return host === undefined ? undefined : { imap: { host, port: Number(imap) }, smtp: { host, port: Number(smtp) } }
}

/** Transports of telephones, the best first. Telephones do not speak SIP over WebSocket. */
const phoneTransports = ["tls", "udp"] as const

/** The line of a telephone; undefined when the extension is for browsers only. */
export const lineOf = (credentials: typeof ExtensionCredentials.reply.Type): SipAccount | undefined => {
  for (const wanted of phoneTransports) {
    const found = credentials.transports.find(({ transport }) => transport === wanted)
    if (found !== undefined)
      return {
        extension: credentials.extension,
        authName: credentials.extension,
        password: credentials.password,
        domain: credentials.realm,
        displayName: credentials.display_name,
        server: { host: found.host, port: found.port },
        transport: wanted,
        srtp: found.srtp
      }
  }
  return undefined
}
