import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type ClientSide, clientSide, learn, toClient, toSwitch } from "#daemons/sip-config/softphone-socket/Rewrite.ts"
import * as Message from "#protocols/sip/Message.ts"
import { capturedFrames } from "#support/switch/WebSocketCapture.ts"

const read = (bytes: string | Buffer): Message.Message => {
  const found = Message.read(Buffer.from(bytes))
  if (found._tag === "Failure") throw new Error(found.failure)
  return found.success
}
const written = (message: Message.Message) => Message.write(message).toString("latin1")

const plain = clientSide({ address: "198.51.100.7", port: undefined, secure: false })
const secure = clientSide({ address: "198.51.100.7", port: undefined, secure: true })

const message = (start: string, ...headers: ReadonlyArray<string>) =>
  read(
    [
      start,
      ...headers,
      "From: <sip:a@b;transport=wss>;tag=1",
      "To: <sip:c@d;transport=ws>",
      "Call-ID: 1",
      "CSeq: 1 INVITE",
      "",
      ""
    ].join("\r\n")
  )

const via = "Via: SIP/2.0/WSS a.invalid;branch=z9hG4bK1"
const invite = (...headers: ReadonlyArray<string>) => message("INVITE sip:c@d SIP/2.0", ...headers)

describe("Rewrite", () => {
  const captured = capturedFrames.flatMap(({ bytes, from }) => {
    const found = Message.read(bytes)
    return found._tag === "Success" ? [{ from, message: found.success, text: bytes.toString("latin1") }] : []
  })

  it("leaves a client on plain ws and its switch as they were, but for the address that the client is seen at", () => {
    for (const { from, message, text } of captured) {
      if (from === "client") expect(written(toSwitch(message))).toBe(text)
      else
        expect(written(toClient(message, plain))).toBe(
          text.replace(/^(Via: .*);received=127\.0\.0\.1;rport=\d+\r$/m, "$1;received=198.51.100.7\r")
        )
    }
  })

  it("gives the switch, from a client on wss, just what it was captured with", () => {
    let changed = 0
    for (const { from, text } of captured.filter(({ from }) => from === "client")) {
      const asWss = text
        .replace("Via: SIP/2.0/WS ", "Via: SIP/2.0/WSS ")
        .replace(/(Contact: <sip:[^>]*;transport=)ws/, "$1wss")
      if (asWss !== text) changed += 1
      expect(written(toSwitch(read(Buffer.from(asWss, "latin1")))), from).toBe(text)
    }
    expect(changed).toBe(captured.filter(({ from }) => from === "client").length)
  })

  it("gives a client on wss what it wrote: its transport in Via, its own Contact, its own address in the request line", () => {
    const side = learn(secure, invite(via, "Contact: <sip:1003@df7jal23ls0d.invalid;transport=wss>"))
    const seen = captured.filter(({ from }) => from === "switch").map(({ message }) => written(toClient(message, side)))
    for (const text of seen) expect(text).toMatch(/^Via: SIP\/2\.0\/WSS /m)
    expect(seen.some((text) => text.startsWith("INVITE sip:1003@df7jal23ls0d.invalid;transport=wss SIP/2.0"))).toBe(
      true
    )
    expect(
      seen.some((text) => /^Contact: <sip:1001@df7jal23ls0d\.invalid;transport=wss>;expires=300\r$/m.test(text))
    ).toBe(true)
    // Unchanged: the switch's own address, and To, which identifies dialogs.
    expect(seen.some((text) => text.includes("Contact: <sip:9001@127.0.0.1:5060;transport=udp>"))).toBe(true)
    expect(seen.some((text) => text.includes("To: <sip:1003@df7jal23ls0d.invalid;transport=ws>"))).toBe(true)
    expect(seen.some((text) => text.includes("To: <sip:1003@df7jal23ls0d.invalid;transport=wss>"))).toBe(false)
  })

  it("changes the topmost Via alone, however the list is written", () => {
    const to = (...headers: ReadonlyArray<string>) => written(toSwitch(invite(...headers)))
    expect(to('v:sip / 2.0 / wss\r\n a.invalid , SIP/2.0/WSS b;x=","', "Via: SIP/2.0/WSS c")).toContain(
      'v:sip / 2.0 / WS\r\n a.invalid , SIP/2.0/WSS b;x=","\r\nVia: SIP/2.0/WSS c\r\n'
    )
    expect(to("Via: SIP/2.0/TLS a")).toContain("Via: SIP/2.0/TLS a\r\n")
    expect(to("Via: nonsense/WSS a")).toContain("Via: nonsense/WSS a\r\n")
  })

  it("lets no client say where it is seen, and tells it in answers", () => {
    expect(written(toSwitch(invite(`${via};received=203.0.113.9;rport`)))).toContain(
      "Via: SIP/2.0/WS a.invalid;branch=z9hG4bK1;rport\r\n"
    )
    const answer = message(
      "SIP/2.0 200 OK",
      "Via: SIP/2.0/WS a;received=127.0.0.1;rport=4711, SIP/2.0/UDP b;received=10.0.0.1;rport=5"
    )
    expect(written(toClient(answer, secure))).toContain(
      "Via: SIP/2.0/WSS a;received=198.51.100.7, SIP/2.0/UDP b;received=10.0.0.1;rport=5\r\n"
    )
    expect(written(toClient(answer, { ...secure, address: "2001:db8::1", port: 99 }))).toContain(
      "a;received=2001:db8::1;rport=99,"
    )
    // A client's answer returns along the Via of the switch.
    expect(written(toSwitch(message("SIP/2.0 200 OK", "Via: SIP/2.0/WSS 127.0.0.1;received=192.0.2.1")))).toContain(
      "Via: SIP/2.0/WS 127.0.0.1;received=192.0.2.1\r\n"
    )
  })

  it("changes the transport of every address in Contact, Route and Record-Route, and nothing that only looks like it", () => {
    const to = (header: string) => written(toSwitch(invite(via, header))).split("\r\n")[2]
    expect(
      to(
        'm: "x;transport=wss, <sip:a;transport=wss>" <sip:a@b;transport=WSS;ob>;q=1, <sip:c;transport=wss?X=;transport=wss>'
      )
    ).toBe(
      'm: "x;transport=wss, <sip:a;transport=wss>" <sip:a@b;transport=ws;ob>;q=1, <sip:c;transport=ws?X=;transport=wss>'
    )
    expect(to("Record-Route: <sip:p;lr;transport=wss>,<sip:q;transport=tcp;lr>")).toBe(
      "Record-Route: <sip:p;lr;transport=ws>,<sip:q;transport=tcp;lr>"
    )
    expect(to("Route: <sip:u;transport=wss;x@p;transport=wss>")).toBe("Route: <sip:u;transport=wss;x@p;transport=ws>")
    for (const header of [
      "Contact: *",
      'Contact: "open <sip:a;transport=wss>',
      "Contact: <sip:a;transport=wss",
      "Contact: <sip:a;transport=wssx>",
      "Contact: <sip:a;xtransport=wss>",
      "Path: <sip:a;transport=wss>",
      "X-Contact: <sip:a;transport=wss>"
    ]) {
      expect(to(header), header).toBe(header)
    }
  })

  it("takes over nothing of a client but the two words", () => {
    expect(learn(secure, invite("Via: SIP/2.0/EVIL a", "Contact: <sip:a;transport=tls>"))).toEqual(secure)
    expect(learn(secure, invite("Via: SIP/2.0/ws a", "Contact: <sip:a;transport=WSS>"))).toEqual({
      ...secure,
      via: "ws",
      uri: "WSS"
    })
    expect(learn(secure, message("SIP/2.0 200 OK", "Via: SIP/2.0/WS a"))).toEqual(secure)
  })

  it("gives back what it was given, whatever that is", () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
    const text = fc.string({
      unit: fc.constantFrom("a", '"', "\\", "<", ">", ",", ";", "?", "@", " ", "ü", "transport=", "tls", "SIP/2.0/")
    })
    const address = (transport: string) =>
      fc
        .tuple(text, word, word)
        .map(([name, user, host]) => `${JSON.stringify(name)} <sip:${user}@${host};transport=${transport};x>;y=${user}`)
    const sides = fc.record({ via: fc.constantFrom("WSS", "WS", "wss"), uri: fc.constantFrom("ws", "wss") })
    fc.assert(
      fc.property(
        sides.chain(({ uri, via }) =>
          fc.record({
            side: fc.constant<ClientSide>({ ...secure, uri, via }),
            contacts: fc.array(address(uri), { minLength: 1, maxLength: 3 }),
            routes: fc.array(address(uri), { maxLength: 3 }),
            host: word,
            other: text,
            body: fc.uint8Array({ maxLength: 200 })
          })
        ),
        ({ body, contacts, host, other, routes, side }) => {
          const head = [
            `INVITE sip:${host};transport=${side.uri} SIP/2.0`,
            `Via: SIP/2.0/${side.via} ${host};branch=z9hG4bK${host}, SIP/2.0/WSS x`,
            ...routes.map((route) => `Route: ${route}`),
            `Contact: ${contacts.join(", ")}`,
            `Subject: ${other}`,
            `X-Contact: ${contacts[0]}`,
            "From: <sip:a;transport=wss>",
            "To: <sip:b;transport=ws>",
            "Call-ID: 1",
            "CSeq: 1 INVITE",
            `Content-Length: ${body.length}`
          ]
          const bytes = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body])
          const there = Message.write(toSwitch(read(bytes)))
          expect(there.subarray(there.length - body.length).equals(Buffer.from(body))).toBe(true)
          expect(there.toString().split("\r\n\r\n", 1)[0]).not.toMatch(/^(?:Via: SIP\/2\.0\/wss|INVITE .*wss)/im)
          const back = Message.write(toClient(read(there), side))
          expect(back.toString("latin1")).toBe(bytes.toString("latin1"))
        }
      )
    )
  })
})
