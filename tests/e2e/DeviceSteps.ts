/** Steps of devices without a client of ours: press the button, read what the page shows, use the accounts. */
import { spawnSync } from "node:child_process"
import { parse } from "parse5"
import type { TestSuite } from "#support/TestSuite.ts"

export interface ShownPage {
  readonly status: number
  readonly html: string
  readonly headers: Headers
  /** Values of the hidden inputs by name. */
  readonly hidden: Readonly<Record<string, string>>
  readonly links: ReadonlyArray<string>
  /** Pictures of QR codes by their title. */
  readonly qr: Readonly<Record<string, string>>
  /** Texts of `code` elements. */
  readonly codes: ReadonlyArray<string>
}

interface Element {
  readonly tagName?: string
  readonly attrs?: ReadonlyArray<{ readonly name: string; readonly value: string }>
  readonly childNodes?: ReadonlyArray<Element>
  readonly value?: string
}

const elementsOf = (node: Element): ReadonlyArray<Element> => [node, ...(node.childNodes ?? []).flatMap(elementsOf)]
const attribute = (node: Element, name: string) => node.attrs?.find((one) => one.name === name)?.value
const textOf = (node: Element): string => node.value ?? (node.childNodes ?? []).map(textOf).join("")

/** What a browser gets when the button of a link is pressed. */
export const pressButton = async (suite: TestSuite, path: string, language = "en"): Promise<ShownPage> => {
  const response = await fetch(suite.base() + path, {
    method: "POST",
    headers: { accept: "text/html,application/xhtml+xml", "accept-language": language, "user-agent": "Test device" }
  })
  const html = await response.text()
  const elements = elementsOf(parse(html) as Element)
  const named = (tag: string) => elements.filter(({ tagName }) => tagName === tag)
  return {
    status: response.status,
    html,
    headers: response.headers,
    hidden: Object.fromEntries(
      named("input").map((input) => [attribute(input, "name") ?? "", attribute(input, "value") ?? ""])
    ),
    links: named("a").map((link) => attribute(link, "href") ?? ""),
    qr: Object.fromEntries(
      Array.from(html.matchAll(/<svg .*?<\/svg>/gs), ([picture]) => [
        /aria-label="([^"]*)"/.exec(picture)?.[1] ?? "",
        picture
      ])
    ),
    codes: named("code").map(textOf)
  }
}

/** What the button of the profile gets. */
export const loadProfile = async (suite: TestSuite, profile: string) => {
  const response = await fetch(`${suite.base()}/provision/profile/device.mobileconfig`, {
    method: "POST",
    body: new URLSearchParams({ profile })
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Accounts of a profile, as Python's plistlib reads them. */
export const readByPlistlib = (bytes: Buffer): Record<string, any> => {
  const script =
    "import plistlib, json, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read(), fmt=plistlib.FMT_XML)))"
  const found = spawnSync("/usr/bin/python3", ["-c", script], { input: bytes, encoding: "utf8" })
  if (found.status !== 0) throw new Error(found.stderr)
  return JSON.parse(found.stdout)
}

/** An account of CardDAV or CalDAV in a profile. */
export interface DavLogin {
  readonly base: string
  readonly principal: string
  readonly username: string
  readonly password: string
}

export const davLogin = (payload: Record<string, any>, kind: "CardDAV" | "CalDAV"): DavLogin => ({
  base: `${payload[`${kind}UseSSL`] ? "https" : "http"}://${payload[`${kind}HostName`]}:${payload[`${kind}Port`]}`,
  principal: payload[`${kind}PrincipalURL`],
  username: payload[`${kind}Username`],
  password: payload[`${kind}Password`]
})

/** A request of a DAV client. */
export const dav = (
  { base, password, username }: DavLogin,
  method: string,
  path: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {}
) =>
  fetch(base + path, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
      "content-type": "application/xml; charset=utf-8",
      ...headers
    },
    ...(body === undefined ? {} : { body })
  })

/** Path of the user's principal, asked for at the address of the account. Source: RFC 5397. */
export const principalOf = async (login: DavLogin): Promise<string | undefined> => {
  const ask = '<propfind xmlns="DAV:"><prop><current-user-principal/></prop></propfind>'
  const response = await dav(login, "PROPFIND", login.principal, ask, { depth: "0" })
  return /current-user-principal[^]*?href>([^<]+)</.exec(await response.text())?.[1]
}
