/** The public pages of links and devices in a real browser: every part, long names, both languages and themes. */
import type { HttpServerResponse } from "effect/http"
import type { Browser } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { setUpPage } from "#daemons/provisioning/device-pages/pages/SetUpPage.ts"
import { awayPage, buttonPage, gonePage, tooManyPage } from "#daemons/provisioning/retrieval/Pages.ts"
import { graveFindings, narrow } from "#support/Axe.ts"
import { ensurePeers } from "#support/peers/install.ts"
import { screenshot } from "#support/Screenshots.ts"
import { sharedBrowser } from "#support/TestBrowser.ts"
import { calendar, contacts, mail } from "../../../protocols/device-profiles/Accounts.ts"

let browser: Browser | undefined
beforeAll(async () => {
  await ensurePeers(["browser"])
  browser = await sharedBrowser()
}, 120_000)

const server = "https://a-very-long-name-of-a-customer.cloud.example.org:8443"
const phoneAddress = `${server}/provision/phone/${"x".repeat(32)}/`
const accounts = { mail: { ...mail, password: "k3mx-7pqr-aaaa-bbbb-cccc-dddd" }, contacts, calendar }

const pages = {
  button: buttonPage,
  gone: gonePage,
  away: awayPage,
  "too-many": (language: "en" | "de") => tooManyPage(language, 60),
  everything: (language: "en" | "de") =>
    setUpPage({
      language,
      displayName: "Annegret Schmidt-Langenfeld-Hohenstein".repeat(2),
      server,
      accounts,
      profile: "sbx1.x",
      phoneAddress
    }),
  nothing: (language: "en" | "de") =>
    setUpPage({ language, displayName: "Anna", server, accounts: {}, profile: "sbx1.x", phoneAddress: undefined })
}

const htmlOf = (page: HttpServerResponse.HttpServerResponse): string =>
  new TextDecoder().decode((page as unknown as { readonly body: { readonly body: Uint8Array } }).body.body)

describe("the public pages of links", () => {
  for (const [name, make] of Object.entries(pages)) {
    it(`${name}: accessible, and fits a narrow screen`, async (context) => {
      if (browser === undefined) return context.skip("tests need Chromium: apt install chromium-headless-shell")
      const found: Array<string> = []
      for (const [language, colorScheme] of [
        ["en", "light"],
        ["de", "dark"]
      ] as const) {
        const own = await browser.newContext({ colorScheme, viewport: { width: narrow, height: 700 } })
        try {
          const page = await own.newPage()
          await page.setContent(htmlOf(make(language)))
          const width = await page.evaluate(() => document.documentElement.scrollWidth)
          if (width > narrow) found.push(`${language}: ${width} pixels wide on a screen of ${narrow}`)
          found.push(...(await graveFindings(page)).map((finding) => `${language}: ${finding}`))
          await screenshot(page, `set-up-${name}.${language}.${colorScheme}`, { fullPage: true })
        } finally {
          await own.close()
        }
      }
      expect(found).toEqual([])
    }, 120_000)
  }
})
