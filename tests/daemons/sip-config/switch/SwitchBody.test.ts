import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { SwitchBody } from "#daemons/sip-config/switch/SwitchBody.ts"

const bodyOf = (text: string) => new SwitchBody(Buffer.from(text))

describe("a body of the switch", () => {
  const raw =
    "hostname=a&section=directory&tag_name=domain&key_name=name&key_value=x+y%41&user=evil&domain=evil&section=other" +
    "&action=sip_auth&key=id&user=first&user=a%2Bb%20c%26d&domain=lab.example"

  it("a base field is the first one, as it is", () => {
    const body = bodyOf(raw)
    assert.deepStrictEqual(
      [body.base("section"), body.base("tag_name"), body.base("key_value")],
      ["directory", "domain", "x+y%41"]
    )
  })
  it("another field is the last one, decoded: nothing in an unencoded base field can stand for it", () => {
    const body = bodyOf(raw)
    assert.deepStrictEqual(
      [body.field("user"), body.field("domain"), body.field("action")],
      ["a+b c&d", "lab.example", "sip_auth"]
    )
  })
  it("what is empty, too long or badly encoded is as good as not there", () => {
    for (const value of ["", "%", "%zz", "%ff", "a".repeat(10_000)]) {
      const body = bodyOf(`section=x&user=${value}`)
      assert.deepStrictEqual([body.field("user"), body.has("user")], [undefined, true])
    }
    assert.isFalse(bodyOf("section=x&xuser=1").has("user"))
  })
  it("whatever stands around them, near the end or far from it: the last of a name, as a form decoder has it", () => {
    const wanted = [
      "action",
      "user",
      "domain",
      "group",
      "group_name",
      "Hunt-Context",
      "Hunt-Destination-Number",
      "variable_user_name",
      "variable_domain_name"
    ] as const
    const name = fc.oneof(
      fc.constantFrom(...wanted),
      fc.constantFrom(
        "users",
        "use",
        "xuser",
        "variable_user_nam",
        "variable_user_name2",
        "Hunt-Context-2",
        "domain.",
        ""
      )
    )
    const value = fc
      .oneof(fc.string({ maxLength: 12 }), fc.constantFrom("user=x", "a".repeat(600), "a".repeat(1500), "1+2 %&="))
      .map(encodeURIComponent)
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 30 }), (fields) => {
        const text = `hostname=h&section=x&${fields.map(([name, value]) => `${name}=${value}`).join("&")}`
        const body = bodyOf(text)
        const form = new URLSearchParams(text)
        for (const name of wanted) {
          // Tested below: it is searched from the context.
          if (name === "Hunt-Destination-Number" && form.has("Hunt-Context")) continue
          const last = form.getAll(name).at(-1)
          const posted = fields.findLast(([one]) => one === name)?.[1] ?? ""
          assert.strictEqual(body.field(name), last === "" || posted.length > 768 ? undefined : last)
          assert.strictEqual(body.has(name), last !== undefined)
        }
      })
    )
  })
  it("what the switch writes before the context is the last one there, whatever a variable of the caller is named", () => {
    const names = ["Hunt-Caller-ID-Number", "Hunt-Network-Addr", "Hunt-Destination-Number"] as const
    const evil = `variable_x=1&${names.map((name) => `${name}=evil`).join("&")}&Hunt-Context=evil`
    const block = `${names.map((name) => `${name}=${name}`).join("&")}&Hunt-Context=public`
    for (const length of [0, 600, 1_500, 3_000]) {
      const behind = `&variable_y=${"y".repeat(length)}`
      for (const text of [
        `${evil}&${block}${behind}`,
        `Hunt-Context=public&${block.replace("&Hunt-Context=public", "")}`
      ]) {
        const body = bodyOf(`hostname=h&section=dialplan&${text}`)
        for (const name of names) assert.strictEqual(body.field(name), name)
        assert.strictEqual(body.field("Hunt-Context"), "public")
      }
    }
  })
  it("a base field is whole wherever it stands, also in a long body", () => {
    for (const before of [0, 200, 230, 240, 250, 300, 2_000]) {
      const text = `hostname=${"h".repeat(before)}&section=directory&tag_name=domain&key_value=lab.example`
      for (const behind of ["", `&x=${"y".repeat(3_000)}`, `&section=${"z".repeat(500)}&x=${"y".repeat(1_500)}`]) {
        const body = bodyOf(`${text}${behind}`)
        assert.deepStrictEqual(
          [body.base("section"), body.base("tag_name"), body.base("key_value")],
          ["directory", "domain", "lab.example"]
        )
      }
    }
  })
  it("bytes of UTF-8 in a base field are read", () => {
    assert.strictEqual(bodyOf("hostname=a&key_value=bücher.test&b=").base("key_value"), "bücher.test")
  })
  it("any text comes back from its escapes", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 60 }).filter((text) => text !== "" && text.isWellFormed()),
        (text) => {
          assert.strictEqual(bodyOf(`section=directory&user=${encodeURIComponent(text)}&ip=1`).field("user"), text)
        }
      )
    )
  })
})
