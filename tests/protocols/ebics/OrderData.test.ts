import { randomBytes } from "node:crypto"
import { deflateSync } from "node:zlib"
import { Effect, Result } from "effect"
import { describe, expect, it, vi } from "vitest"
import * as Encryption from "#protocols/ebics/Encryption.ts"
import { openInTurns, pieceLength } from "#protocols/ebics/OrderData.ts"
import { sealed } from "#support/bank/Answers.ts"
import { testKeys } from "#support/bank/TestKeys.ts"

const limit = { name: "test", bytes: 4 * pieceLength }
const privateKey = testKeys.encryption

const sealedIn = (data: Uint8Array, pieces: number) => {
  const { segments, wrappedKey } = sealed(data, privateKey, pieces)
  return { segments: segments.map((text) => Buffer.from(text, "base64")), wrappedKey }
}

/** Deflated data, encrypted as it is. */
const encrypted = (deflated: Uint8Array) => {
  const key = Encryption.newTransactionKey()
  return { segments: [Encryption.encrypt(deflated, key)], wrappedKey: Encryption.wrapKey(key, testKeys.encryption) }
}

const large = randomBytes(2 * pieceLength + 12_345)

describe("order data that is opened in turns", () => {
  const cut = sealedIn(large, 2)
  const damaged = sealedIn(Buffer.from("data"), 1)
  damaged.wrappedKey[100]! ^= 1
  it.each<[string, { readonly segments: ReadonlyArray<Buffer>; readonly wrappedKey: Buffer }, string]>([
    ["of one byte", sealedIn(Buffer.from("x"), 1), "success"],
    ["of several pieces in three segments of odd lengths", sealedIn(large, 3), "success"],
    ["that reaches the limit", sealedIn(Buffer.alloc(limit.bytes, "ab"), 2), "success"],
    ["above the limit", sealedIn(Buffer.alloc(limit.bytes + 1), 1), "TooLarge"],
    ["that is a bomb", sealedIn(Buffer.alloc(100 * limit.bytes), 1), "TooLarge"],
    ["without data", { ...sealedIn(large, 1), segments: [] }, "NotDecryptable"],
    ["without the last block", { ...cut, segments: cut.segments.slice(0, 1) }, "NotDecryptable"],
    ["that is no whole block", { ...cut, segments: [cut.segments[0]!.subarray(0, 15)] }, "NotDecryptable"],
    ["under another key", damaged, "NotDecryptable"],
    ["that is not deflated", encrypted(large), "NotDecryptable"],
    ["that ends early", encrypted(deflateSync(large).subarray(0, -10)), "NotDecryptable"],
    ["with a byte behind its end", encrypted(Buffer.concat([deflateSync("a"), Buffer.from("b")])), "NotDecryptable"],
    ["with pieces behind its end", encrypted(Buffer.concat([deflateSync("a"), large])), "NotDecryptable"]
  ])("%s becomes what it becomes at once", async (_, { segments, wrappedKey }, expected) => {
    const turns = await Effect.runPromise(Effect.result(openInTurns(segments, wrappedKey, privateKey, limit)))
    const atOnce = Encryption.openOrderData(Buffer.concat(segments), wrappedKey, privateKey, limit)
    expect(Result.isFailure(turns) ? turns.failure.reason._tag : "success").toBe(expected)
    if (Result.isSuccess(turns)) expect(turns.success.equals(Result.getOrThrow(atOnce))).toBe(true)
    else expect(atOnce).toEqual(turns)
  })

  it("leaves turns of the event loop to other work, after each piece", async () => {
    const pieces = 12
    const { segments, wrappedKey } = sealedIn(randomBytes(pieces * pieceLength), 1)
    let [turns, isDone] = [0, false]
    const beat = () => {
      turns++
      if (!isDone) setImmediate(beat)
    }
    setImmediate(beat)
    // The turn in which each large piece was copied into the result.
    const copiedIn: Array<number> = []
    const copy = Buffer.prototype.copy
    const spy = vi.spyOn(Buffer.prototype, "copy").mockImplementation(function (this: Buffer, ...args) {
      const given = args as [Uint8Array, number?, number?, number?]
      if (given[0].length === pieces * pieceLength) copiedIn.push(turns)
      return copy.apply(this, given)
    })
    const opened = Effect.runPromise(
      openInTurns(segments, wrappedKey, privateKey, { name: "test", bytes: pieces * pieceLength })
    )
    const whole = await opened.finally(() => {
      isDone = true
      spy.mockRestore()
    })
    expect(whole.length).toBe(pieces * pieceLength)
    expect(copiedIn.length).toBeGreaterThanOrEqual(pieces)
    expect(new Set(copiedIn).size).toBe(copiedIn.length)
    // Once for each piece that is decrypted, and once for each that is copied.
    expect(turns).toBeGreaterThanOrEqual(2 * pieces)
  })
})
