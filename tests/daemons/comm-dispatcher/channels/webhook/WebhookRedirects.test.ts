/** Redirects of a webhook: each hop is judged like the first address. Signatures go with every hop. */
import { Redacted } from "effect"
import { assert, describe, expect, it } from "vitest"
import type { Lookup } from "#core/http/OutboundHttp.ts"
import {
  admitted,
  guardNetwork,
  nothingWasDialled,
  portOf,
  publicHost,
  receiver,
  receiverHost,
  securePort,
  seen,
  send
} from "./GuardedNetwork.ts"
import { rows } from "./ForbiddenHosts.ts"

guardNetwork()

describe("redirects", () => {
  const receiverUrl = () => `http://${receiverHost}:${portOf(receiver)}/`

  /** The receiver redirects to `to`. Only the receiver itself may be contacted, once. */
  const refused = async (to: string, why: string) => {
    seen.location = to
    const outcome = await send({ url: receiverUrl(), allowCidrs: admitted })
    assert.strictEqual(outcome._tag, "Permanent", JSON.stringify(outcome))
    expect(outcome).toHaveProperty("reason", expect.stringContaining(why))
    assert.deepStrictEqual(
      seen.received.map(({ path }) => path),
      ["/"]
    )
    nothingWasDialled([`${receiverHost}:${portOf(receiver)}`])
    return outcome
  }

  // Only hosts that a header can carry unchanged. A server sends the others in their escaped form, which is in the list
  // too.
  it.each(rows.filter(([, host]) => /^[\x20-\x7e]+$/.test(host)))("%s: %s", async (_, host) => {
    await refused(`http://${host}:${portOf(receiver)}/`, "is not public")
  })

  it.each(["25", "22", "6379", "8080"])("to port %s, of the receiver itself and of a public one", async (port) => {
    await refused(`http://${receiverHost}:${port}/`, "another port")
    seen.received = []
    seen.dials = []
    await refused(`http://${publicHost}:${port}/`, "another port")
  })

  it.each(["http://user:hunter2@127.0.0.3:P/end", "http://user:hunter2@8.8.8.8/", "http://hunter2@127.0.0.1:P/"])(
    "with credentials: %s",
    async (to) => {
      expect(JSON.stringify(await refused(to.replace("P", String(portOf(receiver))), "user name"))).not.toContain(
        "hunter2"
      )
    }
  )

  it.each(["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/_", "javascript:0", "data:,x"])(
    "to another scheme: %s",
    async (to) => {
      await refused(to, "only http and https")
    }
  )

  it("out of TLS", async () => {
    const secureUrl = `https://secure.test:${securePort()}`
    const here: Lookup = async () => [{ address: receiverHost, family: 4 }]
    for (const to of [`http://secure.test:${securePort()}/end`, `http://secure.test/end`, receiverUrl()]) {
      seen.location = to
      seen.received = []
      const outcome = await send({ url: `${secureUrl}/`, allowCidrs: admitted }, here)
      expect(outcome).toMatchObject({ _tag: "Permanent", reason: expect.stringContaining("it leaves TLS") as string })
      assert.deepStrictEqual(
        seen.received.map(({ path }) => path),
        ["/"]
      )
    }
    // The same server with the same certificate over https works, so only the scheme was refused.
    seen.location = `${secureUrl}/end`
    assert.strictEqual((await send({ url: `${secureUrl}/`, allowCidrs: admitted }, here))._tag, "Delivered")
  })

  it("from the public internet into an admitted network", async () => {
    // Uses the receiver's port, so that only the network differs.
    const url = `http://${publicHost}:${portOf(receiver)}/`
    seen.location = `${receiverUrl()}end`
    const outcome = await send({ url, allowCidrs: admitted })
    expect(outcome).toMatchObject({
      _tag: "Permanent",
      reason: expect.stringContaining("into an admitted network") as string
    })
    assert.deepStrictEqual(
      [seen.received.map(({ path }) => path), seen.dials],
      [["/"], [`${publicHost}:${portOf(receiver)}`]]
    )
    seen.location = `http://${publicHost}:${portOf(receiver)}/end`
    assert.strictEqual((await send({ url, allowCidrs: admitted }))._tag, "Delivered")
  })
})

describe("signatures", () => {
  it("go with every hop, over the same bytes, and never show the secret", async () => {
    seen.location = "/end"
    const outcome = await send({
      url: `http://${receiverHost}:${portOf(receiver)}/`,
      allowCidrs: admitted,
      secrets: [Redacted.make("hunter2")]
    })
    assert.strictEqual(outcome._tag, "Delivered")
    assert.lengthOf(seen.received, 2)
    const [first, second] = seen.received.map(({ body, headers }) => [
      body,
      headers["x-signalbox-timestamp"],
      headers["x-signalbox-signature"],
      headers["idempotency-key"]
    ])
    assert.deepStrictEqual(first, second)
    expect(JSON.stringify([seen.received, outcome])).not.toContain("hunter2")
  })
})
