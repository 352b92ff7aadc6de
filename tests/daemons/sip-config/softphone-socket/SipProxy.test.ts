/** SIP over WebSocket between clients and a switch double that follows the captures. */
import { connect } from "node:net"
import { afterEach, describe, expect, it, vi } from "vitest"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { bounds, type Bounds } from "#daemons/sip-config/softphone-socket/Bounds.ts"
import * as SipProxy from "#daemons/sip-config/softphone-socket/SipProxy.ts"
import { SipClient, sipRequest } from "#support/SipClient.ts"
import { SipSwitch } from "#support/switch/SipSwitch.ts"

const ends: Array<() => unknown> = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const until = (look: () => unknown) => vi.waitUntil(look, { timeout: 15_000, interval: 5 })

const place = async (
  options: {
    readonly bounds?: Partial<Bounds>
    readonly origins?: ReadonlyArray<string>
    readonly switchUrl?: string
  } = {}
) => {
  const theSwitch = await SipSwitch.start()
  ends.push(() => theSwitch.stop())
  const offences: Array<string> = []
  const proxy = SipProxy.make({
    switchUrl: theSwitch.url,
    origins: [],
    note: () => undefined,
    offend: (offence, address) => offences.push(`${offence} ${address}`),
    ...options,
    bounds: { ...bounds, ...options.bounds }
  })
  const server: Server = createServer((_, response) => response.end()).on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy())
    proxy.upgrade(request, socket, head)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  ends.push(() => (server.close(), server.closeAllConnections(), proxy.close()))
  const open = async (headers = {}) => {
    const client = await SipClient.open(base, { headers })
    ends.push(() => client.socket.terminate())
    return client
  }
  /** Status and problem of a refused upgrade. */
  const refused = (lines: ReadonlyArray<string>, start = "GET /sip HTTP/1.1") =>
    new Promise<{ readonly status: number; readonly text: string }>((resolve) => {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () =>
        socket.write([start, ...lines, "", ""].join("\r\n"))
      )
      let text = ""
      // An accepted upgrade stays open, so the test closes it.
      socket.on("data", (data) => ((text += data.toString()), text.startsWith("HTTP/1.1 101") && socket.destroy()))
      socket.on("close", () => resolve({ status: Number(text.split(" ")[1]), text }))
    })
  return { theSwitch, proxy, offences, base, open, refused }
}

const abuse = "sip-websocket-abuse 127.0.0.1"
const handshake = {
  host: "Host: tel.a.test",
  upgrade: "Upgrade: websocket",
  connection: "Connection: Upgrade",
  key: "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  version: "Sec-WebSocket-Version: 13",
  protocol: "Sec-WebSocket-Protocol: sip"
}
const lines = (changed: Partial<Record<keyof typeof handshake | "origin", string>> = {}) =>
  Object.values({ ...handshake, ...changed })

