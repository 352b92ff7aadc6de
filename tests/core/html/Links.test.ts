import fc from "fast-check"
import { expect, it } from "vitest"
import { chatApp, email, messenger, phone, website } from "#core/html/Links.ts"

const kinds = { email, phone, website, messenger, chatApp }
const names = ["email", "phone", "website", "messenger", "chatApp"] as const

it.each([
  ["email", "ann@example.org", "ann@example.org"],
  ["email", " an\0n@exam\r\nple.org\t", "ann@example.org"],
  ["email", "ann.example.org", undefined],
  ["email", "javascript:alert(1)@example.org", undefined],
  ["email", "java\u0000script:alert(1)@x", undefined],
  ["email", '"><script>@x', undefined],
  ["email", "a@b@c", undefined],
  ["phone", "+49 (30) 123-456", "+49 (30) 123-456"],
  ["phone", "030/123.456", "030123456"],
  ["phone", "javascript:alert(1)", undefined],
  ["phone", "()-", undefined],
  ["website", "https://example.org/a?b=c", "https://example.org/a?b=c"],
  ["website", "http://example.org", "http://example.org/"],
  ["website", "example.org", undefined],
  ["website", "//example.org", undefined],
  ["website", "javascript:alert(1)", undefined],
  ["website", " jAva\tscript:alert(1)", undefined],
  ["website", "data:text/html,x", undefined],
  ["website", "vbscript:x", undefined],
  ["website", "ftp://example.org", undefined],
  ["messenger", "ann_99", "ann_99"],
  ["messenger", "@ann_99", "ann_99"],
  ["messenger", "an", undefined],
  ["messenger", "a".repeat(33), undefined],
  ["messenger", "https://t.me/ann_99", "https://t.me/ann_99"],
  ["messenger", "https://t.me.evil.example/ann", undefined],
  ["messenger", "http://t.me/ann_99", undefined],
  ["messenger", "javascript:t.me", undefined],
  ["chatApp", "+4915112345", "+4915112345"],
  ["chatApp", "+49 151 12-345", "+4915112345"],
  ["chatApp", "1234", undefined],
  ["chatApp", "12+345", undefined],
  ["chatApp", "12345;alert", undefined]
] as const)("%s %j", (kind, given, wanted) => expect(kinds[kind](given)).toBe(wanted))

it("no result can leave an attribute or run, and cleaning is idempotent", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(...'javascript:data:@+-() \0\t\n0123456789<>"/tme.https') })
  )
  fc.assert(
    fc.property(text, fc.constantFrom(...names), (given, kind) => {
      const value = kinds[kind](given)
      if (value === undefined) return
      expect(value).not.toMatch(/[<>"\p{Cc}]|^\s*(?:javascript|data|vbscript):/iu)
      expect(kinds[kind](value)).toBe(value)
    }),
    { numRuns: 3_000 }
  )
})

it("a value of a megabyte is refused", () => {
  for (const kind of names) expect(kinds[kind]("1".repeat(1_000_000))).toBeUndefined()
})
