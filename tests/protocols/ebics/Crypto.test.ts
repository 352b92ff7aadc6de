import { createHash, createPublicKey, X509Certificate } from "node:crypto"
import { deflateSync } from "node:zlib"
import { Effect, Result } from "effect"
import fc from "fast-check"
import forge from "node-forge"
import { describe, expect, it } from "vitest"
import * as Certificate from "#protocols/ebics/Certificate.ts"
import { type KeyPurpose, selfSigned } from "#protocols/ebics/SelfSigned.ts"
import type { EbicsError } from "#protocols/ebics/EbicsError.ts"
import * as Encryption from "#protocols/ebics/Encryption.ts"
import * as Keys from "#protocols/ebics/Keys.ts"
import { bankKeyHash, letterKey } from "#protocols/ebics/Letter.ts"
import * as OrderSignature from "#protocols/ebics/OrderSignature.ts"
import { sealed } from "#support/bank/Answers.ts"
import { testKeys } from "#support/bank/TestKeys.ts"

const reason = <A>(result: Result.Result<A, EbicsError>) =>
  Result.isFailure(result) ? result.failure.reason._tag : "success"
const limit = { name: "test", bytes: 1_000_000 }
const privateKey = testKeys.encryption
const publicKey = createPublicKey(privateKey)

describe("order data", () => {
  it("comes back whole, whatever its length and the number of segments", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4_000 }), fc.integer({ min: 1, max: 4 }), (data, pieces) => {
        const { segments, wrappedKey } = sealed(data, privateKey, pieces)
        const joined = Buffer.concat(segments.map((text) => Buffer.from(text, "base64")))
        const opened = Encryption.openOrderData(joined, wrappedKey, privateKey, limit)
        expect(Result.getOrThrow(opened).equals(data)).toBe(true)
      }),
      { numRuns: 20 }
    )
  })

  it("is read with random padding (ISO 10126), and refused with a wrong number of padding bytes", () => {
    const key = Encryption.newTransactionKey()
    for (const [last, expected] of [
      [16, "success"],
      [17, "NotDecryptable"],
      [0, "NotDecryptable"]
    ] as const) {
      const block = Buffer.alloc(16, 0x55)
      block[15] = last
      // `encrypt` adds a block of padding of its own; without it the block above is the padding.
      const data = Encryption.encrypt(Buffer.concat([Buffer.alloc(16, 1), block]), key).subarray(0, 32)
      const opened = Encryption.decrypt(data, key)
      expect(reason(opened), String(last)).toBe(expected)
      if (Result.isSuccess(opened)) expect(opened.success).toEqual(Buffer.alloc(16, 1))
    }
  })

  it("that would inflate beyond the bound is refused", () => {
    const bomb = deflateSync(Buffer.alloc(5_000_000))
    expect(bomb.length).toBeLessThan(10_000)
    expect(reason(Encryption.inflate(bomb, limit))).toBe("TooLarge")
    expect(reason(Encryption.inflate(bomb.subarray(0, 100), limit))).toBe("NotInflatable")
    expect(reason(Encryption.inflate(Buffer.concat([deflateSync("a"), Buffer.from("b")]), limit))).toBe("NotInflatable")
  })

  it("fails in one way for a wrong key, a wrong padding and damaged data", () => {
    const { segments, wrappedKey } = sealed(Buffer.from("secret"), privateKey)
    const data = Buffer.from(segments[0]!, "base64")
    const wrongPadding = Encryption.wrapKey(Buffer.alloc(17, 7), publicKey)
    const damaged = Buffer.from(wrappedKey)
    damaged[100]! ^= 1
    for (const key of [wrongPadding, damaged, wrappedKey.subarray(0, -1), Buffer.alloc(256, 0xff), Buffer.alloc(0)])
      expect(Encryption.openOrderData(data, key, privateKey, limit)).toEqual(
        Encryption.openOrderData(data, wrappedKey, testKeys.other, limit)
      )
    const cut = Encryption.openOrderData(data.subarray(0, 15), wrappedKey, privateKey, limit)
    expect(reason(cut)).toBe("NotDecryptable")
  })
})