describe("SIP over WebSocket", () => {
  it("registers: the switch sees WS, the client what it wrote", async () => {
    const { open, proxy, theSwitch } = await place()
    const client = await open()
    expect(client.socket.protocol).toBe("sip")
    client.say(sipRequest("REGISTER"))
    await until(() => client.heard.length === 1)
    expect(client.heard[0]).toMatch(/^SIP\/2\.0 401 /)
    client.say(
      Buffer.from(sipRequest("REGISTER", 2, [`Authorization: Digest username="1001", response="${"0".repeat(32)}"`])),
      { binary: true }
    )
    await until(() => client.heard.length === 2)
    for (const heard of theSwitch.heard) {
      expect(heard).toContain("\r\nVia: SIP/2.0/WS a.invalid;")
      expect(heard).toContain("\r\nContact: <sip:1001@a.invalid;transport=ws>;expires=300\r\n")
    }
    expect(client.heard[1]).toMatch(
      /^SIP\/2\.0 200 OK\r\nVia: SIP\/2\.0\/WSS a\.invalid;branch=z9hG4bK2;received=127\.0\.0\.1;rport=\d+\r\n/
    )
    expect(client.heard[1]).not.toContain(
      `rport=${(theSwitch.sockets[0] as unknown as { _socket: { remotePort: number } })._socket.remotePort}`
    )
    expect(client.heard[1]).toContain("\r\nContact: <sip:1001@a.invalid;transport=wss>;expires=300\r\n")
    expect(proxy.component()).toMatchObject({ status: "ok", connections: 1, addresses: 1, to_switch: 2, to_clients: 2 })
  })

  it("puts fragments together and keeps bodies byte for byte, both ways", async () => {
    const { open, theSwitch } = await place()
    const client = await open()
    const body = "v=0\r\n\r\nINVITE sip:x SIP/2.0\r\nVia: SIP/2.0/WSS x\r\n\r\nü"
    const text = sipRequest("MESSAGE", 1, [], body)
    for (let at = 0; at < text.length; at += 50) client.say(text.slice(at, at + 50), { fin: at + 50 >= text.length })
    await until(() => theSwitch.heard.length === 1)
    expect(theSwitch.heard[0]!.endsWith(Buffer.from(body).toString("latin1"))).toBe(true)
    // The text is not UTF-8, so it arrives as a binary frame.
    const latin = Buffer.from(
      sipRequest("MESSAGE", 2, ["Subject: \xfc"]).replaceAll("wss", "ws").replaceAll("WSS", "WS"),
      "latin1"
    )
    theSwitch.sockets[0]!.send(latin, { binary: false })
    await until(() => client.heard.length === 1)
    expect(client.heard[0]).toContain("Subject: \xfc\r\n")
  })

  it("answers keep-alives and pings itself", async () => {
    const { open, theSwitch } = await place()
    const client = await open()
    const ponged = new Promise((resolve) => client.socket.once("pong", (data) => resolve(String(data))))
    client.say("\r\n\r\n")
    client.say("\r\n")
    client.socket.ping("hi")
    expect(await ponged).toBe("hi")
    client.say(sipRequest("OPTIONS"))
    await until(() => client.heard.length === 2)
    expect(client.heard[0]).toBe("\r\n")
    expect(theSwitch.heard).toHaveLength(1)
  })

  it("refuses what is no upgrade to SIP, before the switch hears of it", async () => {
    const { offences, refused, theSwitch } = await place()
    const cases: ReadonlyArray<readonly [number, ReturnType<typeof lines>, string?]> = [
      [400, lines({ protocol: "X: y" })],
      [400, lines({ protocol: "Sec-WebSocket-Protocol: xmpp" })],
      [400, lines({ protocol: "Sec-WebSocket-Protocol: SIP" })],
      [400, lines({ version: "Sec-WebSocket-Version: 8" })],
      [400, lines({ version: "X: y" })],
      [400, lines({ key: "Sec-WebSocket-Key: short" })],
      [400, lines({ upgrade: "Upgrade: h2c" })],
      [405, lines(), "POST /sip HTTP/1.1"],
      [404, lines(), "GET /sip/more HTTP/1.1"],
      [403, lines({ origin: "Origin: http://evil.example" })],
      [403, lines({ origin: "Origin: null" })],
      [403, lines({ origin: "Origin: file://tel.a.test" })],
      // A page of another site can also choose the sub-protocol and the path.
      [400, lines({ origin: "Origin: http://evil.example", protocol: "Sec-WebSocket-Protocol: xmpp" })],
      [404, lines({ origin: "Origin: http://evil.example" }), "GET /sip/more HTTP/1.1"]
    ]
    for (const [status, head, start] of cases) {
      const answer = await refused(head, start)
      expect(answer.status, head.join()).toBe(status)
      expect(answer.text).toContain("application/problem+json")
    }
    // Visitors of other sites' pages are not banned.
    expect(offences).toEqual(cases.filter(([, head]) => !/origin: (?!https:)/i.test(head.join("\n"))).map(() => abuse))
    expect(theSwitch.sockets).toHaveLength(0)
    expect((await refused(lines({ protocol: "Sec-WebSocket-Protocol: xmpp, sip" }))).status).toBe(101)
    expect((await refused(lines({ origin: "Origin: https://tel.a.test" }))).status).toBe(101)
  })

  it("lets in the pages of hosts that are set, and no others", async () => {
    const { refused } = await place({ origins: ["a.test", "*.b.test"] })
    const from = async (origin: string) => (await refused(lines({ origin: `Origin: ${origin}` }))).status
    expect(await from("https://a.test")).toBe(101)
    expect(await from("https://tel.b.test:8443")).toBe(101)
    for (const origin of ["https://tel.a.test", "https://b.test", "https://evilb.test", "https://a.test.evil"])
      expect(await from(origin), origin).toBe(403)
  })

  it("closes on what is not one whole message, and tells of it", async () => {
    const { offences, open, proxy, theSwitch } = await place()
    const bad = [
      sipRequest("REGISTER") + sipRequest("REGISTER"),
      sipRequest("REGISTER").replace("Max-", "X: a\nVia: evil\r\nMax-"),
      "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
      Buffer.from([0, 1, 2, 0xff]),
      "\r\n\r\n\r\n",
      ""
    ]
    for (const frame of bad) {
      const client = await open()
      client.say(frame)
      await until(() => client.closed !== undefined)
      expect(client.closed, JSON.stringify(String(frame))).toBe(4400)
    }
    const huge = await open()
    huge.say("x".repeat(70_000))
    await until(() => huge.closed !== undefined)
    expect(huge.closed).toBe(1009)
    await until(() => theSwitch.closed.length === bad.length + 1)
    await until(() => proxy.component()["addresses"] === 0 && proxy.component()["connections"] === 0)
    expect(theSwitch.heard).toEqual([])
    expect(offences).toEqual([...bad, huge].map(() => abuse))
    expect(proxy.component()).toMatchObject({ connections: 0, addresses: 0, malformed: bad.length + 1 })
  })

  it("tells wrong passwords, and not the challenge that every registration begins with", async () => {
    const { offences, open } = await place()
    const client = await open()
    const signed = (response: string) => [`Authorization: Digest username="1001", response="${response}"`]
    client.say(sipRequest("REGISTER", 1))
    client.say(sipRequest("REGISTER", 2, signed("0".repeat(32))))
    await until(() => client.heard.length === 2)
    expect(offences).toEqual([])
    for (let turn = 3; turn < 8; turn++) client.say(sipRequest("REGISTER", turn, signed("wrong")))
    await until(() => client.heard.length === 7)
    expect(offences).toEqual(Array.from({ length: 5 }, () => "sip-brute-force 127.0.0.1"))
  })

  it("tells the challenge that comes again, unless the nonce was only old", async () => {
    const { offences, open, theSwitch } = await place()
    theSwitch.answers = false
    const client = await open()
    const answer = (cseq: string, status: number, more = "") =>
      theSwitch.sockets[0]!.send(
        `SIP/2.0 ${status} x\r\nVia: SIP/2.0/WS a\r\nFrom: a\r\nTo: b\r\nCall-ID: one@lab\r\nCSeq: ${cseq}\r\n${more}Content-Length: 0\r\n\r\n`
      )
    client.say(sipRequest("REGISTER", 1, ["Authorization: Digest x"]))
    client.say(sipRequest("INVITE", 1, ["Proxy-Authorization: Digest y"]))
    client.say(sipRequest("REGISTER", 2, ["Authorization: Digest x"]))
    await until(() => theSwitch.heard.length === 3)
    answer("2 REGISTER", 401, 'WWW-Authenticate: Digest realm="x", stale=true\r\n')
    // A 403 for a forbidden destination does not count as a wrong password.
    answer("7 INVITE", 403)
    answer("1 INVITE", 100)
    answer("1 INVITE", 407)
    answer("1 REGISTER", 401)
    await until(() => client.heard.length === 5)
    expect(offences).toHaveLength(2)
  })

  it("tells a wrong password once that is said again with the next registration, as sip.js does", async () => {
    const { offences, open, theSwitch } = await place()
    theSwitch.answers = false
    const client = await open()
    const refused = async (turn: number, credentials: string) => {
      client.say(sipRequest("REGISTER", turn, [`Authorization: Digest ${credentials}`]))
      await until(() => theSwitch.heard.length === turn)
      theSwitch.sockets[0]!.send(
        `SIP/2.0 401 x\r\nVia: SIP/2.0/WS a\r\nFrom: a\r\nTo: b\r\nCall-ID: one@lab\r\nCSeq: ${turn} REGISTER\r\nContent-Length: 0\r\n\r\n`
      )
      await until(() => client.heard.length === turn)
      return offences.length
    }
    expect(await refused(1, "first")).toBe(1)
    expect(await refused(2, "first")).toBe(1)
    expect(await refused(3, "second")).toBe(2)
    expect(await refused(4, "second")).toBe(2)
    expect(await refused(5, "first")).toBe(2)
    expect(await refused(6, "third")).toBe(3)
  })

  it("bounds rates: of a connection, pings and keep-alives counted, and of an address", async () => {
    const { offences, open, proxy } = await place({
      bounds: { connectionRate: 0.001, connectionBurst: 10, addressRate: 0.001, addressBurst: 25 }
    })
    const flood = async (say: (client: SipClient) => void, times = 11) => {
      const client = await open()
      for (let turn = 0; turn < times; turn++) say(client)
      await until(() => client.closed !== undefined)
      return client.closed
    }
    expect(await flood((client) => client.say("\r\n\r\n"))).toBe(4429)
    expect(await flood((client) => client.socket.ping())).toBe(4429)
    // Five messages remain of the address's limit.
    expect(await flood((client) => client.say(sipRequest("OPTIONS")), 6)).toBe(4429)
    expect(offences).toEqual([abuse, abuse, abuse])
    expect(proxy.component()).toMatchObject({ over_rate: 3 })
  })

  it("bounds connections of an address and of all, and counts those that left", async () => {
    const { open, refused } = await place({ bounds: { maxPerAddress: 2, maxConnections: 2 } })
    const first = await open()
    await open()
    expect((await refused(lines())).status).toBe(503)
    first.socket.terminate()
    await until(async () => (await refused(lines())).status === 101)
    const other = await place({ bounds: { maxPerAddress: 1 } })
    await other.open()
    expect((await other.refused(lines())).status).toBe(429)
    expect(other.offences).toEqual([abuse])
  })

  it("says 503 while the switch is away, and 1013 when it goes; a client that goes takes its own connection along", async () => {
    const { offences, open, proxy, refused, theSwitch } = await place()
    const stays = await open()
    const leaves = await open()
    leaves.socket.close(1000)
    await until(() => theSwitch.closed.length === 1)
    expect(theSwitch.closed).toEqual([1000])
    expect(stays.closed).toBeUndefined()
    const { port } = theSwitch
    await theSwitch.stop()
    await until(() => stays.closed !== undefined)
    expect(stays.closed).toBe(1013)
    expect((await refused(lines())).status).toBe(503)
    await until(() => proxy.component()["addresses"] === 0 && proxy.component()["connections"] === 0)
    expect(proxy.component()).toMatchObject({ status: "degraded", connections: 0 })
    const again = await SipSwitch.start(port)
    ends.push(() => again.stop())
    const back = await open()
    back.say(sipRequest("OPTIONS"))
    await until(() => back.heard.length === 1)
    expect(proxy.component()).toMatchObject({ status: "ok" })
    expect(offences).toEqual([])
  })

  it("looks at the clock: who says nothing, who has gone quiet, who answers no ping", async () => {
    const { open, proxy, theSwitch } = await place()
    const silent = await open()
    const busy = await open()
    busy.say(sipRequest("OPTIONS"))
    await until(() => busy.heard.length === 1)
    const now = Date.now()
    proxy.look(now + bounds.firstMessage + 100)
    await until(() => silent.closed !== undefined)
    expect(silent.closed).toBe(4408)
    expect(busy.closed).toBeUndefined()
    const dead = await open()
    dead.say(sipRequest("OPTIONS"))
    await until(() => dead.heard.length === 1)
    dead.socket.pause()
    let pinged = 0
    theSwitch.sockets.at(-1)!.on("ping", () => (pinged += 1))
    proxy.look(now + 2 * bounds.ping + bounds.firstMessage)
    await until(() => pinged === 1)
    // Waits for the answer to the ping. The dead client sends none.
    busy.say(sipRequest("OPTIONS", 2))
    await until(() => busy.heard.length === 2)
    proxy.look(now + 4 * bounds.ping + bounds.firstMessage)
    await until(() => proxy.component()["connections"] === 1)
    expect(busy.closed).toBeUndefined()
    proxy.look(now + 2 * bounds.idle)
    await until(() => busy.closed !== undefined)
    expect(busy.closed).toBe(4408)
  })

  it("reads the switch no further than a client that does not read allows, loses nothing, and closes one that stays so", async () => {
    const { open, proxy, theSwitch } = await place({ bounds: { unsent: 64 * 1024 } })
    const [client, slow] = [await open(), await open()]
    const note = (cseq: number) => sipRequest("MESSAGE", cseq, [], "x".repeat(30_000))
    const many = 400
    client.socket.pause()
    for (let turn = 0; turn < many; turn++) theSwitch.sockets[0]!.send(note(turn))
    const passed = () => Number(proxy.component()["to_clients"])
    let before = -1
    // The traffic stops once the buffers of the operating system are full.
    await vi.waitUntil(() => (passed() > 10 && passed() === before) || void (before = passed()), {
      timeout: 15_000,
      interval: 200
    })
    expect(passed()).toBeLessThan(many)
    client.socket.resume()
    await until(() => client.heard.length === many)
    expect(client.heard.map((text) => Number(/^CSeq: (\d+)/m.exec(text)![1]))).toEqual(
      Array.from({ length: many }, (_, turn) => turn)
    )
    for (const one of [client, slow]) one.say(sipRequest("OPTIONS"))
    await until(() => client.heard.length === many + 1 && slow.heard.length === 1)
    slow.socket.pause()
    for (let turn = 0; turn < many; turn++) theSwitch.sockets[1]!.send(note(turn))
    await vi.waitUntil(() => (passed() > many + 10 && passed() === before) || void (before = passed()), {
      timeout: 15_000,
      interval: 200
    })
    proxy.look(Date.now() + bounds.slow + 100)
    slow.socket.resume()
    await until(() => slow.closed !== undefined)
    expect(slow.closed).toBe(4413)
    expect(client.closed).toBeUndefined()
  })

  it("drops what the switch says wrongly and goes on", async () => {
    const { open, proxy, theSwitch } = await place()
    const client = await open()
    theSwitch.sockets[0]!.send("nonsense")
    theSwitch.sockets[0]!.send("\r\n\r\n")
    client.say(sipRequest("OPTIONS"))
    await until(() => client.heard.length === 1)
    expect(theSwitch.heard[0]).toBe("\r\n")
    expect(proxy.component()).toMatchObject({ unreadable: 1 })
  })

  it("says goodbye when it stops", async () => {
    const { base, open, proxy } = await place()
    const client = await open()
    proxy.close()
    await until(() => client.closed !== undefined)
    expect(client.closed).toBe(1001)
    await expect(SipClient.open(base)).rejects.toThrow("503")
  })
})
