import { expect, it } from "vitest"
import { page } from "#daemons/edge-auth/edge/pages/Page.ts"

it("a page without a logo allows no images", () => {
  const policy = page({ language: "en", title: "Sign in" }).headers["content-security-policy"]
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain("img-src")
})