describe("the padding of PKCS#1 v1.5", () => {
  const key = Buffer.from("0123456789abcdef")
  const substitute = Buffer.from("SUBSTITUTESUBSTI")
  const block = (change: (bytes: Buffer) => void = () => {}) => {
    const bytes = Buffer.concat([Buffer.from([0, 2]), Buffer.alloc(237, 0x7f), Buffer.from([0]), key])
    change(bytes)
    return bytes
  }

  it("is removed as node-forge adds it", () => {
    const forgeKey = forge.pki.publicKeyFromPem(publicKey.export({ type: "spki", format: "pem" }).toString())
    const wrapped = Buffer.from(forgeKey.encrypt(key.toString("latin1"), "RSAES-PKCS1-V1_5"), "latin1")
    expect(Encryption.unwrapKey(wrapped, privateKey)).toEqual(Result.succeed(key))
  })

  it.each([
    ["first byte", 0, 1],
    ["block type 1", 1, 1],
    ["zero in the random bytes", 5, 0],
    ["zero at the end of the random bytes", 238, 0],
    ["no separator", 239, 1]
  ])("yields the substitute for a wrong %s", (_, at, value) => {
    expect(Encryption.unpad(block(), substitute)).toEqual(key)
    expect(
      Encryption.unpad(
        block((bytes) => (bytes[at] = value)),
        substitute
      )
    ).toEqual(substitute)
  })

  it("treats every byte value in the same way", () => {
    for (let value = 0; value < 256; value++) {
      const unpadded = Encryption.unpad(
        block((bytes) => (bytes[100] = value)),
        substitute
      )
      expect(unpadded, String(value)).toEqual(value === 0 ? substitute : key)
    }
  })
})

describe("keys", () => {
  it("have the digest of an independent calculation", () => {
    const { e, n } = forge.pki.publicKeyFromPem(publicKey.export({ type: "spki", format: "pem" }).toString())
    const text = `${e.toString(16)} ${n.toString(16)}`
    expect(text).toMatch(/^10001 [0-9a-f]{512}$/)
    expect(Keys.digest(privateKey).toString("hex")).toBe(createHash("sha256").update(text).digest("hex"))
    expect(Keys.digest(privateKey)).toEqual(Keys.digest(publicKey))
  })

  it("are read with a leading zero byte, and refused when short, long, even or without a proper exponent", () => {
    const { exponent, modulus } = Keys.numbersOf(publicKey)
    const padded = Result.getOrThrow(Keys.fromNumbers(exponent, Buffer.concat([Buffer.from([0]), modulus])))
    expect(padded.equals(publicKey)).toBe(true)
    expect(reason(Keys.fromNumbers(exponent, modulus.subarray(128)))).toBe("BadKey")
    expect(reason(Keys.fromNumbers(exponent, Buffer.concat([modulus, modulus, modulus])))).toBe("BadKey")
    expect(reason(Keys.fromNumbers(Buffer.from([1]), modulus))).toBe("BadKey")
    expect(reason(Keys.fromNumbers(Buffer.from([4]), modulus))).toBe("BadKey")
    expect(reason(Keys.fromNumbers(Buffer.alloc(300, 3), modulus))).toBe("BadKey")
    const even = Buffer.from(modulus)
    even[even.length - 1]! &= 0xfe
    expect(reason(Keys.fromNumbers(exponent, even))).toBe("BadKey")
  })

  it("are not made outside the allowed lengths", async () => {
    for (const bits of [1_024, 8_192, 2_049])
      expect(await Effect.runPromise(Effect.flip(Keys.generate(bits)))).toMatchObject({ reason: { _tag: "BadKey" } })
  })

  it("have no leading zero digits and bits", () => {
    expect(Keys.hex(Buffer.from([0, 0, 0x0a, 0xbc]))).toBe("abc")
    expect(Keys.bitLength(Buffer.from([0, 1, 0, 1]))).toBe(17)
  })
})

