import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type AuthenticationResults,
  maxLength,
  parse
} from "#protocols/authentication-results/AuthenticationResults.ts"
import { samples } from "./samples.ts"

/** Parsed header as text: `mx: dkim=pass header.d=x header.i=@x; spf=…`. Values with spaces are in brackets. */
const shown = (header: string): string => {
  const parsed = parse(header)
  if (Result.isFailure(parsed)) return parsed.failure.reason
  return show(parsed.success)
}
const show = ({ authservId, results }: AuthenticationResults) =>
  `${authservId}: ${results
    .map(({ method, methodVersion, properties, reason, result }) =>
      [
        `${method}${methodVersion === 1 ? "" : `/${methodVersion}`}=${result}`,
        ...(reason === undefined ? [] : [`reason=[${reason}]`]),
        ...properties.map(({ name, type, value }) => `${type}.${name}=${value}`)
      ].join(" ")
    )
    .join("; ")}`

describe("headers as mail servers write them", () => {
  it.each(samples.map(({ expected, header, of }) => [of, header, expected] as const))("%s", (_of, header, expected) => {
    expect(shown(header)).toBe(expected)
  })
})

describe("the grammar", () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["mx; none", "mx: "],
    ["mx; none;", "mx: "],
    ["mx", "mx: "],
    ["mx;", "mx: "],
    ["mx 1; none", "mx: "],
    ['"an id with space"; none', "an id with space: "],
    ["(c) mx (c) 1 (c) ; (c) NONE (c)", "mx: "],
    ["mx;spf=pass", "mx: spf=pass"],
    ["mx; SPF=Pass SMTP.MailFrom=A@X", "mx: spf=pass smtp.mailfrom=A@X"],
    ["mx; dkim / 1 = pass (c) header (c) . (c) d (c) = (c) x (c)", "mx: dkim=pass header.d=x"],
    ["mx; dkim/2=pass", "mx: dkim/2=pass"],
    ['mx; dkim=fail reason="a; b=\\"c\\"" header.d=x', 'mx: dkim=fail reason=[a; b="c"] header.d=x'],
    ['mx; spf=pass smtp.mailfrom="a;b c"@x', "mx: spf=pass smtp.mailfrom=a;b c@x"],
    ['mx; spf=pass smtp.mailfrom="a@y"@x', "mx: spf=pass smtp.mailfrom=a@y@x"],
    ["mx; spf=pass smtp.mailfrom=; dkim=none", "mx: spf=pass smtp.mailfrom=; dkim=none"],
    ["mx; spf=pass smtp.mailfrom=", "mx: spf=pass smtp.mailfrom="],
    ['mx; spf=pass smtp.mailfrom=""', "mx: spf=pass smtp.mailfrom="],
    ["mx; dkim=pass header.d=a header.d=b", "mx: dkim=pass header.d=a header.d=b"],
    ["mx; dkim=pass (a (b (c)) \\) ; spf=pass) header.d=x", "mx: dkim=pass header.d=x"],
    ["mx;\r\n\tdkim=pass\r\n header.d=x", "mx: dkim=pass header.d=x"],
    ["mx; dkim=pass header.d=bücher.example", "mx: dkim=pass header.d=bücher.example"],
    ["mx 2; dkim=pass", "Version"],
    ["mx 99999999999999999999; dkim=pass", "Version"],
    ["", "Malformed"],
    ["; dkim=pass", "Malformed"],
    ['""; dkim=pass', "Malformed"],
    ["dkim=pass header.d=x; spf=pass", "Malformed"],
    ["mx dkim=pass", "Malformed"],
    ["mx;; dkim=pass", "Malformed"],
    ["mx; none; dkim=pass", "Malformed"],
    ["mx; none;; dkim=pass", "Malformed"],
    ["mx; dkim=pass; none", "Malformed"],
    ["mx; dkim", "Malformed"],
    ["mx; dkim=", "Malformed"],
    ["mx; dkim=pass header.d", "Malformed"],
    ["mx; dkim=pass header.=x", "Malformed"],
    ["mx; dkim=pass .d=x", "Malformed"],
    ["mx; dkim=pass @x", "Malformed"],
    ["mx; dkim=pass header.d=x(c).evil", "Malformed"],
    ["mx; spf=pass smtp.mailfrom=a b@x", "Malformed"],
    ["mx; spf=pass smtp.mailfrom=a;dkim=pass header.d=y @x", "Malformed"],
    ['mx; dkim=pass header.d="x', "Malformed"],
    ["mx; dkim=pass (header.d=x", "Malformed"],
    ["mx; dkim=pass ) header.d=x", "Malformed"],
    ["mx; dkim=pass header.d=x\\", "Malformed"],
    [`mx; dkim=pass ${"(".repeat(21)}${")".repeat(21)}`, "Malformed"],
    ["mx; dkim=pass\0 header.d=x", "ControlCharacter"],
    ["mx; dkim=pass\nheader.d=x", "ControlCharacter"],
    ["mx; dkim=pass\rheader.d=x", "ControlCharacter"],
    [`mx; dkim=pass header.d=${"x".repeat(maxLength)}`, "TooLong"]
  ]
  it.each(cases)("%j", (header, expected) => {
    expect(shown(header)).toBe(expected)
  })

  it("says where it went wrong, and nothing of the header", () => {
    const parsed = parse("mx; dkim=pass (secret")
    expect(
      Result.isFailure(parsed) && [parsed.failure.position, parsed.failure.retryable, parsed.failure.message]
    ).toEqual([21, false, "the header does not follow RFC 8601 (at character 22)"])
  })
})

