/** The text of a signature in its form, and its HTML. */
import { assert, describe, it } from "vitest"
import { htmlOf, ruleOf, textOf } from "../../../../console/pages/signatures/SignatureText.ts"

describe("the text of a signature", () => {
  it("is stored as lines of HTML, and comes back", () => {
    const text = "Ann <ann@example.org> & Co\n1 < 2"
    assert.strictEqual(htmlOf(text), "Ann &lt;ann@example.org&gt; &amp; Co<br>\n1 &lt; 2")
    assert.strictEqual(textOf(htmlOf(text)), text)
    assert.strictEqual(textOf("Ann<br />Example"), "Ann\nExample")
  })

  it("stays as it is when it is HTML, or would be read as HTML", () => {
    for (const html of ["<p>Yours</p>", "Yours &lt;b&gt;faithfully&lt;/b&gt;"]) assert.strictEqual(textOf(html), html)
    assert.strictEqual(htmlOf("<p>a & b</p>"), "<p>a & b</p>")
  })

  it("goes to recipients by address or by domain", () => {
    assert.deepStrictEqual(
      ["ann@example.org", "*.example.org"].map((one) => ruleOf(one).match_type),
      ["address", "domain"]
    )
  })
})
