import { expect, it } from "@effect/vitest"
import { afterEach } from "vitest"
import { forgetAll, putTexts } from "#core/words/TextMemory.ts"
import * as ErrorPage from "#daemons/identity/federation/ErrorPage.ts"
import { languageFrom } from "#core/words/Language.ts"
import { reasons } from "#daemons/identity/federation/FederationRefused.ts"

it("each reason has a page in both languages, with a lang attribute and without external resources", () => {
  for (const reason of reasons) {
    for (const language of ["de", "en"] as const) {
      const { html, status } = ErrorPage.render({
        reason,
        language,
        correlation: "0a1b",
        startUrl: "/api/v1/auth/oidc/1/start"
      })
      expect([reason, status >= 400 && status < 600]).toEqual([reason, true])
      expect(html).toContain(`<html lang="${language}">`)
      expect(html).toContain("<code>0a1b</code>")
      expect(html.match(/<h1>[^<]{10,}<\/h1>/)).not.toBeNull()
      expect(html).not.toMatch(/<script|src=|undefined/)
    }
  }
})

it("shows the brand, whose logo the policy allows", () => {
  const logo = "data:image/png;base64,iVBORw0KGgo="
  const brand = { brandName: "Löwe <IT>", brandLogo: logo, brandColour: "#1d5fa8" }
  const { html } = ErrorPage.render({
    reason: "state",
    language: "en",
    correlation: "0a1b",
    startUrl: undefined,
    brand
  })
  expect(html).toContain("Löwe &lt;IT>")
  expect(html).toContain(`src="${logo}"`)
  expect(html).toContain('fill="#1d5fa8"')
  expect(ErrorPage.policy(brand)).toContain("img-src data:")
  expect(ErrorPage.policy()).not.toContain("img-src data:")
})

it("values are escaped as text", () => {
  const { html } = ErrorPage.render({
    reason: "state",
    language: "en",
    correlation: "<b>",
    startUrl: '"><script>alert(1)</script>'
  })
  expect(html).toContain("<code>&#60;b&#62;</code>")
  expect(html).toContain('href="&#34;&#62;&#60;script&#62;')
})

afterEach(forgetAll)

it("what people write in place of a text is escaped", () => {
  const hostile = "<script>alert(1)</script>"
  putTexts(
    ["federation.stale.title", "federation.stale.text", "federation-page.retry", "federation-page.number"].map(
      (name) => ({ locale: "de", key: `server.identity.${name}`, value: hostile })
    )
  )
  const { html } = ErrorPage.render({ reason: "state", language: "de", correlation: "0a1b", startUrl: "/x" })
  expect(html.match(/&#60;script&#62;alert\(1\)/g)).toHaveLength(5)
  expect(html).not.toContain("<script")
})

it("the page uses the preferred supported language", () => {
  const table = [
    [undefined, "en"],
    ["", "en"],
    ["de", "de"],
    ["de-AT,en;q=0.5", "de"],
    ["en,de", "en"],
    ["en;q=0.5, de;q=0.7", "de"],
    ["fr", "en"],
    ["fr, de;q=0.1", "de"],
    ["de;q=0", "en"],
    ["DE-de", "de"],
    [";;;,,,=", "en"],
    ["x".repeat(10_000), "en"]
  ] as const
  for (const [header, language] of table) expect([header, languageFrom(undefined, header)]).toEqual([header, language])
})
