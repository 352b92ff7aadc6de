import { assert, describe, it } from "vitest"
import * as AcknowledgeLink from "#daemons/comm-dispatcher/channels/links/AcknowledgeLink.ts"

const key = new Uint8Array(32).fill(7)
const other = new Uint8Array(32).fill(8)
const link = { runId: "0198c0de-1234-7abc-8def-0123456789ab", position: 513, expiresAt: 1_800_000_000_000 }

describe("the token of a link", () => {
  it("names the run and the target", () => {
    const token = AcknowledgeLink.write(link, key)
    assert.match(token, /^[\w-]{54}$/)
    assert.deepStrictEqual(AcknowledgeLink.read(token, [other, key], link.expiresAt - 1), link)
  })

  it("ends at its time", () => {
    assert.isUndefined(AcknowledgeLink.read(AcknowledgeLink.write(link, key), [key], link.expiresAt))
  })

  it("is refused with another key, and with any changed character", () => {
    const token = AcknowledgeLink.write(link, key)
    assert.isUndefined(AcknowledgeLink.read(token, [other], 0))
    assert.isUndefined(AcknowledgeLink.read(token, [], 0))
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1)
      const found = AcknowledgeLink.read(changed, [key], 0)
      // The last character has unused bits.
      if (found !== undefined)
        assert.deepStrictEqual(Buffer.from(changed, "base64url"), Buffer.from(token, "base64url"))
    }
    for (const text of ["", token.slice(1), `${token}A`, "é".repeat(54), "A".repeat(54)])
      assert.isUndefined(AcknowledgeLink.read(text, [key], 0))
  })
})