describe("whatever it is given", () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
  const text = fc.string({ maxLength: 12 }).map((value) => value.replace(/\p{C}/gu, ""))
  const written = fc.record({
    authservId: fc.stringMatching(/^[a-z0-9.-]{1,12}$/),
    results: fc.array(
      fc.record({
        method: word.filter((method) => method !== "none"),
        methodVersion: fc.constantFrom(1, 2),
        result: word,
        reason: fc.option(text, { nil: undefined }),
        properties: fc.array(fc.record({ type: word, name: word, value: text }), { maxLength: 3 })
      }),
      { maxLength: 4 }
    )
  })
  const quote = (value: string) => `"${value.replace(/["\\]/g, "\\$&")}"`
  const write = ({ authservId, results }: AuthenticationResults, space: string) =>
    [
      authservId,
      ...results.map(({ method, methodVersion, properties, reason, result }) =>
        [
          `${method}/${methodVersion}=${result}`,
          ...(reason === undefined ? [] : [`reason=${quote(reason)}`]),
          ...properties.map(({ name, type, value }) => `${type}.${name}=${quote(value)}`)
        ].join(space)
      )
    ].join(`${space};${space}`)

  it("reads what was written, with any space and comments between", () => {
    const space = fc.constantFrom(" ", "\t", "\r\n ", " (a; b=c) ", '(\\)("))', " \r\n\t(x)")
    fc.assert(
      fc.property(written, space, (header, between) => {
        expect(Result.getOrThrow(parse(write(header, between)))).toEqual(header)
      })
    )
  })

  it("never throws, on words of the grammar and on any", () => {
    const piece = fc.constantFrom(
      ";",
      "=",
      ".",
      "/",
      "(",
      ")",
      '"',
      "\\",
      " ",
      "@",
      "mx",
      "dkim",
      "pass",
      "header.d=x",
      "1",
      "none",
      "\0",
      "\r\n",
      "é"
    )
    const pieces = fc.array(piece, { maxLength: 40 }).map((list) => list.join(""))
    fc.assert(
      fc.property(fc.oneof(pieces, fc.string({ unit: "binary" })), (header) => void parse(header)),
      { numRuns: 5_000 }
    )
  })

  it("what is quoted or in a comment never becomes a result", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }).map((hostile) => `${hostile}; dkim=pass header.d=bank.test ${hostile}`),
        (hostile) => {
          const safe = hostile.replace(/["\\()]/g, "\\$&").replace(/\p{Cc}/gu, "")
          const parsed = parse(`mx; spf=fail (${safe}) smtp.mailfrom="${safe}"@evil.test`)
          expect(
            Result.isSuccess(parsed) && parsed.success.results.map(({ method, result }) => `${method}=${result}`)
          ).toEqual(["spf=fail"])
        }
      )
    )
  })

  it("is linear: headers made to hurt take no time", () => {
    const started = performance.now()
    for (const piece of ["(", "()", '"', '"\\', ";", "; a=b", " ", "a.b=c ", "a", "\\"])
      parse(`mx; dkim=pass ${piece.repeat(maxLength / piece.length - 8)}`)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
