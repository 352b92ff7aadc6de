import { Redacted } from "effect"
import { expect, it } from "vitest"
import { maxContent, svg } from "#core/auth/QrCode.ts"
import { uri } from "#core/auth/Totp.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { readSvg } from "#support/peers/Zbarimg.ts"

const link = uri({
  secret: Redacted.make("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"),
  issuer: "Löwe & Söhne",
  account: "ann@example.org"
})

it("is one SVG image with a title", () => {
  const picture = Redacted.value(svg(link, `Scan "this" & <sign> in\u0000\ud800`))
  expect(picture).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^<>]*role="img"[^<>]*><title>[^<>]*<\/title><path [^<>]*\/><path [^<>]*\/><\/svg>$/
  )
  expect(picture).toContain("<title>Scan &#34;this&#34; &#38; &#60;sign&#62; in\ufffd</title>")
  expect(picture).toContain(`aria-label="Scan &#34;this&#34; &#38; &#60;sign&#62; in\ufffd"`)
  expect(picture).not.toMatch(/script|style|href|on[a-z]+=/)
})

it("is redacted like its content", () => {
  expect(String(svg(link, "QR"))).not.toContain("<svg")
})

it("holds content up to the limit", () => {
  expect(Redacted.value(svg(Redacted.make("x".repeat(maxContent)), "QR")).length).toBeLessThan(100_000)
  expect(() => svg(Redacted.make("x".repeat(maxContent + 1)), "QR")).toThrow(RangeError)
})

describePeers(["ffmpeg", "zbarimg"], "a camera", () => {
  it.each([
    ["a link of an authenticator app", Redacted.value(link)],
    ["the longest", "https://example.org/".padEnd(maxContent, "abc/123?x=ö&".slice(0, 10))],
    ["a short one", "0"]
  ])("reads %s", (_what, text) => {
    expect(readSvg(Redacted.value(svg(Redacted.make(text), "QR")))).toBe(text)
  })
})
