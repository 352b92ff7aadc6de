import { describe, expect, it } from "vitest"
import fc from "fast-check"
import { maxBodyLength } from "#core/contracts/Alarm.ts"
import { parse as parseBounded } from "#daemons/alarm-bridge/intake/MailParser.ts"

const parse = (raw: Uint8Array) => parseBounded(raw, maxBodyLength)

const mail = (headers: ReadonlyArray<string>, body: string | Buffer = "") =>
  Buffer.concat([Buffer.from(`${headers.join("\r\n")}\r\n\r\n`, "latin1"), Buffer.from(body as string)])

const base64 = (text: string | Buffer) => Buffer.from(text as string).toString("base64")

const multipart = (type: string, ...parts: ReadonlyArray<string>) =>
  mail(
    ["From: a@x", "Subject: s", `Content-Type: multipart/${type}; boundary=b`],
    `${parts.map((part) => `--b\r\n${part}\r\n`).join("")}--b--\r\n`
  )

describe("subjects", () => {
  const subject = async (...lines: ReadonlyArray<string>) => (await parse(mail(lines))).subject
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>, string]> = [
    [
      "plain, to the letter",
      ["Subject: CRITICAL:WEBHOOK+http://h/a;b?x=%41;RETRY:2x1m"],
      "CRITICAL:WEBHOOK+http://h/a;b?x=%41;RETRY:2x1m"
    ],
    ["folded", ["Subject: ALERT:CALL+49123;", " WEBHOOK+http://h/"], "ALERT:CALL+49123; WEBHOOK+http://h/"],
    ["RFC 2047 Q", ["Subject: =?utf-8?Q?ALERT:MESSENGER+1_=C3=BC?="], "ALERT:MESSENGER+1 ü"],
    [
      "RFC 2047 B over two words and a fold",
      [`Subject: =?utf-8?B?${base64("ALERT:WEBHOOK+")}?=`, ` =?utf-8?B?${base64("http://h/")}?=`],
      "ALERT:WEBHOOK+http://h/"
    ],
    ["ISO-8859-1", ["Subject: =?iso-8859-1?Q?T=FCr?="], "Tür"],
    ["ISO-2022-JP", ["Subject: =?ISO-2022-JP?B?GyRCN1lKcxsoQg==?="], "警報"],
    ["bare 8-bit that is UTF-8", [`Subject: ${Buffer.from("Tür").toString("latin1")}`], "Tür"],
    ["bare 8-bit that is not", ["Subject: T\u00fcr"], "Tür"],
    ["an encoded line break does not start a header", ["Subject: =?utf-8?Q?a=0D=0ABcc:_b?="], "a Bcc: b"],
    ["NUL", ["Subject: a\u0000b"], "a b"],
    ["the first of two", ["Subject: one", "Subject: two"], "one"],
    ["none", ["From: a@x"], ""]
  ]
  it.each(cases)("%s", async (_name, lines, expected) => {
    expect(await subject(...lines)).toBe(expected)
  })
})

