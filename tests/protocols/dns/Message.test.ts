import packet, { type Answer } from "dns-packet"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Asking, encodeQuery, readReply } from "#protocols/dns/Message.ts"
import { canonicalContent } from "#protocols/dns/RecordContent.ts"
import { Result } from "effect"

const asking: Asking = { name: "www.example.test", type: "A", recursion: false }
const query = encodeQuery(4711, asking, true)
const reply = (
  answers: ReadonlyArray<Answer>,
  more: {
    readonly flags?: number
    readonly authorities?: ReadonlyArray<Answer>
    readonly additionals?: ReadonlyArray<Answer>
  } = {}
): Buffer =>
  packet.encode({
    type: "response",
    id: 4711,
    flags: more.flags ?? packet.AUTHORITATIVE_ANSWER,
    questions: [{ name: asking.name, type: "A" }],
    answers: [...answers],
    authorities: [...(more.authorities ?? [])],
    additionals: [...(more.additionals ?? [])]
  })

describe("a question", () => {
  it.each(["www.example.test", "", "a", `${"a".repeat(63)}.b`, "_dmarc.example.test"])(
    "is read by others as it was meant: %j",
    (name) => {
      for (const edns of [true, false]) {
        const decoded = packet.decode(
          encodeQuery(7, { name, type: "TXT", recursion: true, checkingDisabled: true, dnssecOk: true }, edns)
        )
        expect(decoded).toMatchObject({
          id: 7,
          type: "query",
          flag_rd: true,
          flag_cd: true,
          flag_ad: true,
          questions: [{ name: name === "" ? "." : name, type: "TXT", class: "IN" }]
        })
        expect(decoded.additionals).toEqual(
          edns ? [expect.objectContaining({ type: "OPT", udpPayloadSize: 1232, flag_do: true })] : []
        )
      }
      expect(packet.decode(encodeQuery(7, { name, type: "A", recursion: false }, true))).toMatchObject({
        flag_rd: false,
        flag_cd: false,
        flag_ad: false,
        additionals: [{ flag_do: false }]
      })
    }
  )
})

describe("an answer", () => {
  it("gives every kind of content in its one form", () => {
    const name = asking.name
    const data: ReadonlyArray<Answer> = [
      { type: "A", name, ttl: 1, data: "192.0.2.1" },
      { type: "AAAA", name, ttl: 2, data: "2001:db8::1" },
      { type: "CNAME", name, data: "A.Example.TEST" },
      { type: "MX", name, data: { preference: 10, exchange: "Mail.example.test" } },
      { type: "MX", name, data: { preference: 0, exchange: "." } },
      { type: "TXT", name, data: ["v=DKIM1; p=AB", "CD"] },
      { type: "SRV", name, data: { priority: 0, weight: 1, port: 993, target: "mail.example.test" } },
      { type: "CAA", name, data: { flags: 0, tag: "issue", value: "ca.example" } },
      { type: "NS", name: "Example.test", data: "ns1.example.test" }
    ]
    const read = readReply(reply(data), query, asking)
    if (typeof read === "string") throw new Error(read)
    expect(read.answers.map(({ content }) => content)).toEqual([
      "192.0.2.1",
      "2001:db8::1",
      "a.example.test",
      "10 mail.example.test",
      "0 .",
      "v=DKIM1; p=ABCD",
      "0 1 993 mail.example.test",
      '0 issue "ca.example"',
      "ns1.example.test"
    ])
    for (const [at, { type }] of data.entries()) {
      if (type !== "NS")
        expect(canonicalContent(type, read.answers[at]!.content)).toEqual(Result.succeed(read.answers[at]!.content))
    }
    expect(read.answers.at(-1)?.name).toBe("example.test")
    expect([read.answers[0]?.ttl, read.answers[1]?.ttl]).toEqual([1, 2])
  })

  it("is none that is a question, such as ours sent back, or has another id", () => {
    expect(readReply(query, query, asking)).toBe("foreign")
    expect(readReply(reply([]), encodeQuery(4712, asking, true), asking)).toBe("foreign")
    expect(readReply(reply([]), query, asking)).toMatchObject({ rcode: 0 })
  })

  it("leaves other classes, and what is only sent along", () => {
    const also: Answer = { type: "A", name: "bank.test", data: "198.51.100.66" }
    expect(
      readReply(
        reply([{ type: "A", name: asking.name, class: "CH", data: "198.51.100.66" }], {
          authorities: [also],
          additionals: [also]
        }),
        query,
        asking
      )
    ).toMatchObject({ answers: [], authorities: [], additionals: [] })
    const referral = readReply(
      reply([], {
        flags: 0,
        authorities: [{ type: "NS", name: "example.test", data: "ns.example.test" }],
        additionals: [also]
      }),
      query,
      asking
    )
    expect(referral).toMatchObject({
      authoritative: false,
      authorities: [{ name: "example.test", content: "ns.example.test" }],
      additionals: [{ name: "bank.test" }]
    })
  })

  it("a TTL with the highest bit is none", () => {
    const message = reply([{ type: "A", name: asking.name, ttl: 0xffff_ffff, data: "192.0.2.1" }])
    expect(readReply(message, query, asking)).toMatchObject({ answers: [{ ttl: 0 }] })
  })

  it("with an address of another length cannot be read", () => {
    for (const [type, octets] of [
      [1, 4],
      [28, 16]
    ] as const) {
      for (const length of [octets, octets - 1, octets + 1, 0]) {
        const record = Buffer.alloc(12 + length, 1)
        record.writeUInt16BE(0xc00c, 0)
        record.writeUInt32BE(type * 0x1_0000 + 1, 2)
        record.writeUInt16BE(length, 10)
        const message = Buffer.concat([reply([]), record])
        message.writeUInt16BE(1, 6)
        const read = readReply(message, query, asking)
        expect(typeof read === "string" ? read : read.answers[0]?.content).toBe(
          length !== octets ? "malformed" : type === 1 ? "1.1.1.1" : "101:101:101:101:101:101:101:101"
        )
      }
    }
  })

  it("that is broken anywhere is read, called malformed or left, and never throws or runs long", () => {
    const whole = reply(
      [
        { type: "CNAME", name: asking.name, data: "b.example.test" },
        { type: "A", name: "b.example.test", data: "192.0.2.1" },
        { type: "TXT", name: "b.example.test", data: ["a", "b"] }
      ],
      { flags: 0 }
    )
    const broken = fc.oneof(
      fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, octet]) => {
        const copy = Buffer.from(whole)
        copy[at] = octet
        return copy
      }),
      fc.nat(whole.length).map((length) => whole.subarray(0, length)),
      fc.uint8Array({ maxLength: 600 }).map((octets) => Buffer.concat([whole.subarray(0, 34), octets])),
      fc.uint8Array({ maxLength: 600 }).map((octets) => Buffer.from(octets))
    )
    fc.assert(
      fc.property(broken, (message) => {
        const read = readReply(message, query, asking)
        if (typeof read === "string") return
        // Parsed values can be stored as JSON in Postgres.
        expect(JSON.stringify(read)).not.toMatch(/\\u0000/)
      }),
      { numRuns: 2000 }
    )
  })
})
