import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { encode, needsRehash, parse, type PasswordHash, presentParameters } from "#core/password/PasswordHash.ts"

const salt = Buffer.from("somesaltsomesalt")
const hash = Buffer.alloc(32, 0xff)
const text = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$//////////////////////////////////////////8"

const hashes: fc.Arbitrary<PasswordHash> = fc.record({
  parameters: fc.record({
    memory: fc.integer({ min: 32, max: 65_536 }),
    passes: fc.integer({ min: 1, max: 10 }),
    parallelism: fc.integer({ min: 1, max: 4 })
  }),
  salt: fc.uint8Array({ minLength: 8, maxLength: 64 }),
  hash: fc.uint8Array({ minLength: 16, maxLength: 64 })
})

it("is the PHC string format", () => {
  expect(encode({ parameters: presentParameters, salt, hash })).toBe(text)
  expect(parse(text)).toEqual({ parameters: { memory: 19_456, passes: 2, parallelism: 1 }, salt, hash })
})

it("parses what it writes, with one canonical text", () => {
  fc.assert(
    fc.property(hashes, (one) => {
      const parsed = parse(encode(one))!
      expect(parsed.parameters).toEqual(one.parameters)
      expect(Buffer.from(parsed.salt).equals(one.salt) && Buffer.from(parsed.hash).equals(one.hash)).toBe(true)
    })
  )
  const spoiled = fc.tuple(hashes, fc.nat(), fc.constantFrom(..."$=,+/0A a\n"))
  fc.assert(
    fc.property(spoiled, ([one, at, char]) => {
      const written = encode(one)
      const changed = written.slice(0, at % written.length) + char + written.slice((at % written.length) + 1)
      const parsed = parse(changed)
      if (parsed !== undefined) expect(encode(parsed)).toBe(changed)
    }),
    { numRuns: 500 }
  )
})

it("any text is parsed or refused, with parameters within the limits", () => {
  const number = fc.oneof(fc.nat().map(String), fc.stringMatching(/^[0-9e.+x-]{0,20}$/))
  const near = fc.tuple(number, number, number).map(([m, t, p]) =>
    text
      .replace("19456", () => m)
      .replace("t=2", () => `t=${t}`)
      .replace("p=1", () => `p=${p}`)
  )
  fc.assert(
    fc.property(fc.oneof(fc.string(), near), (written) => {
      const parsed = parse(written)
      if (parsed === undefined) return
      expect(parsed.parameters.memory).toBeLessThanOrEqual(65_536)
      expect(parsed.parameters.passes).toBeLessThanOrEqual(10)
      expect(parsed.parameters.parallelism).toBeLessThanOrEqual(4)
    }),
    { numRuns: 500 }
  )
})

describe("refused hashes", () => {
  it.each([
    ["another variant", text.replace("argon2id", "argon2i")],
    ["an older version", text.replace("v=19", "v=16")],
    ["gigabytes", text.replace("m=19456", "m=4194304")],
    ["just beyond the memory", text.replace("m=19456", "m=65537")],
    ["minutes", text.replace("t=2", "t=100000")],
    ["many lanes", text.replace("p=1", "p=5")],
    ["less than eight blocks a lane", text.replace("m=19456", "m=31").replace("p=1", "p=4")],
    ["no passes", text.replace("t=2", "t=0")],
    ["a leading zero", text.replace("t=2", "t=02")],
    ["a short salt", text.replace("c29tZXNhbHRzb21lc2FsdA", "c29tZXM")],
    ["a long salt", text.replace("c29tZXNhbHRzb21lc2FsdA", "c29t".repeat(22))],
    ["a short hash", text.replace(/\$[^$]*$/, "$AAAAAAAA")],
    ["a hash of 65 bytes", encode({ parameters: presentParameters, salt, hash: Buffer.alloc(65) })],
    ["padding", `${text}=`],
    ["bits left over", text.replace(/8$/, "9")],
    ["a line behind it", `${text}\n`],
    ["a parameter more", text.replace("p=1", "p=1,keyid=AAAA")],
    ["another scheme", "$2b$12$abcdefghijklmnopqrstuv"]
  ])("%s", (_what, written) => {
    expect(parse(written)).toBeUndefined()
  })
})

it("needs rehashing when its parameters are not the current ones", () => {
  expect(needsRehash(text, presentParameters)).toBe(false)
  const of = (parameters: object) => encode({ parameters: { ...presentParameters, ...parameters }, salt, hash })
  expect(
    [of({ memory: 19_455 }), of({ memory: 20_000 }), of({ passes: 1 }), of({ parallelism: 2 })].map((one) =>
      needsRehash(one, presentParameters)
    )
  ).toEqual([true, true, true, true])
  expect(needsRehash(encode({ parameters: presentParameters, salt: salt.subarray(8), hash }), presentParameters)).toBe(
    true
  )
  expect(needsRehash(encode({ parameters: presentParameters, salt, hash: hash.subarray(16) }), presentParameters)).toBe(
    true
  )
  expect(needsRehash("nonsense", presentParameters)).toBe(true)
  expect(needsRehash(of({ memory: 64 }), { ...presentParameters, memory: 64 })).toBe(false)
})
