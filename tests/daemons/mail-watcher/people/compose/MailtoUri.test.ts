/** Parsing of mailto URIs. Source of the examples: RFC 6068 §6. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { parseMailto } from "#daemons/mail-watcher/people/compose/MailtoUri.ts"

const none = { to: "", cc: "", subject: undefined, body: undefined }

describe("mailto URIs", () => {
  it("returns to, cc, subject and body", () => {
    assert.deepStrictEqual(parseMailto("mailto:chris@example.com"), { ...none, to: "chris@example.com" })
    assert.deepStrictEqual(parseMailto("MAILTO:?to=joe@example.com&cc=bob@example.com&body=hello"), {
      ...none,
      to: ",joe@example.com",
      cc: "bob@example.com",
      body: "hello"
    })
    assert.deepStrictEqual(
      parseMailto("mailto:a@b.example,c%40d.example?SUBJECT=caf%C3%A9+x%0D%0ABcc:%20e&subject=second"),
      { ...none, to: "a@b.example,c@d.example", subject: "café+x\r\nBcc: e" }
    )
    assert.deepStrictEqual(parseMailto("mailto:a@b.example?bcc=x@y.example&attach=/etc/passwd&__proto__=x&=x&x"), {
      ...none,
      to: "a@b.example"
    })
    assert.deepStrictEqual(parseMailto(" mailto:gorby%25kremvax@example.com#there "), {
      ...none,
      to: "gorby%kremvax@example.com"
    })
  })

  it("refuses a missing scheme and broken escapes", () => {
    for (const wrong of [
      "",
      "a@b.example",
      "http://a.example",
      "javascript:mailto:x",
      "mailto:%",
      "mailto:a?subject=%ff"
    ])
      assert.strictEqual(parseMailto(wrong), undefined, wrong)
  })

  it("round-trips any text", () =>
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (subject, body) =>
        assert.deepStrictEqual(
          parseMailto(`mailto:?body=${encodeURIComponent(body)}&subject=${encodeURIComponent(subject)}`),
          { ...none, subject, body }
        )
      )
    ))
})
