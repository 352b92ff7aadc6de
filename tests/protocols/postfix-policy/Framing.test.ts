import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import {
  type Attributes,
  Framing,
  maxAttributes,
  maxLineBytes,
  maxRequestBytes
} from "#protocols/postfix-policy/Framing.ts"

/** Parsed requests in a form that is fast to compare. */
const framed = (pieces: Iterable<Uint8Array>) => {
  const framing = new Framing()
  const requests: Array<Attributes> = []
  let fault: string | undefined
  for (const piece of pieces) {
    const result = framing.push(piece)
    requests.push(...result.requests)
    fault = result.fault
  }
  return { fault, unfinished: framing.unfinished, requests: requests.map((each) => Object.entries(each)) }
}

const single = (bytes: Buffer): Iterable<Buffer> => Array.from(bytes.keys(), (at) => bytes.subarray(at, at + 1))
const cut = (bytes: Buffer, at: ReadonlyArray<number>): Array<Buffer> => {
  const ends = [0, ...[...at].sort((a, b) => a - b), bytes.length]
  return ends.slice(1).map((to, index) => bytes.subarray(ends[index], to))
}
const text = (value: string) => Buffer.from(value)
const written = (requests: ReadonlyArray<ReadonlyArray<readonly [string, string]>>) =>
  text(requests.map((request) => `${request.map(([name, value]) => `${name}=${value}\n`).join("")}\n`).join(""))

const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((value) => !/[=\n\0]/.test(value))
const value = fc.string({ unit: "grapheme", maxLength: 60 }).filter((each) => !/[\n\0]/.test(each))
const requests = fc.array(
  fc.uniqueArray(fc.tuple(word, value), { minLength: 1, maxLength: 35, selector: ([name]) => name }),
  { maxLength: 4 }
)

describe("requests", () => {
  it("come out as they were written, in whatever pieces", () => {
    fc.assert(
      fc.property(requests, fc.array(fc.nat(10_000), { maxLength: 40 }), (written_, at) => {
        const bytes = written(written_)
        const whole = framed([bytes])
        expect(whole.fault).toBeUndefined()
        // A JavaScript object lists numeric names first, so the comparison ignores the order.
        expect(whole.requests.map((each) => new Map(each))).toEqual(written_.map((each) => new Map(each)))
        expect(
          framed(
            cut(
              bytes,
              at.map((each) => Math.min(each, bytes.length))
            )
          )
        ).toEqual(whole)
      })
    )
  })

  it("come out byte by byte, too", () => {
    const bytes = text(
      "request=smtpd_access_policy\nsender=grüße@example.test\nsasl_sender=\nccert_subject=a=b\n\nrequest=x\n\n"
    )
    expect(framed(single(bytes))).toEqual(framed([bytes]))
    expect(framed([bytes])).toMatchObject({ fault: undefined, unfinished: false })
    expect(new Map(framed([bytes]).requests[0])).toEqual(
      new Map([
        ["request", "smtpd_access_policy"],
        ["sender", "grüße@example.test"],
        ["sasl_sender", ""],
        ["ccert_subject", "a=b"]
      ])
    )
  })

  it("have the first of a repeated name, and names of their own only", () => {
    expect(framed([text("__proto__=x\na=1\na=2\n\n")]).requests).toEqual([
      [
        ["__proto__", "x"],
        ["a", "1"]
      ]
    ])
  })

  it("keep what was said when the caller's buffer is written over", () => {
    const framing = new Framing()
    const head = text("abc=d")
    framing.push(head)
    head.fill(0)
    expect(framing.push(text("ef\n\n")).requests).toEqual([Object.assign(Object.create(null), { abc: "def" })])
  })

  it("are each bounded, not all of a connection's together", () => {
    const one = text(`a=${"b".repeat(1_000)}\n\n`)
    expect(framed(Array.from({ length: 200 }, () => one))).toMatchObject({
      fault: undefined,
      requests: { length: 200 }
    })
  })

  it("may be of the greatest size, to the byte", () => {
    const lines = Math.floor(maxRequestBytes / maxLineBytes)
    const request = (extra: string) =>
      text(
        `${Array.from({ length: lines }, (_, index) => `${index}=${"a".repeat(maxLineBytes - 2)}\n`).join("")}${extra}\n`
      )
    expect(framed([request("")]).requests).toHaveLength(1)
    expect(framed([request("b=\n")])).toMatchObject({ requests: [], fault: expect.stringContaining("request") })
    const most = text(`${Array.from({ length: maxAttributes }, (_, index) => `${index}=\n`).join("")}\n`)
    expect(framed([most]).requests[0]).toHaveLength(maxAttributes)
  })
})

describe("a hostile peer", () => {
  it.each([
    ["an empty request", "\n"],
    ["a line without =", "hello\n\n"],
    ["a line without a name", "=x\n\n"],
    ["a null character", "a=b\0c\n\n"],
    ["a line too long", `a=${"b".repeat(maxLineBytes - 1)}\n\n`],
    ["an endless line", "a".repeat(maxLineBytes + 1)],
    ["endless attributes", Array.from({ length: maxAttributes + 1 }, (_, index) => `${index}=\n`).join("")],
    ["the same name again and again", "a=b\n".repeat(maxAttributes + 1)]
  ])("is told by %s, and heard no more", (_, bytes) => {
    const result = framed([text("a=1\n\n"), text(bytes), text("\n\na=2\n\n")])
    expect(result.fault).toBeDefined()
    expect(result.requests).toEqual([[["a", "1"]]])
    expect(framed(single(text(bytes))).fault).toBe(framed([text(bytes)]).fault)
  })

  it("breaks nothing with random bytes", () => {
    const piece = fc.oneof(fc.uint8Array({ maxLength: 100 }), fc.constantFrom("a=b\n", "\n", "=", "\0").map(text))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(framed(pieces)).toEqual(framed([Buffer.concat(pieces)]))
      })
    )
  })
})