describe("what a mail answers and who vouches for it", () => {
  const header = (...lines: ReadonlyArray<string>) => parse(mail(["From: a@x", ...lines]))
  const results = async (...lines: ReadonlyArray<string>) => (await header(...lines)).authenticationResults
  const answers = async (...lines: ReadonlyArray<string>) => (await header(...lines)).inReplyTo
  const name = "Authentication-Results"

  it("the topmost Authentication-Results, unfolded, never a lower one", async () => {
    expect(await results("Subject: s")).toBeUndefined()
    expect(await results(`${name}: mx.ok.test;`, "\tdkim=pass header.d=ok.test")).toBe(
      "mx.ok.test; dkim=pass header.d=ok.test"
    )
    expect(await results(`${name}: first`, `${name}: second`)).toBe("first")
    expect(await results("Received: x", `AUTHENTICATION-RESULTS: first`, "Received: y", `${name}: second`)).toBe(
      "first"
    )
    expect(await results(`${name}:`, `${name}: second`)).toBeUndefined()
    expect(await results(`X-${name}: other`, `ARC-${name}: i=1; other`)).toBeUndefined()
    expect(await results(`${name}: mx;\0dkim=pass\u0007`)).toBe("mx; dkim=pass")
    expect(await results(`${name}: =?utf-8?Q?mx;_dkim=3Dpass?=`)).toBe("=?utf-8?Q?mx;_dkim=3Dpass?=")
  })

  it("not the header of an attached mail or of a part", async () => {
    const parsed = await parse(
      multipart(
        "mixed",
        `Content-Type: text/plain\r\n${name}: part\r\nIn-Reply-To: <1@x>\r\n\r\nwords`,
        `Content-Type: message/rfc822\r\n\r\n${name}: inner\r\n\r\ninner`
      )
    )
    expect(parsed).toMatchObject({ authenticationResults: undefined, inReplyTo: [] })
    expect(await parse(mail(["Subject: s"], `\r\n${name}: body\r\n`))).toMatchObject({
      authenticationResults: undefined
    })
  })

  it("half of one is none: too long, or where the header block was cut", async () => {
    const long = (length: number) => `mx; dkim=pass header.d=${"x".repeat(length - 23)}`
    expect((await results(`${name}: ${long(8_000)}`))?.length).toBe(8_000)
    expect(await results(`${name}: ${long(8_001)}`, `${name}: second`)).toBeUndefined()
    // The first block of the mail ends here, in the middle of a header line.
    const block = 256 * 1024
    const start = "Subject: s\r\nFrom: a@x\r\nX: "
    const end = `\r\n${name}: mx; dkim=pass header.d=ok.test`
    const cut = `${start}${"y".repeat(block - start.length - end.length)}${end}`
    expect(cut.length).toBe(block)
    expect(await parse(Buffer.from(`${cut}.evil.test\r\n\r\nbody`))).toMatchObject({
      subject: "s",
      authenticationResults: undefined,
      whole: false
    })
    // The same when the server returns only the first part of a large mail.
    expect(await parse(Buffer.from(cut))).toMatchObject({ subject: "s", authenticationResults: undefined })
    const above = `${name}: mx; none\r\n${start}${"y".repeat(block)}\r\n\r\nbody`
    expect(await parse(Buffer.from(above))).toMatchObject({
      subject: "s",
      authenticationResults: "mx; none",
      whole: false
    })
  })

  it("the ids of In-Reply-To, at most twenty, and the Message-ID in brackets", async () => {
    expect(await answers("Subject: s")).toEqual([])
    expect(await answers("In-Reply-To: <1@x>")).toEqual(["<1@x>"])
    expect(await answers("In-Reply-To: <1@", " x> (Boss)", "in-reply-to: 2@x")).toEqual(["<1@x>", "<2@x>"])
    expect(await answers("In-Reply-To: (<1@x>", "References: <2@x>")).toEqual([])
    expect(await answers("In-Reply-To: <1\0@x> <2@x>")).toEqual(["<2@x>"])
    const many = Array.from({ length: 10_000 }, (_, index) => `<${index}@x>`)
    expect(await answers(`In-Reply-To: ${many.join("\r\n ")}`)).toEqual(many.slice(0, 20))
    expect(await answers(...many.slice(0, 5_000).map((id) => `In-Reply-To: ${id}`))).toEqual(many.slice(0, 20))
    expect((await header("Message-ID: 1@x")).messageId).toBe("<1@x>")
    expect((await header("Message-ID: <1@", " x>")).messageId).toBe("<1@x>")
    expect((await header("Message-ID: nonsense")).messageId).toBe("nonsense")
  })
})

