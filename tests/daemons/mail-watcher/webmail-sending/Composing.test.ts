/** Pure parts of composing mail. */
import { assert, describe, it } from "@effect/vitest"
import { sanitise } from "#core/html/Sanitise.ts"
import { MailRefused } from "#daemons/mail-watcher/accounts/Errors.ts"
import { flagChange } from "#daemons/mail-watcher/webmail-changes/MailFlags.ts"
import { textOf } from "#daemons/mail-watcher/webmail-sending/ComposeMail.ts"
import { mailDate, replaceFields, valuesOf } from "#daemons/mail-watcher/webmail-sending/MailHeader.ts"
import { distinctAddresses, parseNamedAddress } from "#daemons/mail-watcher/webmail-sending/NamedAddress.ts"
import { parsed } from "#daemons/mail-watcher/webmail-sending/StoredDraft.ts"
import { maxReferences, referencesOf } from "#daemons/mail-watcher/webmail-sending/AnsweredMessage.ts"

describe("typed addresses", () => {
  it("are parsed with a name, one at a time", () => {
    const read = (text: string) => {
      const mailbox = parseNamedAddress(text)
      return mailbox === undefined ? undefined : [mailbox.name, mailbox.address]
    }
    assert.deepStrictEqual(read("Ann.B@Example.Test"), ["", "Ann.B@example.test"])
    assert.deepStrictEqual(read(" <a@b.test> "), ["", "a@b.test"])
    assert.deepStrictEqual(read("Ann Bee <a@b.test>"), ["Ann Bee", "a@b.test"])
    assert.deepStrictEqual(read('"Bee, Ann \\"x\\"" <a@b.test>'), ['Bee, Ann "x"', "a@b.test"])
    assert.deepStrictEqual(read("a@müller.test"), ["", "a@xn--mller-kva.test"])
    for (const wrong of [
      "",
      "a",
      "a@b@c.test",
      "a@b.test, c@d.test",
      "A <a@b.test> <c@d.test>",
      "a@b.test>",
      "<a@b.test",
      "A\n <a@b.test>",
      '"a b"@c.test',
      "a@127.0.0.1",
      "\ud800 <a@b.test>",
      `${"x".repeat(900)} <a@b.test>`
    ]) {
      assert.isUndefined(read(wrong), wrong)
    }
  })

  it("are deduplicated", () => {
    const twice = ["a@b.test", "A@b.test", "c@b.test"].map((text) => parseNamedAddress(text)!)
    assert.strictEqual(distinctAddresses(twice).length, 2)
  })

  it("are refused in bounded time", () => {
    // Processor time in microseconds, because the machine may do other work meanwhile.
    const begun = process.threadCpuUsage()
    for (const text of [
      `"${"\\".repeat(700)}`,
      " ".repeat(700),
      `${" ".repeat(350)}<${" ".repeat(350)}`,
      '"'.repeat(700),
      `"${'a\\"'.repeat(200)}`
    ])
      parseNamedAddress(text)
    const { system, user } = process.threadCpuUsage(begun)
    assert.isBelow(user + system, 200_000)
  })
})

describe("headers", () => {
  const raw = Buffer.from(
    "Subject: a\r\nBCC: x@y.test,\r\n\tz@y.test\r\nReferences: <1@a>\r\n <2@a>\r\n\r\nBcc: in the text\r\n"
  )

  it("drop a field with its folded lines", () => {
    assert.strictEqual(
      replaceFields(raw, ["bcc"], ["Date: now"]).toString(),
      "Date: now\r\nSubject: a\r\nReferences: <1@a>\r\n <2@a>\r\n\r\nBcc: in the text\r\n"
    )
    assert.strictEqual(replaceFields(Buffer.from("Bcc: a\r\nTo: b\r\n"), ["bcc"]).toString(), "To: b\r\n")
  })

  it("are read unfolded", () => {
    assert.deepStrictEqual(valuesOf(raw, "references"), ["<1@a> <2@a>"])
    assert.deepStrictEqual(valuesOf(raw, "bcc"), ["x@y.test, z@y.test"])
  })

  it("format dates", () => assert.strictEqual(mailDate(new Date(0)), "Thu, 01 Jan 1970 00:00:00 +0000"))
})

describe("a draft", () => {
  it("with endless addresses is refused before parsing", async () => {
    // Processor time, because the machine may do other work meanwhile. Unit: milliseconds.
    let least = Infinity
    for (let i = 0; i < 5; i++) {
      const begun = process.cpuUsage()
      const refusal = await parsed(Buffer.from(`To: ${":".repeat(250_000)}\r\n\r\n`)).then(
        () => undefined,
        (error: unknown) => error
      )
      assert.instanceOf(refusal, MailRefused)
      const { system, user } = process.cpuUsage(begun)
      least = Math.min(least, (user + system) / 1_000)
    }
    assert.isBelow(least, 300)
    const many = Array.from({ length: 100 }, (_, at) => `"Doe, ${at}" <a${at}@far.test>`)
    assert.lengthOf((await parsed(Buffer.from(`To: ${many.join(",\r\n ")}\r\n\r\n`))).recipients, 100)
  })
})

describe("references of an answer", () => {
  const of = (...lines: ReadonlyArray<string>) =>
    referencesOf(Buffer.from([...lines, "", ""].join("\r\n")), "<z@a.test>")
  it("extend those of the answered message", () => {
    assert.deepStrictEqual(of("References: <a@a.test> <b@a.test>", "In-Reply-To: <c@a.test>"), [
      "<a@a.test>",
      "<b@a.test>",
      "<z@a.test>"
    ])
    assert.deepStrictEqual(of("In-Reply-To: <c@a.test>"), ["<c@a.test>", "<z@a.test>"])
    assert.deepStrictEqual(of("In-Reply-To: <c@a.test> <d@a.test>"), ["<z@a.test>"])
    assert.deepStrictEqual(of("References: <z@a.test> <a@a.test>"), ["<a@a.test>", "<z@a.test>"])
    assert.deepStrictEqual(of(), ["<z@a.test>"])
  })
  it("keep the first and the newest ids", () => {
    const many = of(`References: ${Array.from({ length: 300 }, (_, index) => `<${index}@a.test>`).join(" ")}`)
    assert.deepStrictEqual(
      [many.length, many[0], many.at(-2), many.at(-1)],
      [maxReferences, "<0@a.test>", "<299@a.test>", "<z@a.test>"]
    )
  })
})

describe("flags", () => {
  it("that users may not set stay", () =>
    assert.deepStrictEqual(
      flagChange("set", ["\\SEEN", "Work", "work"], ["\\Flagged", "\\Draft", "\\Deleted", "\\Recent", "WORK", "old"]),
      { add: ["\\Seen", "work"], remove: ["\\Flagged", "old"] }
    ))
})

describe("text of a page", () => {
  it("takes bounded time", () => {
    // Processor time in microseconds, because the machine may do other work meanwhile.
    let worst = 0
    for (const piece of [
      "<div>",
      "<table><tr><td>",
      "<ul><li>",
      "<a href=x>",
      "<p>x</p>",
      "<blockquote>",
      "<br>",
      "&amp;"
    ]) {
      const page = sanitise(piece.repeat(Math.floor(1_000_000 / piece.length))).html
      const begun = process.threadCpuUsage()
      textOf(page)
      const { system, user } = process.threadCpuUsage(begun)
      worst = Math.max(worst, user + system)
    }
    assert.isBelow(worst, 2_000_000)
  })
})
