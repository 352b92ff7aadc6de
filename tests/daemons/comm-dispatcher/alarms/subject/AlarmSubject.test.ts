import { Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, expect, it } from "vitest"
import {
  type AlarmSubject,
  format,
  maxAttempts,
  maxPauseMinutes,
  maxTargets,
  parse
} from "#daemons/comm-dispatcher/alarms/subject/AlarmSubject.ts"
import { channels, severities } from "#daemons/comm-dispatcher/vocabulary/Target.ts"
import { maxSubjectLength } from "#daemons/comm-dispatcher/vocabulary/StorableText.ts"

const read = (subject: string): AlarmSubject => Result.getOrThrow(parse(subject))
const mistake = (subject: string) => {
  const result = parse(subject)
  assert(Result.isFailure(result), `accepted: ${subject.slice(0, 80)}`)
  return result.failure
}
const targetsOf = (subject: string) => read(subject).targets.map(({ channel, target }) => `${channel} ${target}`)

describe("AlarmSubject.parse", () => {
  it("reads every element", () => {
    assert.deepStrictEqual(
      read(
        "CRITICAL:CALL+4989123456;MESSENGER+-100123;MESSENGER_VOICE+@Ops_Room;WEBHOOK+https://x.test/a;SMS+4989123457;RETRY:3x5m"
      ),
      {
        severity: "CRITICAL",
        targets: [
          { channel: "call", target: "+4989123456" },
          { channel: "messenger", target: "-100123" },
          { channel: "messenger_voice", target: "@ops_room" },
          { channel: "webhook", target: "https://x.test/a" },
          { channel: "sms", target: "+4989123457" }
        ],
        retry: { attempts: 3, pauseMinutes: 5 }
      }
    )
  })

  it.each([
    "critical : call + +49 89 123456 ; retry : 3 X 5 M ;",
    " Critical:Call++49(0)89/123-456;;RETRY:03x05m; ;",
    "CRITICAL:\r\n\tCALL+0049\r\n 89 123456;\r\n RETRY:3x5m"
  ])("is tolerant of case, spaces, folding and trailing semicolons: %j", (subject) =>
    assert.strictEqual(format(read(subject)), "CRITICAL:CALL+4989123456;RETRY:3x5m")
  )

  it.each([
    ["INFO:CALL+4989123456;CALL++4989123456;call+0049 89 123456", ["call +4989123456"]],
    ["INFO:CALL+\u202a+4989123456\u202c", ["call +4989123456"]],
    ["INFO:CALL+4989123456;SMS+4989123456", ["call +4989123456", "sms +4989123456"]],
    ["INFO:MESSENGER+007;MESSENGER+7", ["messenger 7"]],
    [
      "INFO:WEBHOOK+https://x.test/a;b+c:d?e=;f;SMS+4989123456",
      ["webhook https://x.test/a;b+c:d?e=;f", "sms +4989123456"]
    ],
    ["INFO:WEBHOOK+https://x.test/a;FAX+123", ["webhook https://x.test/a;FAX+123"]],
    ["INFO:WEBHOOK+https://x.test/a;", ["webhook https://x.test/a"]],
    ["INFO:WEBHOOK+https://x.test/a%3Bcall+1", ["webhook https://x.test/a%3Bcall+1"]],
    ["INFO:WEBHOOK+https://x.test/;#a", ["webhook https://x.test/%3B"]],
    ["INFO:WEBHOOK+https://x%3Bcall%2B1/", ["webhook https://x%3Bcall+1/"]],
    ["INFO:webhook+HTTP://X.test:80/#top", ["webhook http://x.test/"]]
  ])("normalises and separates: %j", (subject, expected) => assert.deepStrictEqual(targetsOf(subject), expected))

  it.each([
    ["", "Empty", 0],
    [" \r\n ", "Empty", 0],
    ["x".repeat(maxSubjectLength + 1), "TooLong", maxSubjectLength],
    ["INFO:CALL+49\0", "ControlCharacter", 12],
    ["INFO:CALL+49\u0085", "ControlCharacter", 12],
    ["hello", "MissingSeverity", 0],
    [" :CALL+4989123456", "MissingSeverity", 1],
    ["Re: INFO:CALL+4989123456", "UnknownSeverity", 0],
    ["INFO:", "MissingTarget", 4],
    ["INFO:RETRY:3x1m", "MissingTarget", 5],
    ["INFO:FAX+123", "UnknownChannel", 5],
    ["INFO:CALL+4989123456; FAX+123", "UnknownChannel", 22],
    ["INFO:CALL+4989123456;RETRY:3x1m;FAX+123", "UnknownChannel", 32],
    ["INFO:MESSENGER+1;FAX + 1;CALL+4989123456", "UnknownChannel", 17],
    ["INFO:CALL+4989123456;4989123457", "ExpectedTarget", 21],
    ["INFO:CALL+4989123456;RETRY 3x1m", "ExpectedTarget", 21],
    ["INFO:CALL", "ExpectedTarget", 5],
    ["INFO:CALL+;SMS+4989123456", "EmptyTarget", 10],
    ["INFO:WEBHOOK+ ", "EmptyTarget", 13],
    ["INFO:CALL+089123456", "InvalidPhoneNumber", 10],
    ["INFO:CALL+999123456", "InvalidPhoneNumber", 10],
    ["INFO:CALL+4989", "InvalidPhoneNumber", 10],
    ["INFO:CALL+49891234567,4989123456", "InvalidPhoneNumber", 10],
    ["INFO:CALL+310000000", "InvalidPhoneNumber", 10],
    ["INFO:CALL+tel:+4989123456", "InvalidPhoneNumber", 10],
    ["INFO:SMS+1 800 FLOWERS", "InvalidPhoneNumber", 9],
    ["INFO:MESSENGER+0", "InvalidChatId", 15],
    ["INFO:MESSENGER+1.5", "InvalidChatId", 15],
    ["INFO:MESSENGER+9007199254740993", "InvalidChatId", 15],
    ["INFO:MESSENGER_VOICE+@ab", "InvalidChatId", 21],
    ["INFO:WEBHOOK+ftp://x.test/", "InvalidUrl", 13],
    ["INFO:WEBHOOK+file:///etc/passwd", "InvalidUrl", 13],
    ["INFO:WEBHOOK+javascript:alert(1)", "InvalidUrl", 13],
    ["INFO:WEBHOOK+/relative", "InvalidUrl", 13],
    ["INFO:WEBHOOK+https://x.test/a b", "InvalidUrl", 13],
    ["INFO:WEBHOOK+https://x.test/a\r\n b", "InvalidUrl", 13],
    ["INFO:WEBHOOK+https://u:p@x.test/", "InvalidUrl", 13],
    ["INFO:CALL+4989123456;RETRY:", "InvalidRetry", 26],
    ["INFO:CALL+4989123456;RETRY:3x1h", "InvalidRetry", 27],
    ["INFO:CALL+4989123456;RETRY:-3x1m", "InvalidRetry", 27],
    ["INFO:CALL+4989123456;RETRY:0x1m", "AttemptsOutOfRange", 27],
    [`INFO:CALL+4989123456;RETRY:${maxAttempts + 1}x1m`, "AttemptsOutOfRange", 27],
    [`INFO:CALL+4989123456;RETRY:3x${maxPauseMinutes + 1}m`, "PauseOutOfRange", 27],
    ["INFO:CALL+4989123456;RETRY:3x1m;RETRY:3x1m", "DuplicateRetry", 32],
    ["INFO:CALL+4989123456;RETRY:3x1m;SMS+4989123456", "RetryNotLast", 21],
    [`INFO:${"SMS+4989123456;".repeat(maxTargets + 1)}`, "TooManyTargets", 5 + 15 * maxTargets],
    [`INFO:WEBHOOK+https://x.test/${"ü".repeat(500)}`, "TooLong", 527]
  ])("refuses %j as %s at %i", (subject, tag, position) => {
    const { message, position: found, reason } = mistake(subject)
    assert.deepStrictEqual([reason._tag, found], [tag, position])
    expect(message).toMatch(/^[^\n\0]{10,200}\(at character \d+\)$/)
  })

  it("takes the bounds themselves", () => {
    assert.deepStrictEqual(read(`INFO:CALL+4989123456;RETRY:${maxAttempts}x${maxPauseMinutes}m`).retry, {
      attempts: maxAttempts,
      pauseMinutes: maxPauseMinutes
    })
    assert.deepStrictEqual(read("INFO:CALL+4989123456;RETRY:1x0m").retry, { attempts: 1, pauseMinutes: 0 })
    assert.lengthOf(
      read(`INFO:${Array.from({ length: maxTargets }, (_, i) => `MESSENGER+${i + 1}`).join(";")}`).targets,
      maxTargets
    )
  })

  it("names no URL in a message", () => {
    expect(mistake("INFO:WEBHOOK+https://user:hunter2@x.test/?key=hunter2").message).not.toContain("hunter2")
  })
})

