import { Result } from "effect"
import { expect, it } from "vitest"
import { edgeSettings } from "#daemons/edge-auth/edge/EdgeSettings.ts"

it.each([
  ["example.org", "example.org"],
  [".example.org", "example.org"],
  ["..example.org", undefined],
  [".co.uk", undefined],
  ["Example.org", undefined]
])("AUTH_COOKIE_DOMAIN=%s is %s", (given, domain) => {
  expect(Result.getOrUndefined(edgeSettings.cookieDomain.parse(given))).toBe(domain)
})
