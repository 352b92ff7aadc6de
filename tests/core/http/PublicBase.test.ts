import { expect, it } from "@effect/vitest"
import { publicBase } from "#core/http/PublicBase.ts"

it("the base is the public address, else the requested host, without characters that a header injects", () => {
  expect(publicBase("https://a.test/x", { host: "b.test" })).toBe("https://a.test/x")
  const of = (host: string | undefined, proto?: string) => publicBase(undefined, { host, "x-forwarded-proto": proto })
  expect([of("b.test:8080"), of("[::1]:80"), of("b.test", "https"), of("b.test", "javascript")]).toEqual([
    "http://b.test:8080",
    "http://[::1]:80",
    "https://b.test",
    "http://b.test"
  ])
  for (const bad of [
    undefined,
    "",
    "b.test/path",
    "u@b.test",
    "b.test?x",
    "b.test#x",
    "b test",
    "b.test\\",
    "b.test:port",
    "b.test:999999"
  ])
    expect([bad, of(bad)]).toEqual([bad, "http://localhost"])
})
