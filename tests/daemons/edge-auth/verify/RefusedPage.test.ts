import { expect, it } from "@effect/vitest"
import { afterEach } from "vitest"
import { forgetAll, putLanguages, putTexts } from "#core/words/TextMemory.ts"
import { makeRefusedPage } from "#daemons/edge-auth/verify/RefusedPage.ts"

afterEach(forgetAll)

it("is rendered once, and again after a change of texts, with what people wrote as text", () => {
  const page = makeRefusedPage("https://auth.example.org", ["cache-control", "no-store"])
  const first = page()
  expect(page()).toBe(first)
  expect(first.body).toContain("Kein Zugang")
  putLanguages([{ code: "fr", label: "Français", removed: false }])
  putTexts([{ locale: "fr", key: "server.edge-auth.pages.noAccess", value: "<b>Interdit</b>" }])
  const { body, headers } = page()
  expect(body).toContain('<h2 lang="fr">&lt;b>Interdit&lt;/b></h2>')
  expect(body).toContain("https://auth.example.org/account?lang=fr")
  expect(headers[headers.indexOf("content-length") + 1]).toBe(String(Buffer.byteLength(body)))
})
