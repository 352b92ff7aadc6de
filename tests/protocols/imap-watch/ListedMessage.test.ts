import { Lines } from "#protocols/imap-watch/Lines.ts"
import { maxListedDepth, readListed } from "#protocols/imap-watch/ListedMessage.ts"
import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"

const read = (text: string) => {
  const found = readListed(new Lines().push(Buffer.from(`${text}\r\n`)).lines[0]!)
  return found === undefined ? undefined : Result.merge(found)
}

const text = `"text" "plain" ("charset" "utf-8") NIL NIL "7bit" 8 1 NIL`
const body = (structure: string) => (read(`* 1 FETCH (UID 1 BODYSTRUCTURE ${structure})`) as any).body
const from = (list: string) => (read(`* 1 FETCH (ENVELOPE (NIL NIL ${list} NIL))`) as any).envelope.from

describe("a message of a list", () => {
  it("as a Dovecot 2.3 gives it", () => {
    expect(
      read(
        `* 7 FETCH (UID 9 FLAGS (\\Seen $Label) INTERNALDATE "05-Jan-2026 10:00:00 +0000" RFC822.SIZE 500 ENVELOPE ("Mon, 05 Jan 2026 10:00:00 +0000" {9}\r\nSay "{3}" (("A \\"b\\"" NIL "a" "far.test")("B" NIL "b" "far.test")) NIL NIL NIL NIL NIL NIL "<m@far.test>") BODYSTRUCTURE (${text} NIL NIL NIL))`
      )
    ).toEqual({
      sequence: 7,
      uid: 9,
      flags: ["\\Seen", "$Label"],
      internalDate: "05-Jan-2026 10:00:00 +0000",
      size: 500,
      envelope: {
        date: "Mon, 05 Jan 2026 10:00:00 +0000",
        subject: `Say "{3}"`,
        from: { name: `A "b"`, address: "a@far.test" }
      },
      body: { type: "text/plain", disposition: undefined, named: false, identified: false, parts: [] }
    })
    expect(read("* 7 FETCH (FLAGS (\\Seen))")).toMatchObject({
      sequence: 7,
      uid: undefined,
      flags: ["\\Seen"],
      envelope: undefined,
      body: undefined
    })
    expect(read("* 7 EXISTS")).toBeUndefined()
  })

  it("from a group, and from nobody", () => {
    expect(from(`(NIL (NIL NIL "undisclosed" NIL)(NIL NIL NIL NIL))`)).toEqual({ name: "undisclosed", address: "" })
    expect(from(`((NIL NIL NIL NIL)("x" NIL "x" "far.test"))`)).toEqual({ name: "x", address: "x@far.test" })
    expect(from("NIL")).toBeUndefined()
  })

  it("with what tells its files from its text", () => {
    const named = body(
      `((${text} NIL NIL NIL)("image" "png" ("NAME*0" "a" "name*1*" "b") "<i@x>" NIL "base64" 9 NIL ("INLINE" ("filename*" "utf-8''c")) NIL NIL) "RELATED" ("boundary" "b") NIL NIL NIL)`
    )
    expect(named.type).toBe("multipart/related")
    expect(named.parts[1]).toEqual({
      type: "image/png",
      disposition: "inline",
      named: true,
      identified: true,
      parts: []
    })
    for (const parameter of ["filename", "FILENAME*", "filename*0", "filename*1*"])
      expect(body(`("image" "png" NIL NIL NIL "base64" 9 NIL ("inline" ("${parameter}" "a")))`).named).toBe(true)
    expect(body(`("image" "png" ("names" "a") NIL NIL "base64" 9 NIL ("inline" ("size" "9")))`).named).toBe(false)
    expect(body(`("text" "html" NIL NIL NIL "7bit" 8 1 NIL ("attachment" NIL) NIL NIL)`)).toMatchObject({
      disposition: "attachment",
      named: false
    })
    // A text part without its line count, and a nested message.
    expect(body(`("text" "html" NIL NIL NIL "7bit" 8 NIL ("attachment" NIL) NIL NIL)`).disposition).toBe("attachment")
    expect(
      body(
        `("message" "rfc822" NIL NIL NIL "7bit" 8 (NIL NIL NIL NIL NIL NIL NIL NIL NIL NIL) (${text}) 1 NIL ("attachment" NIL))`
      )
    ).toMatchObject({ disposition: "attachment", parts: [] })
  })

  it("that is nested too deep, or has no end, is a failure", () => {
    const nested = (levels: number) =>
      `* 1 FETCH (BODYSTRUCTURE ${"(".repeat(levels)}${`"text" "plain"`}${`) "mixed"`.repeat(levels - 1)}))`
    expect(read(nested(maxListedDepth - 1))).toMatchObject({ sequence: 1 })
    for (const bad of [nested(maxListedDepth), "* 1 FETCH (UID 1", "* 1 FETCH x", `* 1 FETCH (UID "1`])
      expect(typeof read(bad)).toBe("string")
  })
})