describe("certificates", () => {
  const options = (purpose: KeyPurpose) => ({
    privateKey: testKeys.signature,
    purpose,
    commonName: "Müller",
    organization: "Ö GmbH",
    serialNumber: "0123456789abcdef",
    notBefore: new Date("2026-01-01T00:00:00Z"),
    notAfter: new Date("2031-01-01T00:00:00Z")
  })

  it("are self-signed, for their purpose, and hold the key", () => {
    const der = Result.getOrThrow(selfSigned(options("encryption")))
    const certificate = new X509Certificate(der)
    expect(certificate.verify(createPublicKey(testKeys.signature))).toBe(true)
    expect(certificate.subject).toBe("CN=Müller\nO=Ö GmbH")
    expect(certificate.ca).toBe(false)
    expect(new Date(certificate.validTo).toISOString()).toBe("2031-01-01T00:00:00.000Z")
    expect(Result.getOrThrow(Certificate.publicKeyOf(der)).equals(createPublicKey(testKeys.signature))).toBe(true)
    expect(certificate.fingerprint256.replaceAll(":", "").toLowerCase()).toBe(
      Certificate.fingerprint(der).toString("hex")
    )
    expect(new X509Certificate(Certificate.pem(der)).serialNumber).toBe("0123456789ABCDEF")
    const other = Result.getOrThrow(selfSigned(options("signature")))
    expect(other.equals(der)).toBe(false)
  })

  it("are refused when they are none", () => {
    expect(reason(Certificate.publicKeyOf(Buffer.from("x")))).toBe("BadKey")
    expect(reason(selfSigned({ ...options("signature"), serialNumber: "00" }))).toBe("BadKey")
  })
})

describe("order signatures", () => {
  it.each(["A005", "A006"] as const)("%s ignore line ends and fail for other data", (version) => {
    const signature = OrderSignature.sign(version, Buffer.from("a\r\nb\x1a"), testKeys.signature)
    const check = (text: string) =>
      OrderSignature.verify(version, Buffer.from(text), createPublicKey(testKeys.signature), signature)
    expect(check("ab")).toBe(true)
    expect(check("ac")).toBe(false)
  })

  it("A006 sign the hash of the hash", () => {
    const signature = OrderSignature.sign("A006", Buffer.from("ab"), testKeys.signature)
    const key = forge.pki.publicKeyFromPem(
      createPublicKey(testKeys.signature).export({ type: "spki", format: "pem" }).toString()
    )
    const md = forge.md.sha256.create().update(createHash("sha256").update("ab").digest().toString("latin1"))
    const pss = forge.pss.create({
      md: forge.md.sha256.create(),
      mgf: forge.mgf.mgf1.create(forge.md.sha256.create()),
      saltLength: 32
    })
    expect(key.verify(md.digest().getBytes(), signature.toString("latin1"), pss)).toBe(true)
  })
})

describe("a letter", () => {
  it("shows exponent, modulus and hash in lines of 16 bytes", () => {
    const letter = letterKey("A006", { key: testKeys.signature })
    expect(letter.exponent).toEqual({ bits: 17, lines: ["01 00 01"] })
    expect(letter.modulus.bits).toBe(2_048)
    expect(letter.modulus.lines).toHaveLength(16)
    const { n } = forge.pki.publicKeyFromPem(
      createPublicKey(testKeys.signature).export({ type: "spki", format: "pem" }).toString()
    )
    expect(letter.modulus.lines.join("").replaceAll(" ", "").toLowerCase()).toBe(n.toString(16))
    const hash = createHash("sha256")
      .update(`10001 ${n.toString(16)}`)
      .digest("hex")
      .toUpperCase()
    expect(letter.hash.map((line) => line.length)).toEqual([47, 47])
    expect(letter.hash.join(" ")).toBe(hash.match(/../g)!.join(" "))
    expect(bankKeyHash(testKeys.signature)).toEqual(letter.hash)
  })

  it("with a certificate shows the fingerprint of the certificate", () => {
    const certificate = Buffer.from("certificate")
    const letter = letterKey("X002", { key: testKeys.authentication, certificate })
    const hash = createHash("sha256").update("certificate").digest("hex").toUpperCase()
    expect(letter.hash.join("").replaceAll(" ", "")).toBe(hash)
    expect(letter.certificate).toContain(certificate.toString("base64"))
  })
})
