import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { hash } from "node:crypto"
import { matchingHash, spellings } from "#daemons/status-checker/imports/HashGuess.ts"
import { decodeNotified, maxHashes } from "#daemons/status-checker/imports/NotifiedFile.ts"
import { noticeHash } from "#daemons/status-checker/subscriptions/NoticeHash.ts"

const one = hash("sha256", "one", "hex")
const taken = (json: unknown) => [...Result.getOrThrow(decodeNotified(json))]
const problem = (json: unknown) =>
  Result.match(decodeNotified(json), { onFailure: (text) => text, onSuccess: () => undefined })

describe("NOTIFIED_FILE", () => {
  it("is a list, an object with a list, or an object with hashes as keys", () => {
    const other = hash("md5", "other", "hex")
    const forms = [
      [one, other.toUpperCase(), one],
      { hashes: [one, other] },
      { notified: [`sha256:${one}`, `md5-${other}`] },
      { sent: [one, other] },
      { [one]: "2026-01-31", [other]: true },
      { hashes: { [one]: 1, [other]: 2 } }
    ]
    for (const json of forms) expect(taken(json)).toEqual([one, other])
    for (const json of [[], {}, { hashes: [] }]) expect(taken(json)).toEqual([])
  })

  it("names the position of an invalid hash", () => {
    expect(problem([one, "abc"])).toBe("[1] is not a hash: write 12 to 128 hexadecimal digits")
    expect(problem({ hashes: [3] })).toMatch(/^hashes\[0\] is not a hash/)
    expect(problem({ last_run: "2026" })).toMatch(/^last_run is not a hash/)
    expect(problem(JSON.parse('{"__proto__": 1}'))).toMatch(/^__proto__ is not a hash/)
    expect(problem({ hashes: "x" })).toBe("hashes must be a list [ ] of hashes")
    for (const json of [null, 3, "x"]) expect(problem(json)).toMatch(/^must be a list/)
    for (const text of ["g".repeat(64), "a".repeat(129), "", "a".repeat(11), null, {}, `${one}\n${one}`])
      expect(problem([text])).toMatch(/^\[0\] is not a hash/)
    expect(problem(Array.from({ length: maxHashes + 1 }, () => one))).toContain("at most 100000 are allowed")
    fc.assert(
      fc.property(fc.anything(), (value) => {
        decodeNotified(value)
        decodeNotified([value])
      })
    )
  })
})

describe("a hash of an update", () => {
  const id = "2026-01-31-mail"
  const timestamp = "2026-01-31T08:00:00.000Z"
  const written = "2026-01-31T09:00:00+01:00"
  const found = (told: string) => matchingHash(new Set([told, one]), [told.length, 64], id, timestamp, written)

  it("is recognised for every algorithm, prefix, order, separator and spelling", () => {
    for (const algorithm of ["sha256", "sha1", "md5", "sha512"]) {
      for (const spelling of [
        written,
        timestamp,
        "2026-01-31T08:00:00Z",
        "2026-01-31T08:00:00+00:00",
        "2026-01-31T08:00:00",
        "2026-01-31 08:00:00",
        "1769846400",
        "1769846400000"
      ]) {
        for (const text of [
          `${id}${spelling}`,
          `${id}:${spelling}`,
          `${id}|${spelling}`,
          `${id}_${spelling}`,
          `${spelling}-${id}`,
          `${id}\n${spelling}`
        ]) {
          const digest = hash(algorithm, text, "hex")
          expect(found(digest)).toBe(digest)
          expect(found(digest.slice(0, 16))).toBe(digest.slice(0, 16))
        }
      }
    }
    expect(found(noticeHash(id, timestamp))).toBe(noticeHash(id, timestamp))
  })

  it("does not match another update", () => {
    for (const text of [`${id}:2026-01-31T08:00:01Z`, `${id}x:${timestamp}`, `${id}::::${timestamp}`]) {
      for (const algorithm of ["sha256", "md5"]) expect(found(hash(algorithm, text, "hex"))).toBeUndefined()
    }
  })

  it("has no short spelling for a time with milliseconds", () => {
    expect(spellings("2026-01-31T08:00:00.250Z")).toEqual([
      "2026-01-31T08:00:00.250Z",
      "2026-01-31T08:00:00.250+00:00",
      "2026-01-31T08:00:00.250",
      "1769846400250"
    ])
  })
})
