import { Schema } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { ConfigTemplate, fill, valuesFor } from "#daemons/provisioning/catalog/Templates.ts"

const values = valuesFor({ base: "box.example.org", email: "anna+x@mail.example.org", displayName: 'Änna {email} "Q"' })

describe("templates", () => {
  it("are filled in every text, at any depth", () => {
    assert.deepStrictEqual(
      fill({ a: "{email} of {domain}", b: ["{base_url}", { c: "{display_name}" }], d: 7, e: true, f: null }, values),
      {
        a: "anna+x@mail.example.org of mail.example.org",
        b: ["box.example.org", { c: 'Änna {email} "Q"' }],
        d: 7,
        e: true,
        f: null
      }
    )
  })

  it("keep a value in an address in one segment of its path", () => {
    const odd = valuesFor({ base: "box.example.org:8443", email: "a/../b?c#d@example.org", displayName: "x" })
    const { url } = fill({ url: "https://{base_url}/dav/files/{user_slug}/" }, odd)
    assert.strictEqual(url, "https://box.example.org:8443/dav/files/a%2F..%2Fb%3Fc%23d_at_example.org/")
    assert.strictEqual(fill({ url: "mail.{base_url}:993/587" }, odd)["url"], "mail.box.example.org:993/587")
  })

  it("leave what is no placeholder, and never fill a value again", () => {
    assert.deepStrictEqual(fill({ a: "{other} {toString} {{email}}" }, values), {
      a: "{other} {toString} {anna+x@mail.example.org}"
    })
    fc.assert(
      fc.property(fc.string(), fc.string(), (name, local) => {
        const own = valuesFor({ base: "b.example", email: `${local}@example.org`, displayName: name })
        assert.strictEqual(fill({ a: "<{display_name}>" }, own)["a"], `<${name}>`)
        const url = String(fill({ a: "https://{base_url}/u/{user_slug}/" }, own)["a"])
        if (local.isWellFormed()) assert.strictEqual(new URL(url).pathname.split("/").length, 4)
      })
    )
  })

  it("are refused with a placeholder that does not exist, when too large, or with characters that cannot be stored", () => {
    const isValid = Schema.is(ConfigTemplate)
    assert.isTrue(isValid({ url_template: "https://{base_url}/{user_slug}" }))
    assert.isFalse(isValid({ url_template: "https://{host}/" }))
    assert.isFalse(isValid({ url_template: "x".repeat(4_000) }))
    assert.isFalse(isValid({ url_template: "\u0000" }))
  })
})
