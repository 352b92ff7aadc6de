import { Effect, Exit } from "effect"
import { expect, it } from "vitest"
import { unzip, type ZipLimits } from "#protocols/bank-formats/Zip.ts"
import { zip } from "#support/bank/ZipFile.ts"

const open = (bytes: Uint8Array, limits?: ZipLimits) => Effect.runPromise(unzip(bytes, limits))
const reason = (bytes: Uint8Array, limits?: ZipLimits) =>
  Effect.runPromise(
    Effect.match(unzip(bytes, limits), { onFailure: (error) => error.reason, onSuccess: () => "success" })
  )

const [a, b] = [Buffer.from("<a/>"), Buffer.from("x".repeat(3_000))]

it("files are read in order, without directories; names are only labels", async () => {
  const files = await open(
    zip(
      { name: "../../etc/a.xml", content: a },
      { name: "d/", content: Buffer.alloc(0) },
      { name: "b.xml", content: b }
    )
  )
  expect(files).toEqual([
    { name: "../../etc/a.xml", bytes: a },
    { name: "b.xml", bytes: b }
  ])
})

it("a bomb is refused by its ratio, its size, the number of files, and when it lies about its size", async () => {
  const bomb = Buffer.alloc(5_000_000)
  expect(await reason(zip({ name: "a", content: bomb }))).toEqual({ _tag: "TooLarge", limit: "maxRatio" })
  expect(await reason(zip({ name: "a", content: bomb, stated: 1_000 }))).toMatchObject({ _tag: "Malformed" })
  const two = zip({ name: "a", content: b }, { name: "b", content: b })
  expect(await reason(two, { files: 1, inflated: 10_000 })).toEqual({ _tag: "TooLarge", limit: "maxFiles" })
  expect(await reason(two, { files: 2, inflated: 5_999 })).toEqual({ _tag: "TooLarge", limit: "maxInflated" })
  expect(await reason(two, { files: 2, inflated: 6_000 })).toBe("success")
})

it("a damaged archive is refused as a whole", async () => {
  const whole = zip({ name: "a", content: a }, { name: "b", content: b })
  expect(await reason(zip({ name: "a", content: a, crc: 1 }))).toMatchObject({ _tag: "Malformed" })
  for (const bytes of [Buffer.from("PK"), whole.subarray(0, 40), whole.subarray(10), Buffer.alloc(0)])
    expect(await reason(bytes)).toMatchObject({ _tag: "Malformed" })
  for (let at = 0; at < whole.length; at += 3) {
    const changed = Buffer.from(whole)
    changed[at]! ^= 0xff
    expect(Exit.hasDies(await Effect.runPromiseExit(unzip(changed))), String(at)).toBe(false)
  }
})