describe("bodies", () => {
  const body = async (raw: Buffer) => (await parse(raw)).body
  const text = "Content-Type: text/plain; charset=utf-8\r\n\r\n"
  const cases: ReadonlyArray<readonly [string, Buffer, string]> = [
    ["plain, CRLF", mail(["Subject: s"], "one\r\ntwo\r\n"), "one\ntwo"],
    ["bare LF", Buffer.from("Subject: s\n\none\ntwo\n"), "one\ntwo"],
    [
      "quoted-printable",
      mail(
        ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable"],
        "T=C3=BCr=\r\n auf"
      ),
      "Tür auf"
    ],
    [
      "base64 windows-1252",
      mail(
        ["Content-Type: text/plain; charset=windows-1252", "Content-Transfer-Encoding: base64"],
        base64(Buffer.from([0x80]))
      ),
      "€"
    ],
    ["8-bit without a word about it", mail(["Subject: s"], Buffer.from("T\u00fcr", "latin1")), "Tür"],
    ["unknown charset", mail(["Content-Type: text/plain; charset=klingon"], "a"), "a"],
    [
      "HTML only",
      mail(["Content-Type: text/html; charset=utf-8"], "<style>p{}</style><p>Tür &amp; Tor</p><p>zwei</p>"),
      "Tür & Tor\n\nzwei"
    ],
    [
      "plain before HTML",
      multipart("alternative", `${text}plain`, "Content-Type: text/html\r\n\r\n<b>html</b>"),
      "plain"
    ],
    [
      "HTML when the plain part is blank",
      multipart("alternative", `${text} `, "Content-Type: text/html\r\n\r\n<b>html</b>"),
      "html"
    ],
    [
      "attachments are left out",
      multipart(
        "mixed",
        `${text}words`,
        "Content-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nsecret"
      ),
      "words"
    ],
    [
      "a forwarded mail is an attachment",
      multipart("mixed", `${text}words`, "Content-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\ninner"),
      "words"
    ],
    ["NUL and control characters", mail(["Subject: s"], "a\u0000b\u0007c\td"), "abc\td"],
    ["empty", Buffer.alloc(0), ""],
    ["only a header", Buffer.from("Subject: s"), ""]
  ]
  it.each(cases)("%s", async (_name, raw, expected) => {
    expect(await body(raw)).toBe(expected)
  })

  it("is cut at a whole code point", async () => {
    const { body } = await parse(mail(["Content-Type: text/plain; charset=utf-8"], `a${"😀".repeat(maxBodyLength)}`))
    expect(body.length).toBe(maxBodyLength - 1)
    expect(body.isWellFormed()).toBe(true)
  })
})

describe("mails made to hurt", () => {
  const nested = (levels: number) =>
    Array.from(
      { length: levels },
      (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`
    ).join("")
  const cases: ReadonlyArray<readonly [string, Buffer, boolean]> = [
    ["multipart in multipart, 1,000 deep", Buffer.from(`Subject: s\r\nFrom: a@x\r\n${nested(1_000)}`), false],
    [
      "100,000 parts",
      Buffer.from(
        `Subject: s\r\nFrom: a@x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\n".repeat(100_000)}`
      ),
      false
    ],
    ["a header of 5 MB", Buffer.from(`Subject: s\r\nFrom: a@x\r\nX: ${"y".repeat(5_000_000)}\r\n\r\nbody`), false],
    [
      "a million header lines",
      Buffer.from(`Subject: s\r\nFrom: a@x\r\n${"X: y\r\n".repeat(1_000_000)}\r\nbody`),
      false
    ],
    [
      "HTML nested by the ten thousand",
      mail(["Subject: s", "From: a@x", "Content-Type: text/html"], `${"<div>".repeat(10_000)}words`),
      true
    ],
    [
      "a charset of no sense",
      mail(["Subject: s", "From: a@x", `Content-Type: text/plain; charset="${"x".repeat(10_000)}"`], "words"),
      true
    ]
  ]
  it.each(cases)("%s", async (_name, raw, whole) => {
    expect(await parse(raw)).toMatchObject({ subject: "s", from: "a@x", whole })
  })

  it("what cannot be taken apart still shows its text", async () => {
    const { body } = await parse(Buffer.from(`Subject: s\r\n${nested(100)}words\r\n`))
    expect(body).toContain("words")
  })

  const fragments = [
    "From: ",
    "Subject: ",
    "Content-Type: multipart/mixed; boundary=b",
    "Content-Type: text/html",
    "Content-Transfer-Encoding: base64",
    "--b",
    "--b--",
    "=?utf-8?B?",
    "?=",
    "\r\n",
    "\n",
    "\r",
    "\0",
    " ",
    "<",
    ">",
    '"',
    "(",
    "@",
    "a@b",
    "charset=utf-16",
    "<p>",
    "&#x0;",
    ";"
  ]
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
    fc
      .array(fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: "binary", maxLength: 8 })), { maxLength: 60 })
      .map((parts) => Buffer.from(parts.join("")))
  )
  it("whatever the bytes are, words come out that JSON in Postgres takes", async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (raw) => {
        const parsed = await parse(raw)
        for (const text of [
          parsed.subject,
          parsed.body,
          parsed.from,
          parsed.messageId ?? "",
          parsed.authenticationResults ?? "",
          ...parsed.inReplyTo
        ]) {
          expect(text.isWellFormed()).toBe(true)
          // eslint-disable-next-line no-control-regex
          expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/)
        }
        expect(parsed.body.length).toBeLessThanOrEqual(maxBodyLength)
      }),
      { numRuns: 2_000 }
    )
  })
})
