import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { SwitchBody } from "#daemons/sip-config/switch/SwitchBody.ts"

describe("a body of the switch", () => {
  const raw = "hostname=a&section=directory&tag_name=domain&key_name=name&key_value=x+y%41&user=evil&domain=evil&section=other"
    + "&action=sip_auth&key=id&user=first&user=a%2Bb%20c%26d&domain=lab.example"

  it("a base field is the first one, as it is", () => {
    const body = new SwitchBody(raw)
    assert.deepStrictEqual([body.base("section"), body.base("tag_name"), body.base("key_value")], ["directory", "domain", "x+y%41"])
  })
  it("another field is the last one, decoded: nothing in an unencoded base field can stand for it", () => {
    const body = new SwitchBody(raw)
    assert.deepStrictEqual([body.field("user"), body.field("domain"), body.field("action")], ["a+b c&d", "lab.example", "sip_auth"])
  })
  it("what is empty, too long or badly encoded is as good as not there", () => {
    for (const value of ["", "%", "%zz", "%ff", "a".repeat(10_000)]) {
      const body = new SwitchBody(`section=x&user=${value}`)
      assert.deepStrictEqual([body.field("user"), body.has("user")], [undefined, true])
    }
    assert.isFalse(new SwitchBody("section=x&xuser=1").has("user"))
  })
  it("bytes of UTF-8 in a base field are read", () => {
    assert.strictEqual(new SwitchBody(Buffer.from("hostname=a&key_value=bücher.test&b=").toString("latin1")).base("key_value"), "bücher.test")
  })
  it("any text comes back from its escapes", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 60 }).filter((text) => text !== "" && text.isWellFormed()), (text) => {
      assert.strictEqual(new SwitchBody(`section=directory&user=${encodeURIComponent(text)}&ip=1`).field("user"), text)
    }))
  })
})
