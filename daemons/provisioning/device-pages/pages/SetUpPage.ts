/**
 * Page after a device was set up: what each kind of device needs, with the passwords of the device, shown once. Pure.
 */
import { type ComponentChildren, h } from "preact"
import { Redacted } from "effect"
import type { HttpServerResponse } from "effect/http"
import { svg } from "#core/auth/QrCode.ts"
import { davx5Link } from "#protocols/device-profiles/Davx5Link.ts"
import type { DeviceAccounts } from "../Accounts.ts"
import { frame } from "./Frame.ts"
import { words } from "./Words.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"

export interface SetUpPage {
  readonly language: LanguageCode
  readonly displayName: string
  /** Base address of the tenant. */
  readonly server: string
  readonly accounts: DeviceAccounts
  /** Sealed accounts for the button of the profile. */
  readonly profile: string
  /** Address from which a telephone loads its configuration, with a final slash; undefined without an extension. */
  readonly phoneAddress: string | undefined
}

export const setUpPage = (options: SetUpPage): HttpServerResponse.HttpServerResponse => {
  const { accounts, displayName, language, phoneAddress, server } = options
  const t = words(language)
  const sections = [
    ...(Object.keys(accounts).length === 0 ? [] : [appleSection(options), androidSection(options)]),
    mailSection(options),
    ...(phoneAddress === undefined
      ? []
      : [phoneSection(language, phoneAddress), softphoneSection(language, phoneAddress)])
  ].filter((section) => section !== null)
  return frame(
    { language, title: t.title },
    h(
      "main",
      { class: "plain" },
      h("h1", null, t.title),
      h("p", null, t.server, " ", h("a", { href: server }, server)),
      sections.length === 0
        ? h("p", null, t.nothing)
        : [h("p", null, t.lead({ name: displayName })), h("p", { class: "warn" }, t.once), ...sections]
    )
  )
}

const section = (title: string, ...children: ReadonlyArray<ComponentChildren>) =>
  h("section", null, h("h2", null, title), ...children)

const appleSection = ({ language, profile }: SetUpPage) => {
  const t = words(language)
  return section(
    t.apple,
    h("p", null, t.appleText),
    h(
      "form",
      { method: "post", action: "/provision/profile/device.mobileconfig" },
      h("input", { type: "hidden", name: "profile", value: profile }),
      h("button", { type: "submit" }, t.appleButton)
    ),
    h("ol", null, ...t.appleSteps.map((step) => h("li", null, step))),
    h("p", { class: "soft" }, t.appleLimit)
  )
}

/** DAVx⁵ finds the calendars of a server from the address of its contacts, and the other way round. */
const androidSection = ({ accounts: { calendar, contacts }, language }: SetUpPage) => {
  const t = words(language)
  const dav = contacts ?? calendar
  const link = dav === undefined ? undefined : davx5Link(dav)
  if (link === undefined) return null
  return section(
    t.android,
    h("p", null, t.androidText),
    h("p", null, h("a", { href: link, class: "button" }, t.androidButton)),
    h("p", null, t.androidQr),
    qr(link, t.androidQrTitle)
  )
}

const mailSection = ({ accounts: { calendar, contacts, mail }, language }: SetUpPage) => {
  const t = words(language)
  const account = mail ?? contacts ?? calendar
  if (account === undefined) return null
  return section(
    t.mail,
    h("p", null, t.mailText),
    list(
      ...(mail === undefined ? [] : [[t.address, mail.address] as const]),
      [t.username, account.username],
      [t.password, account.password],
      ...(mail === undefined
        ? []
        : [
            [t.incoming, `${mail.imap.host}, ${t.tls({ port: mail.imap.port })}`] as const,
            [t.outgoing, `${mail.smtp.host}, ${t.startTls({ port: mail.smtp.port })}`] as const
          ]),
      ...(contacts === undefined ? [] : [[t.contacts, contacts.url] as const]),
      ...(calendar === undefined ? [] : [[t.calendar, calendar.url] as const])
    )
  )
}

const phoneSection = (language: LanguageCode, address: string) => {
  const t = words(language)
  return section(t.phone, h("p", null, t.phoneText), list([t.phoneBase, address], [t.phoneSnom, `${address}snom.xml`]))
}

const softphoneSection = (language: LanguageCode, address: string) => {
  const t = words(language)
  const link = `${address}linphone.xml`
  return section(
    t.softphone,
    h("p", null, t.softphoneText),
    h("p", null, h("code", null, link)),
    qr(link, t.softphoneQr)
  )
}

const list = (...entries: ReadonlyArray<readonly [string, string]>) =>
  h("dl", null, ...entries.flatMap(([name, value]) => [h("dt", null, name), h("dd", null, h("code", null, value))]))

/** The SVG text can be trusted: it is generated here, and `content` appears in it only as black and white modules. */
const qr = (content: string, title: string) =>
  h("div", { dangerouslySetInnerHTML: { __html: Redacted.value(svg(Redacted.make(content), title)) } })
