/** Pure parts of reading: names, encodings, structures, numbers. */
import { describe, it } from "@effect/vitest"
import fc from "fast-check"
import { expect } from "vitest"
import { numbersOf } from "#daemons/mail-watcher/accounts/sessions/ImapCommand.ts"
import { decoder } from "#daemons/mail-watcher/webmail-reading/message/Decoders.ts"
import { disposition, safeName, safeType } from "#daemons/mail-watcher/webmail-reading/message/FileName.ts"
import { messageParts } from "#daemons/mail-watcher/webmail-reading/message/MessageParts.ts"
import { oneLine, sentAt } from "#daemons/mail-watcher/webmail-reading/HeaderText.ts"
import { partText } from "#daemons/mail-watcher/webmail-reading/message/PartText.ts"
import { grouped } from "#daemons/mail-watcher/webmail-reading/list/Threads.ts"

/** Decodes the text in pieces of this size. */
const decoded = (encoding: string, text: string, size: number): string => {
  const { end, push } = decoder(encoding)
  const bytes = Buffer.from(text, "latin1")
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    push(bytes.subarray(at * size, (at + 1) * size))
  )
  return Buffer.concat([...pieces, end()]).toString("latin1")
}

describe("file names", () => {
  it("are cleaned", () => {
    expect(safeName("../../etc/passwd", "x")).toBe("passwd")
    expect(safeName("C:\\Windows\\CON.txt", "x")).toBe("_CON.txt")
    expect(safeName("invoice\u202egpj.exe", "x")).toBe("invoicegpj.exe")
    expect(safeName("a\r\nSet-Cookie: x", "x")).toBe("a Set-Cookie_ x")
    expect(safeName("...", "part-2")).toBe("part-2")
    expect(safeName(`${"n".repeat(300)}.pdf`, "x")).toMatch(/^n{76}\.pdf$/)
    expect(safeType("text/html")).toBe("application/octet-stream")
  })

  it("fit in one header", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (name) => {
        const safe = safeName(name, "file")
        expect(safe).not.toMatch(/[/\\"<>:|?*\p{C}]|^\.|^$/u)
        expect(safe.length).toBeLessThanOrEqual(81)
        const header = disposition("attachment", safe)
        expect(header).toMatch(/^attachment; filename="[\x20\x21\x23-\x5b\x5d-\x7e]*"; filename\*=UTF-8''[\w.!~%-]*$/)
        expect(decodeURIComponent(header.split("''")[1]!)).toBe(safe)
      })
    )
  })
})

describe("encodings", () => {
  it("are decoded across any chunks", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 1, max: 90 }), (bytes, size) => {
        const text = Buffer.from(bytes).toString("latin1")
        expect(decoded("base64", Buffer.from(bytes).toString("base64").replace(/.{20}/g, "$&\r\n"), size)).toBe(text)
        const quoted = Array.from(bytes, (byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`)
          .join("")
          .replace(/.{30}/g, "$&=\r\n")
        expect(decoded("quoted-printable", quoted, size)).toBe(text)
        expect(decoded("8bit", text, size)).toBe(text)
      })
    )
  })

  it("that are broken return what is readable", () => {
    expect(decoded("base64", "aGVs!!bG8=garb", 3)).toMatch(/^hello/)
    expect(decoded("quoted-printable", "a=GGb=", 2)).toBe("a=GGb=")
  })

  it("and charsets of a text part never fail", async () => {
    const part = {
      part: "1",
      type: "text/plain",
      charset: "iso-8859-1",
      encoding: "quoted-printable",
      flowed: false,
      delSp: false,
      size: 0
    } as const
    expect((await partText(part, Buffer.from("Gr=FC=DFe"))).trim()).toBe("Grüße")
    expect((await partText({ ...part, charset: "no-such", encoding: "base64" }, Buffer.from("aGVsbG8="))).trim()).toBe(
      "hello"
    )
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom("utf-8", "utf-7", "utf-16le", "iso-2022-jp", "x"),
        fc.constantFrom("base64", "quoted-printable", "8bit"),
        async (bytes, charset, encoding) => {
          expect((await partText({ ...part, charset, encoding }, bytes)).isWellFormed()).toBe(true)
        }
      )
    )
  })
})

describe("message structure", () => {
  const plain = { part: "1.1", type: "text/plain", size: 5 }
  const html = { part: "1.2", type: "text/html", size: 5 }
  it("merges alternatives and lists attachments", () => {
    const tree = messageParts({
      type: "multipart/mixed",
      childNodes: [
        { type: "multipart/alternative", part: "1", childNodes: [plain, html] },
        { part: "2", type: "text/plain", disposition: "attachment", dispositionParameters: { filename: "a.txt" } },
        { part: "3", type: "text/plain", size: 3 },
        { part: "4", type: "message/rfc822", envelope: { subject: "../x" } }
      ]
    })
    expect(tree.blocks.map(({ html, plain }) => [plain?.part, html?.part])).toEqual([
      ["1.1", "1.2"],
      ["3", undefined]
    ])
    expect(tree.attachments.map(({ filename, part }) => [part, filename])).toEqual([
      ["2", "a.txt"],
      ["4", "x.eml"]
    ])
    expect(messageParts({ type: "text/html" }).blocks).toMatchObject([{ html: { part: "1" } }])
  })

  it("lists texts beyond the limit as attachments", () => {
    const tree = messageParts({
      type: "multipart/mixed",
      childNodes: Array.from({ length: 30 }, (_, at) => ({ part: String(at + 1), type: "text/plain" }))
    })
    expect([tree.blocks.length, tree.attachments.length]).toEqual([20, 10])
  })
})

describe("header text and number sets", () => {
  it("removes line breaks and direction marks", () => {
    expect(oneLine("a\u202eb\r\nc\0 \ud800")).toBe("ab c  \ufffd")
    expect(oneLine(undefined)).toBe("")
    expect(sentAt("nonsense", new Date("2026-01-02T03:04:05Z"))).toBe("2026-01-02T03:04:05.000Z")
    expect(sentAt("nonsense", undefined)).toBe(null)
  })

  it("formats times like the engine", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(1), max: new Date("+012000-01-01T00:00:00Z"), noInvalidDate: true }),
        fc.boolean(),
        (date, whole) => {
          const time = whole ? new Date(Math.ceil(date.getTime() / 1000) * 1000) : date
          expect(sentAt(time, undefined)).toBe(time.toISOString())
        }
      )
    )
    expect(sentAt("Mon, 05 Jan 2026 10:00:00 +0130", undefined)).toBe("2026-01-05T08:30:00.000Z")
  })

  it("limits number sets", () => {
    expect(numbersOf("3:5,9", 10)).toEqual([3, 4, 5, 9])
    expect(numbersOf("5:3", 10)).toEqual([5, 4, 3])
    expect(numbersOf("1:4294967295", 3)).toEqual([1, 2, 3])
    expect(numbersOf("x,0,-1,1e9,7", 10)).toEqual([7])
  })
})

describe("conversations of a page", () => {
  it("group messages with a common id", () => {
    const groups = grouped([
      { uid: 4, ids: ["<a>", "<b>"] },
      { uid: 3, ids: ["<c>"] },
      { uid: 2, ids: ["<d>"] },
      { uid: 1, ids: ["<a>"] },
      { uid: 5, ids: ["<d>", "<b>"] }
    ])
    expect(groups).toEqual([[1, 2, 4, 5], [3]])
    expect(
      grouped([
        { uid: 1, ids: [] },
        { uid: 2, ids: [] }
      ])
    ).toEqual([[2], [1]])
  })
})
