import { assert, it } from "@effect/vitest"
import fc from "fast-check"
import { storable } from "#daemons/comm-dispatcher/vocabulary/StorableText.ts"

it("storable text is well-formed, holds no NUL and is no longer than asked, whatever comes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.integer({ min: 10, max: 50 }), (text, limit) => {
      const kept = storable(text, limit)
      assert.isTrue(kept.isWellFormed() && !kept.includes("\0") && kept.length <= limit)
      if (text.length <= limit && text.isWellFormed() && !text.includes("\0")) assert.strictEqual(kept, text)
      if (text.length > limit) assert.isTrue(kept.endsWith("… (cut)"))
    })
  )
  assert.strictEqual(storable(`${"a".repeat(11)}\u{1F525}bbbbbbbbbb`, 20), `${"a".repeat(11)} … (cut)`)
})