const number = fc.constantFrom("+4989123456", "+12025550123", "+390612345678", "+80012345678")
const chat = fc.oneof(
  fc
    .maxSafeInteger()
    .filter((id) => id !== 0 && Math.abs(id) < 1e15)
    .map(String),
  fc.stringMatching(/^@[a-z][a-z0-9_]{3,31}$/)
)
const url = fc
  .tuple(
    fc.webUrl({ withQueryParameters: true }),
    fc.constantFrom("", ";", ";;", ";call+1", "?x=;RETRY:1x1m", ";a+b:c", "/%3Bsms+1")
  )
  .map((parts) => parts.join(""))
  .filter((text) => URL.canParse(text))
  .map((text) => new URL(text).href)
  .filter((href) => href.length < 300)
const target = fc.oneof(
  fc.record({ channel: fc.constantFrom("call" as const, "sms" as const), target: number }),
  fc.record({ channel: fc.constantFrom("messenger" as const, "messenger_voice" as const), target: chat }),
  fc.record({ channel: fc.constant("webhook" as const), target: url })
)
const alarm: fc.Arbitrary<AlarmSubject> = fc.record({
  severity: fc.constantFrom(...severities),
  targets: fc
    .uniqueArray(target, { minLength: 1, maxLength: 5, selector: (one) => one.channel + one.target })
    .map(([first, ...rest]) => [first!, ...rest] as const),
  retry: fc.option(
    fc.record({
      attempts: fc.integer({ min: 1, max: maxAttempts }),
      pauseMinutes: fc.integer({ min: 0, max: maxPauseMinutes })
    }),
    { nil: undefined }
  )
})

