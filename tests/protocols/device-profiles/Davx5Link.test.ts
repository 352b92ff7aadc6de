import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { davx5Link } from "#protocols/device-profiles/Davx5Link.ts"
import { contacts } from "./Accounts.ts"

/** What DAVx⁵ reads from a link: `https`, and the decoded user info split at colons. */
const read = (link: string) => {
  const url = new URL(link.replace(/^davx5:/, "https:"))
  const [username, password, ...rest] = decodeURIComponent(`${url.username}:${url.password}`).split(":")
  return { url: `https://${url.host}${url.pathname}`, username, password, rest }
}

describe("links to DAVx⁵", () => {
  it("are read as the account", () => {
    expect(davx5Link(contacts)).toBe(
      "davx5://anna%40example.org:k3mx-7pqr-abcd-efgh-jkmn-pqrs@example.org:8443" +
        "/dav/addressbooks/anna_at_example.org/contacts/"
    )
    const text = fc.string({ unit: fc.constantFrom(..."aZ09 @/?#%&+üß'\"<>\\|"), minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(text, text, (username, password) => {
        expect(read(davx5Link({ ...contacts, username, password })!)).toEqual({
          url: contacts.url,
          username,
          password,
          rest: []
        })
      })
    )
  })

  it("are not made when DAVx⁵ would read them wrongly", () => {
    expect(davx5Link({ ...contacts, url: "http://example.org/dav/" })).toBe(undefined)
    expect(davx5Link({ ...contacts, username: "a:b" })).toBe(undefined)
    expect(davx5Link({ ...contacts, password: "a:b" })).toBe(undefined)
  })
})
