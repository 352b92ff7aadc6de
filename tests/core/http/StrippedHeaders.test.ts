import fc from "fast-check"
import { expect, it } from "vitest"
import { forwardedHeaders, identityHeaders, isStripped, mayBeStripped } from "#core/http/StrippedHeaders.ts"

/** A listed header name in random case; prefixes get a random rest. */
const listed = fc
  .tuple(fc.constantFrom(...identityHeaders, ...forwardedHeaders), fc.stringMatching(/^[a-z0-9-]{0,12}$/))
  .map(([name, rest]) => (name.endsWith("-") ? name + rest : name))
const cased = (name: fc.Arbitrary<string>) =>
  fc
    .tuple(name, fc.infiniteStream(fc.boolean()))
    .map(([text, upper]) => Array.from(text, (letter) => (upper.next().value ? letter.toUpperCase() : letter)).join(""))
const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,20}$/)

it("the prefilter finds every name that the rule removes", () => {
  fc.assert(
    fc.property(fc.oneof(cased(listed), token), fc.boolean(), (name, mayForward) => {
      if (isStripped(name.toLowerCase(), mayForward)) expect(mayBeStripped(name, mayForward)).toBe(true)
    }),
    { numRuns: 5_000 }
  )
})

it("removes identity headers always, forwarded headers only from peers that may not forward", () => {
  fc.assert(
    fc.property(listed, fc.boolean(), (name, mayForward) => {
      const identity = name.startsWith("x-auth-") || name.startsWith("remote-")
      expect(isStripped(name, mayForward)).toBe(identity || !mayForward)
    })
  )
})

it.each(["referer", "host", "accept", "x-requested-with", "user-agent", "cookie", "remote-addr", "forward"])(
  "keeps %s",
  (name) => expect(isStripped(name, false)).toBe(false)
)

it.each(["Host", "Accept", "User-Agent", "Cookie", "Connection", "x-forwarded-for"])(
  "the prefilter skips the rule for %s of a trusted proxy",
  (name) => expect(mayBeStripped(name, true)).toBe(false)
)
