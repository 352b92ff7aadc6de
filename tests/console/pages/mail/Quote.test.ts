import { describe, expect, it } from "vitest"
import { pageOf, quoted, recipientsOf, subjectFor, unescaped } from "../../../../console/pages/mail/Quote.ts"

const person = (address: string, name = "") => ({ name, address })

describe("what a reply begins with", () => {
  it("says Re and Fwd once", () => {
    expect(
      ["Hello", "Re: Hello", "AW: RE[2]: Hello", "Fwd: Hello"].map((subject) => subjectFor("Re", subject))
    ).toEqual(Array.from({ length: 4 }, () => "Re: Hello"))
    expect([subjectFor("Fwd", "WG: Hello"), subjectFor("Fwd", "Re: Hello"), subjectFor("Re", "")]).toEqual([
      "Fwd: Hello",
      "Fwd: Re: Hello",
      "Re:"
    ])
  })

  it("quotes each line", () => {
    expect(quoted("one\r\n\r\n> two\n\n")).toBe("> one\n>\n>> two")
  })

  it("goes to whom the sender names, to all without oneself and each once", () => {
    const message = {
      from: [person("eve@far.test")],
      reply_to: [person("list@far.test")],
      to: [person("Ann@example.test"), person("otto@far.test", "Otto")],
      cc: [person("list@far.test"), person("OTTO@far.test"), person("pia@far.test")]
    }
    expect(recipientsOf(message, "ann@example.test", false)).toEqual({ to: "list@far.test", cc: "" })
    expect(recipientsOf(message, "ann@example.test", true)).toEqual({
      to: "list@far.test",
      cc: "Otto <otto@far.test>, pia@far.test"
    })
    expect(recipientsOf({ ...message, reply_to: [] }, "ann@example.test", false).to).toBe("eve@far.test")
  })

  it("goes on to the same people from a mail of one's own", () => {
    const own = {
      from: [person("ann@example.test")],
      reply_to: [],
      to: [person("eve@far.test")],
      cc: [person("pia@far.test")]
    }
    expect(recipientsOf(own, "ann@example.test", true)).toEqual({ to: "eve@far.test", cc: "pia@far.test" })
    expect(recipientsOf({ ...own, to: [person("ann@example.test")], cc: [] }, "ann@example.test", false).to).toBe(
      "ann@example.test"
    )
  })

  it("gives text back as it was, and as a page that holds nothing but it", () => {
    expect(unescaped("a &#38; b &#60;i&#62; &amp;")).toBe("a & b <i> &amp;")
    expect(pageOf('<b>"x"&\ny')).toBe('<div style="white-space: pre-wrap">&#60;b&#62;&#34;x&#34;&#38;<br>\ny</div>')
  })
})
