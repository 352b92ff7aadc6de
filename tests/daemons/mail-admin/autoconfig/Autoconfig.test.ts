/** Autoconfiguration of mail clients, parsed with an independent XML parser. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { request } from "node:http"
import { SaxesParser } from "saxes"
import { askedDomains } from "#daemons/mail-admin/autoconfig/AskedDomain.ts"
import { clientConfig } from "#daemons/mail-admin/autoconfig/ClientConfig.ts"
import { as, callsOf, startAdmin } from "../Admin.ts"

/** Elements and texts in document order. Throws when the document is not well-formed. */
const parsed = (xml: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const parser = new SaxesParser()
  parser.on("error", (error) => {
    throw error
  })
  parser.on("opentag", ({ attributes, name }) =>
    found.push([name, ...Object.entries(attributes).map(([key, value]) => `${key}=${value}`)].join(" "))
  )
  parser.on("text", (text) => void (text.trim() === "" || found.push(`"${text}"`)))
  parser.write(xml).close()
  return found
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly cache: string | undefined
  readonly text: string
}

/** Sends a request like a mail client, to a given host name. */
const ask = (base: string, path: string, host: string) =>
  Effect.promise(
    () =>
      new Promise<Answer>((resolve, reject) => {
        const { hostname, port } = new URL(base)
        request({ host: hostname, port, path, headers: { host } }, (response) => {
          let text = ""
          response.on("data", (chunk) => (text += chunk))
          response.on("end", () =>
            resolve({
              status: response.statusCode!,
              type: String(response.headers["content-type"]),
              cache: response.headers["cache-control"],
              text
            })
          )
        })
          .on("error", reject)
          .end()
      })
  )

it("lists the servers and sign-in methods in the order in which mail programs try them", () => {
  expect(parsed(clientConfig("example.test", "mx.provider.test"))).toEqual([
    "clientConfig version=1.1",
    "emailProvider id=example.test",
    "domain",
    '"example.test"',
    "displayName",
    '"example.test Mail"',
    "displayShortName",
    '"example.test"',
    ...[
      ["incomingServer type=imap", 993, "SSL"],
      ["outgoingServer type=smtp", 587, "STARTTLS"],
      ["outgoingServer type=smtp", 465, "SSL"]
    ].flatMap(([server, port, socket]) =>
      `${server}/hostname/"mx.provider.test"/port/"${port}"/socketType/"${socket}"/username/"%EMAILADDRESS%"/authentication/"password-cleartext"/authentication/"OAuth2"`.split(
        "/"
      )
    )
  ])
})

it("is well-formed XML for any domain and host name", () => {
  const hostile = "a\"'<&>]]>.test"
  expect(parsed(clientConfig(hostile, hostile)).slice(0, 4)).toEqual([
    "clientConfig version=1.1",
    `emailProvider id=${hostile}`,
    "domain",
    `"${hostile}"`
  ])
})

it.each([
  ["autoconfig.example.test", ["example.test", "autoconfig.example.test"]],
  ["AutoConfig.Example.Test.:8080", ["example.test", "autoconfig.example.test"]],
  ["example.test", ["example.test"]],
  ["mail.example.test", ["mail.example.test"]],
  ["autoconfig.test", ["autoconfig.test"]],
  ["test", []],
  ["127.0.0.1:80", []],
  ["[::1]:80", []],
  ["a_b.test", []],
  ["example.test\u0000", []],
  [`${"a".repeat(300)}.test`, []],
  [undefined, []]
])("takes Host %s for %j", (host, domains) => expect(askedDomains(host)).toEqual(domains))

it.live("answers for the domains of all tenants at both host names, and 404 for other domains", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startAdmin({ gateway: true })
      for (const [tenant, domain] of [
        [7, "example.test"],
        [8, "autoconfig.other.test"]
      ] as const) {
        yield* callsOf(suite, as(tenant)).domain(domain)
      }
      const asked = (path: string, host: string) => ask(suite.base(), path, host)
      const own = "/mail/config-v1.1.xml"
      const known = "/.well-known/autoconfig/mail/config-v1.1.xml"
      for (const [path, host] of [
        [own, "autoconfig.example.test"],
        [`${own}?emailaddress=ann%40example.test`, "AUTOCONFIG.example.test:80"],
        [known, "example.test"]
      ] as const) {
        const answer = yield* asked(path, host)
        expect([answer.status, answer.type, answer.cache]).toEqual([
          200,
          "application/xml; charset=utf-8",
          "public, max-age=3600"
        ])
        expect(parsed(answer.text).slice(1, 4)).toEqual(["emailProvider id=example.test", "domain", '"example.test"'])
        expect(answer.text).not.toContain("ann")
      }
      expect(parsed((yield* asked(own, "autoconfig.other.test")).text)[1]).toBe(
        "emailProvider id=autoconfig.other.test"
      )
      for (const host of [
        "autoconfig.nobody.test",
        "127.0.0.1",
        "autoconfig.",
        "other.test",
        "autoconfig.example.test.evil.test"
      ]) {
        const answer = yield* asked(own, host)
        expect([answer.status, answer.type, JSON.parse(answer.text).code]).toEqual([
          404,
          "application/problem+json",
          "not_found"
        ])
      }
      for (const hostile of [
        "<script>alert(1)</script>",
        '"><x',
        "a@b.test\r\nSet-Cookie: x=1",
        "%00",
        "a".repeat(10_000),
        "&x;",
        ""
      ]) {
        const answer = yield* asked(`${own}?emailaddress=${encodeURIComponent(hostile)}`, "autoconfig.example.test")
        expect([answer.status, JSON.parse(answer.text).errors[0].field]).toEqual([422, "query.emailaddress"])
        if (hostile.length > 5) expect(answer.text).not.toContain(hostile.slice(0, 20))
      }
    })
  )
)
