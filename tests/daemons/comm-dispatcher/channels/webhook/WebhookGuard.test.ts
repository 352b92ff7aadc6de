/** Webhooks to addresses that are not public, and to names that lead there. */
import * as net from "node:net"
import { assert, describe, expect, it } from "vitest"
import { parseCidr } from "#core/http/AddressGuard.ts"
import type { Lookup } from "#core/http/OutboundHttp.ts"
import {
  admitted,
  guardNetwork,
  nothingWasDialled,
  portOf,
  publicHost,
  receiver,
  receiverHost,
  seen,
  send,
  trap
} from "./GuardedNetwork.ts"
import { rows } from "./ForbiddenHosts.ts"

guardNetwork()

describe("webhooks to what is not public", () => {
  it.each(rows)("%s: %s", async (_, host) => {
    for (const url of [`http://${host}:${portOf(trap)}/`, `https://${host}:${portOf(trap)}/`]) {
      const outcome = await send({ url })
      assert.strictEqual(outcome._tag, "Permanent", JSON.stringify(outcome))
      expect(outcome).toHaveProperty("reason", expect.stringContaining("is not public"))
      nothingWasDialled()
    }
  })

  it("would have been caught: the trap and the record see a connection", async () => {
    assert.strictEqual(
      (await send({ url: `http://127.0.0.1:${portOf(trap)}/`, allowCidrs: [parseCidr("127.0.0.1")!] }))._tag,
      "Delivered"
    )
    assert.deepStrictEqual([seen.trapped, seen.dials], [1, [`127.0.0.1:${portOf(trap)}`]])
  })

  it.each(["localhost.", "LocalHost.", "metadata.test", "10-0-0-1.nip.test"])(
    "name %s, wherever it leads inside",
    async (name) => {
      for (const address of [
        "127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "::1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "fe80::1%lo"
      ]) {
        const found = async () => [
          { address: publicHost, family: 4 },
          { address, family: net.isIPv6(address) ? 6 : 4 }
        ]
        assert.strictEqual((await send({ url: `http://${name}:${portOf(trap)}/` }, found))._tag, "Permanent", address)
      }
      nothingWasDialled()
    }
  )

  it.each([
    "http:\\\\127.0.0.1:P\\",
    "http:127.0.0.1:P/",
    "http:///127.0.0.1:P/",
    "http://example.org@127.0.0.1:P/",
    "http://:@127.0.0.1:P/",
    " http://127.0.0.1:P/",
    "http://example.org%40127.0.0.1:P/",
    "//127.0.0.1:P/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:P/_",
    "unix:/run/x.sock",
    "ftp://127.0.0.1:P/",
    "http://[::1%25lo]:P/",
    "http://[::1]]:P/"
  ])("odd spelling %s", async (url) => {
    assert.strictEqual((await send({ url: url.replace("P", String(portOf(trap))) }))._tag, "Permanent")
    nothingWasDialled()
  })
})

describe("names that change their mind", () => {
  /** Returns these addresses in turn, then always the last one. */
  const changing = (...answers: ReadonlyArray<string>) => {
    const asked: Array<string> = []
    const lookup: Lookup = async (host) => {
      asked.push(host)
      return [{ address: answers[Math.min(asked.length, answers.length) - 1]!, family: 4 }]
    }
    return { asked, lookup }
  }

  it("are dialled at the address that was checked, and not asked again", async () => {
    const { asked, lookup } = changing(receiverHost, "127.0.0.1")
    const tried = recordingLookups()
    const outcome = await send({ url: `http://rebind.test:${portOf(receiver)}/end`, allowCidrs: admitted }, lookup)
    // The socket got exactly the checked address for the name.
    assert.deepStrictEqual([outcome._tag, asked, tried()], ["Delivered", ["rebind.test"], [receiverHost]])
  })

  it("are judged anew for the next request and for a redirect to themselves", async () => {
    const next = changing(receiverHost, "127.0.0.1")
    const url = `http://rebind.test:${portOf(receiver)}`
    assert.strictEqual((await send({ url: `${url}/end`, allowCidrs: admitted }, next.lookup))._tag, "Delivered")
    const second = changing(receiverHost, "127.0.0.1")
    seen.location = `${url}/end`
    const outcome = await send({ url, allowCidrs: admitted }, second.lookup)
    expect(outcome).toMatchObject({
      _tag: "Permanent",
      reason: expect.stringContaining("127.0.0.1 is not public") as string
    })
    assert.deepStrictEqual([second.asked.length, seen.received.map(({ path }) => path)], [2, ["/end", "/"]])
    assert.strictEqual(seen.trapped, 0)
  })

  /** Records the addresses that sockets got for their names. */
  const recordingLookups = () => {
    const tried: Array<string> = []
    const emit = net.Socket.prototype.emit
    net.Socket.prototype.emit = function (this: net.Socket, event: string | symbol, ...args: Array<unknown>) {
      if (event === "lookup") tried.push(String(args[1]))
      return Reflect.apply(emit, this, [event, ...args]) as boolean
    }
    return () => {
      net.Socket.prototype.emit = emit
      return tried
    }
  }
})