/** Random strings that resemble subjects, so that they pass the first check. */
const lookalike = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...severities,
        ...channels,
        ":",
        ";",
        "+",
        " ",
        "\r\n ",
        "RETRY:",
        "3x5m",
        "CALL+",
        "+4989123456",
        "WEBHOOK+",
        "https://x.test/",
        "http://[::1]/",
        "@ops_room",
        "-100",
        "%3B",
        "\0"
      ),
      fc.string({ maxLength: 5 }),
      fc.string({ unit: "binary", maxLength: 3 })
    ),
    { maxLength: 25 }
  )
  .map((parts) => parts.join(""))
  .chain((tail) =>
    fc.constantFrom(tail, `INFO:${tail}`, `INFO:WEBHOOK+https://x.test/${tail}`, `INFO:CALL+4989123456;${tail}`)
  )

describe("AlarmSubject properties", () => {
  it("format then parse gives the alarm back, but for what a URL must hide", () => {
    fc.assert(
      fc.property(alarm, (value) => {
        const once = read(format(value))
        assert.deepStrictEqual(read(format(once)), once)
        const hidden = (subject: AlarmSubject) => ({
          ...subject,
          targets: subject.targets.map((one) => ({ ...one, target: one.target.replaceAll("%3B", ";") }))
        })
        assert.deepStrictEqual(hidden(once), hidden(value))
      })
    )
  })

  it("never throws, points into the subject, and writes what it reads", () => {
    fc.assert(
      fc.property(fc.oneof(lookalike, fc.string({ unit: "binary", maxLength: 60 })), (subject) => {
        const result = parse(subject)
        if (Result.isFailure(result)) {
          const { message, position } = result.failure
          assert(position >= 0 && (position < subject.length || position === 0))
          expect(message).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]/)
        } else assert.deepStrictEqual(parse(format(result.success)), result)
      }),
      { numRuns: 2_000 }
    )
  })

  it("normalises a phone number once and for all", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9][0-9]{6,14}$/), (digits) => {
        const result = parse(`INFO:CALL+${digits}`)
        if (Result.isSuccess(result)) assert.deepStrictEqual(parse(format(result.success)), result)
      }),
      { numRuns: 5_000 }
    )
  })

  it.each([";CALL+", ";", "; ", "CALL+", ";RETRY:", " ", "WEBHOOK+http://", "INFO:", ";x+"])(
    "is done quickly with %j without end",
    (piece) => {
      // The shortest time of several, because the machine may do other work meanwhile.
      let shortest = Infinity
      for (let i = 0; i < 5; i++) {
        const started = performance.now()
        for (const length of [100_000, maxSubjectLength])
          parse(`INFO:CALL+4989123456${piece.repeat(length)}`.slice(0, length))
        shortest = Math.min(shortest, performance.now() - started)
      }
      // Work that grows with the square of the length takes several seconds.
      assert.isBelow(shortest, 1_000)
    }
  )
})
