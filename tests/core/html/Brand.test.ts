import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Fragment, h } from "preact"
import { renderToString } from "preact-render-to-string"
import { defaultBrandName } from "#core/config/BrandSettings.ts"
import { brandHead, brandLine, brandMailHead, brandSigned, logoPart } from "#core/html/Brand.ts"
import { compose } from "#daemons/comm-dispatcher/notifications/mail/NotificationMail.ts"
import { compose as composeNotice } from "#core/second-path/NoticeMail.ts"
import { linkMail } from "#daemons/provisioning/link-mail/LinkMail.ts"
import { compose as encode } from "#core/mail-relay/MailRelay.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { provisioning } from "#daemons/provisioning/Daemon.ts"
import { startSuite } from "#support/TestSuite.ts"

/** A PNG of one pixel. */
const logo =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const own = { brandName: defaultBrandName, brandLogo: undefined, brandColour: undefined }
const acme = { brandName: "Acme & Söhne", brandLogo: logo, brandColour: "#1d5fa8" }

const page = (brand: typeof own | typeof acme) => renderToString(h(Fragment, null, ...brandHead(brand)))

describe("the brand", () => {
  it("shows nothing for our own name without logo and colour", () => {
    expect([page(own), brandMailHead(own), logoPart(own), brandLine(own)]).toEqual(["", "", undefined, []])
  })

  it("has name, logo and colour on pages, with no style attribute", () => {
    const html = page(acme)
    expect(html).toContain("<span>Acme &amp; Söhne</span>")
    expect(html).toContain(`src="${logo}"`)
    expect(html).toContain('fill="#1d5fa8"')
    expect(html).not.toContain("style=")
  })

  it("has name and colour in mails, with the logo as a part of the mail", async () => {
    const content = { type: "a.b", category: "system", severity: "info", title: "Title", body: "Body" } as const
    const mail = compose([content], 0, { name: "A", locale: "de" }, acme)
    expect(mail.html).toContain("border-top:4px solid #1d5fa8")
    expect(mail.text).toContain("-- \nAcme & Söhne\n")
    const { picture, ...rest } = mail
    const addresses = { from: "a@example.org", to: ["b@example.org"], messageId: "<1@example.org>" }
    const raw = (await encode({ ...rest, ...addresses, picture })).toString()
    const [, id] = /<img src="cid:([^"]+)"/.exec(mail.html) ?? []
    expect(raw).toContain(`Content-Id: <${id}>`.replace("Content-Id", /Content-I[dD]/.exec(raw)![0]))
    expect(raw.replace(/\r\n/g, "")).toContain(logo.split(",")[1])
    expect((await encode({ ...mail, ...addresses, picture: undefined })).toString()).not.toContain("multipart/related")
  })
})

describe("plain mails", () => {
  const notice = {
    kind: "new",
    trouble: { key: "a", watch: "alarms", since: 0, after: 0, what: "What", advice: "Advice" }
  } as const
  const context = { daemon: "comm-dispatcher", host: "box", now: 1, reminder: "4 h" }
  const link = (brand: typeof own | typeof acme) =>
    linkMail({
      language: "en",
      name: "A",
      link: "https://a.test/provision/b",
      organization: brand.brandName,
      expiresAt: new Date(0),
      timeZone: null,
      brand
    })

  it("end with the name of the installation, but not with our own", () => {
    expect(brandSigned("A\n", acme)).toBe("A\n\n-- \nAcme & Söhne\n")
    expect(brandSigned("A\n", own)).toBe("A\n")
    for (const of of [(brand: typeof own | typeof acme) => composeNotice([notice], context, brand), link]) {
      expect(of(acme).text).toMatch(/\n\n-- \nAcme & Söhne\n$/)
      expect(of(own).text).not.toContain("-- ")
    }
  })

  it("of the alarm path name the installation in their subject", () => {
    expect(composeNotice([notice], context, acme).subject).toBe("Acme & Söhne on box: What")
    expect(composeNotice([notice], context, own).subject).toBe("Signalbox on box: What")
  })
})

it.live("welcome, edge and device pages show the stored brand, and their policies allow its logo", () =>
  Effect.gen(function* () {
    const suite = yield* startSuite({
      daemons: [identity, edgeAuth, provisioning],
      env: {
        SIGNALBOX_BRAND_NAME: acme.brandName.replace("&", "und"),
        SIGNALBOX_BRAND_LOGO: logo,
        SIGNALBOX_BRAND_COLOUR: acme.brandColour,
        AUTH_COOKIE_DOMAIN: "example.org"
      }
    })
    for (const [of, path] of [
      ["identity", "/api/v1/auth/welcome"],
      // The error page of a sign-in at a provider that does not exist.
      ["identity", "/api/v1/auth/oidc/none/start"],
      ["edge-auth", "/login"],
      ["provisioning", `/provision/sbp_${"0".repeat(8)}_${"a".repeat(64)}`]
    ] as const) {
      const { headers: answered, text } = yield* suite.call("GET", path, { of, headers: { accept: "text/html" } })
      expect(text, path).toContain("<span>Acme und Söhne</span>")
      expect(text, path).toContain('fill="#1d5fa8"')
      expect(answered.get("content-security-policy"), path).toContain("img-src data:")
    }
  }).pipe(Effect.scoped)
)
