import { execFileSync } from "node:child_process"
import { createPublicKey } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { sign } from "#protocols/ebics/AuthSignature.ts"
import * as Certificate from "#protocols/ebics/Certificate.ts"
import { type KeyPurpose, selfSigned } from "#protocols/ebics/SelfSigned.ts"
import * as DownloadRequests from "#protocols/ebics/DownloadRequests.ts"
import type { EbicsError } from "#protocols/ebics/EbicsError.ts"
import { inflate } from "#protocols/ebics/Encryption.ts"
import * as KeyRequests from "#protocols/ebics/KeyRequests.ts"
import { maxMessage } from "#protocols/ebics/Limits.ts"
import { isService, services } from "#protocols/ebics/OrderTypes.ts"
import * as Permissions from "#protocols/ebics/Permissions.ts"
import * as Responses from "#protocols/ebics/Responses.ts"
import { digestOf } from "#protocols/ebics/Subscriber.ts"
import { choose, namespaces, type Version } from "#protocols/ebics/Version.ts"
import {
  type AnswerParts,
  downloadAnswer,
  hevAnswer,
  hpbOrderData,
  keyDigest,
  keyManagementAnswer,
  sealed
} from "#support/bank/Answers.ts"
import { testKeys } from "#support/bank/TestKeys.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"

const reason = <A>(result: Result.Result<A, EbicsError>) =>
  Result.isFailure(result) ? result.failure.reason._tag : "success"
const publicOf = (name: keyof typeof testKeys) => createPublicKey(testKeys[name])
const subscriber = (version: Version) => ({ version, hostId: "EBIXHOST", partnerId: "PARTNER1", userId: "USER1" })
const unique = { nonce: "00112233445566778899AABBCCDDEEFF", timestamp: new Date("2026-11-26T10:00:00Z") }
const bank = {
  authentication: { key: publicOf("bankAuthentication") },
  encryption: { key: publicOf("bankEncryption") }
}
const keys = { authentication: testKeys.authentication, bank, digestKind: "key" as const }
const transactionId = "A".repeat(32)
const answer = (parts: Partial<AnswerParts> = {}) =>
  downloadAnswer(
    {
      version: "H004",
      phase: "Initialisation",
      transactionId,
      segments: 1,
      segment: { number: 1, last: true },
      ...sealedParts,
      ...parts
    },
    testKeys.bankAuthentication
  )
const { segments, wrappedKey } = sealed(Buffer.from("data"), testKeys.encryption)
const sealedParts = { orderData: segments[0]!, wrappedKey }
const read = (text: string) => Responses.download(Buffer.from(text), "H004", bank.authentication.key)

describe("responses to downloads", () => {
  it("are read when the bank signed them", () => {
    expect(Result.getOrThrow(read(answer({ technical: "011000", business: "090005" })))).toMatchObject({
      phase: "Initialisation",
      transactionId,
      segments: 1,
      segment: { number: 1, last: true },
      technical: { value: "011000", kind: "Success" },
      business: { value: "090005", kind: "NoData" },
      data: { bytes: Buffer.from(segments[0]!, "base64") },
      wrappedKey
    })
  })

  it.each([
    [
      "a changed return code of the body",
      (text: string) => text.replace(">000000</ReturnCode></body>", ">090005</ReturnCode></body>")
    ],
    ["a changed return code of the header", (text: string) => text.replace("<ReturnCode>000000", "<ReturnCode>011000")],
    ["a changed transaction", (text: string) => text.replace("A".repeat(32), "B".repeat(32))],
    ["a changed transaction key", (text: string) => text.replace(/<TransactionKey>..../, "<TransactionKey>AAAA")],
    ["no signature", (text: string) => text.replace(/<AuthSignature>.*<\/AuthSignature>/, "")],
    ["another reference", (text: string) => text.replace("#xpointer(//*[@authenticate='true'])", "")],
    ["another digest", (text: string) => text.replace("xmlenc#sha256", "xmldsig#sha1")],
    ["a changed signature", (text: string) => text.replace(/SignatureValue>..../, "SignatureValue>AAAA")],
    ["a body that is not marked", (text: string) => text.replace('<ReturnCode authenticate="true">', "<ReturnCode>")],
    ["a header that is not marked", (text: string) => text.replace('<header authenticate="true">', "<header>")],
    [
      "the signed header moved aside",
      (text: string) => {
        const header = /<header .*<\/header>/.exec(text)![0]
        return text
          .replace(header, header.replace(' authenticate="true"', "").replace("A".repeat(32), "C".repeat(32)))
          .replace("</ebicsResponse>", `<Object>${header}</Object></ebicsResponse>`)
      }
    ]
  ])("are refused with %s", (_, change) => {
    expect(change(answer())).not.toBe(answer())
    expect(reason(read(change(answer())))).toBe("BadSignature")
  })

  it("are refused when another key signed them, or when they sign too little", () => {
    const parts = { version: "H004", phase: "Receipt" } as const
    expect(reason(read(downloadAnswer(parts, testKeys.bankAuthentication)))).toBe("success")
    expect(reason(read(downloadAnswer(parts, testKeys.other)))).toBe("BadSignature")
    // A valid signature over the header only.
    const little = Result.getOrThrow(
      sign(
        {
          root: "ebicsResponse",
          namespace: namespaces.H004,
          attributes: {},
          header: `<header authenticate="true"><static></static><mutable><TransactionPhase>Receipt</TransactionPhase><ReturnCode>000000</ReturnCode></mutable></header>`,
          body: "<body><ReturnCode>000000</ReturnCode></body>"
        },
        testKeys.bankAuthentication
      )
    )
    expect(reason(read(little))).toBe("BadSignature")
  })

  it("are refused with a second element of the same name", () => {
    const twice = answer().replace(/<body>.*<\/body>/, (body) => body + body)
    expect(["BadSignature", "Malformed"]).toContain(reason(read(twice)))
    expect(reason(read(answer().replaceAll("ebicsResponse", "ebicsRequest")))).toBe("Malformed")
  })

  it("are read with prefixes, other namespaces, CDATA, comments and line breaks of the bank", () => {
    const text = readFileSync(join(import.meta.dirname, "../../goldens/ebics/prefixed.xml"), "utf8")
    const response = Result.getOrThrow(read(text))
    expect(response).toMatchObject({ phase: "Receipt", technical: { value: "011000" }, reportText: "[EBICS] <done>" })
    expect(reason(read(text.replace("011000", "011001")))).toBe("BadSignature")
  })
})

describe("hostile messages", () => {
  const entities = `<!DOCTYPE a [<!ENTITY b "${"x".repeat(1_000)}">${Array.from({ length: 9 }, (_, at) => `<!ENTITY c${at} "&b;&b;&b;">`).join("")}]>`
  it.each([
    ["an entity bomb", `${entities}<a>&c8;</a>`, "Malformed"],
    ["an external entity", `<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>`, "Malformed"],
    ["an unknown entity", "<a>&nope;</a>", "Malformed"],
    ["a processing instruction", "<a><?php x?></a>", "Malformed"],
    ["deep nesting", "<a>".repeat(100_000), "TooLarge"],
    ["too many elements", `<a>${"<b/>".repeat(60_000)}</a>`, "TooLarge"],
    ["a long message", `<a>${" ".repeat(maxMessage)}</a>`, "TooLarge"],
    ["another encoding", `<?xml version="1.0" encoding="UTF-16"?><a/>`, "Malformed"],
    ["XML 1.1", `<?xml version="1.1"?><a/>`, "Malformed"],
    ["two roots", "<a/><b/>", "Malformed"],
    ["an HTML page", "<html><body><br>Bad Gateway", "Malformed"],
    ["an undeclared prefix", "<x:a/>", "Malformed"],
    ["nothing", "", "Malformed"]
  ])("%s is refused", (_, text, expected) => {
    expect(reason(read(text))).toBe(expected)
    expect(reason(Responses.keyManagement(Buffer.from(text), "H005"))).toBe(expected)
    expect(reason(Responses.hev(Buffer.from(text)))).toBe(expected)
    expect(reason(Permissions.htd(Buffer.from(text), "H005"))).toBe(
      expected === "TooLarge" && text.length > maxMessage ? "Malformed" : expected
    )
  })

  it("bytes that are not UTF-8 are refused", () => {
    expect(reason(Responses.hev(Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e])))).toBe("Malformed")
  })

  it("a message with changed characters is an error or the same message, and never throws", () => {
    const original = answer()
    const expected = read(original)
    fc.assert(
      fc.property(
        fc.nat(original.length - 1),
        fc.constantFrom("", "<", ">", "&", "a", '"', " ", "\u0000"),
        (at, put) => {
          const result = read(original.slice(0, at) + put + original.slice(at + 1))
          if (Result.isSuccess(result))
            expect({ ...result.success, data: undefined }).toEqual({ ...Result.getOrThrow(expected), data: undefined })
        }
      ),
      { numRuns: 60 }
    )
  })
})

describe("key management", () => {
  const sent = (name: keyof typeof testKeys, purpose: KeyPurpose) => ({
    key: testKeys[name],
    certificate: Result.getOrThrow(
      selfSigned({
        privateKey: testKeys[name],
        purpose,
        commonName: "bank",
        organization: "Bank",
        serialNumber: "01ff",
        notBefore: new Date("2026-01-01"),
        notAfter: new Date("2031-01-01")
      })
    )
  })
  const bankSent = {
    authentication: sent("bankAuthentication", "authentication"),
    encryption: sent("bankEncryption", "encryption")
  }

  it.each(["H004", "H005"] as const)("HPB of %s delivers the keys of the bank", (version) => {
    const data = sealed(Buffer.from(hpbOrderData(version, "EBIXHOST", bankSent)), testKeys.encryption)
    const text = keyManagementAnswer({ version, orderData: data.segments[0]!, wrappedKey: data.wrappedKey })
    const response = Result.getOrThrow(Responses.keyManagement(Buffer.from(text), version))
    const found = Result.getOrThrow(Responses.bankKeys(response.data!, subscriber(version), testKeys.encryption))
    expect(found.authentication.key.equals(bank.authentication.key)).toBe(true)
    expect(found.encryption.key.equals(bank.encryption.key)).toBe(true)
    expect(digestOf(found.authentication, "key").toString("base64")).toBe(keyDigest(bank.authentication.key))
    expect(digestOf(found.authentication, "certificate")).toEqual(
      version === "H005"
        ? Certificate.fingerprint(bankSent.authentication.certificate)
        : digestOf(found.authentication, "key")
    )
    const elsewhere = { version, hostId: "OTHER" }
    expect(reason(Responses.bankKeys(response.data!, elsewhere, testKeys.encryption))).toBe("Malformed")
    expect(reason(Responses.bankKeys(response.data!, subscriber(version), testKeys.other))).toBe("NotDecryptable")
  })

  it("before the release is a state, not an error", () => {
    const text = keyManagementAnswer({ version: "H005", technical: "091002", reportText: "[EBICS_INVALID_USER]" })
    expect(Result.getOrThrow(Responses.keyManagement(Buffer.from(text), "H005"))).toMatchObject({
      technical: { value: "091002", kind: "NotReady", symbol: "EBICS_INVALID_USER_OR_USER_STATE" },
      reportText: "[EBICS_INVALID_USER]"
    })
  })

  it("HEV lists the versions of the bank, of which the newest common one is chosen", () => {
    const text = hevAnswer([
      ["H003", "02.40"],
      ["H004", "02.50"],
      ["H005", "03.00"]
    ])
    const { code, versions } = Result.getOrThrow(Responses.hev(Buffer.from(text)))
    expect([code.value, versions]).toEqual(["000000", ["H003", "H004", "H005"]])
    expect([choose(versions), choose(["H003", "H004"]), choose(["H003"])]).toEqual(["H005", "H004", undefined])
  })

  it("INI and HIA carry exactly our keys", () => {
    const created = { createdAt: unique.timestamp }
    const keys = {
      authentication: sent("authentication", "authentication"),
      encryption: sent("encryption", "encryption")
    }
    const signature = { version: "A006" as const, sent: sent("signature", "signature"), ...created }
    const data = (text: string) =>
      Result.getOrThrow(
        inflate(Buffer.from(/<OrderData>(.*)<\/OrderData>/.exec(text)![1]!, "base64"), { name: "", bytes: 1e6 })
      ).toString()
    const old = data(Result.getOrThrow(KeyRequests.ini(subscriber("H004"), signature)))
    const modulus = /<ds:Modulus>(.*)<\/ds:Modulus><ds:Exponent>AQAB</.exec(old)?.[1]
    expect(modulus).toBe(
      Buffer.from(publicOf("signature").export({ format: "jwk" }).n!, "base64url").toString("base64")
    )
    expect(old).not.toContain("X509")
    const young = data(Result.getOrThrow(KeyRequests.hia(subscriber("H005"), { ...keys, ...created })))
    const certificates = [...young.matchAll(/<ds:X509Certificate>(.*?)</g)].map(([, one]) => one)
    expect(certificates).toEqual(
      [keys.authentication, keys.encryption].map((key) => key.certificate.toString("base64"))
    )
    expect(young).not.toContain("RSAKeyValue")
    const bare = { ...signature, sent: { key: testKeys.signature } }
    expect(reason(KeyRequests.ini(subscriber("H005"), bare))).toBe("BadKey")
  })

  it.each([
    ["host", { hostId: "x".repeat(36) }],
    ["partner", { partnerId: "A B" }],
    ["user", { userId: "" }],
    ["system", { systemId: "<" }]
  ])("no request is made with a wrong %s", (_, wrong) => {
    expect(reason(KeyRequests.hpb({ ...subscriber("H004"), ...wrong }, unique, testKeys.authentication))).toBe(
      "BadValue"
    )
  })
})

describe("requests of downloads", () => {
  const statements = { _tag: "Statements", order: "C53", service: services.C53 } as const
  const request = (version: Version, order: DownloadRequests.Order) =>
    DownloadRequests.initialisation(subscriber(version), order, unique, keys)

  it("name the order type in H004 and the service in H005", () => {
    const range = { start: "2026-01-01", end: "2026-01-31" }
    expect(Result.getOrThrow(request("H004", { ...statements, range }))).toContain(
      "<OrderType>C53</OrderType><OrderAttribute>DZHNN</OrderAttribute><StandardOrderParams><DateRange><Start>2026-01-01</Start><End>2026-01-31</End></DateRange></StandardOrderParams>"
    )
    expect(Result.getOrThrow(request("H004", statements))).toContain("<StandardOrderParams></StandardOrderParams>")
    expect(Result.getOrThrow(request("H005", statements))).toContain(
      '<AdminOrderType>BTD</AdminOrderType><BTDOrderParams><Service><ServiceName>EOP</ServiceName><Scope>DE</Scope><Container containerType="ZIP"></Container><MsgName>camt.053</MsgName></Service></BTDOrderParams>'
    )
    expect(Result.getOrThrow(request("H005", { _tag: "Admin", order: "HTD" }))).toContain("<AdminOrderType>HTD<")
    expect(Result.getOrThrow(request("H004", statements))).toContain(keyDigest(bank.encryption.key))
  })

  it.each([
    ["2026-02-30", "2026-03-01"],
    ["2026-03-02", "2026-03-01"],
    ["1.1.2026", "2026-03-01"]
  ])("are refused for the range %s to %s", (start, end) => {
    expect(reason(request("H004", { ...statements, range: { start, end } }))).toBe("BadValue")
  })

  it("accept every service of the table, and refuse others", () => {
    expect(Object.values(services).every(isService)).toBe(true)
    expect(reason(request("H005", { ...statements, service: { name: "eop", message: "camt.053" } }))).toBe("BadValue")
    expect(reason(request("H004", { ...statements, order: "<x>" }))).toBe("BadValue")
  })
})

describe("HTD and HAA", () => {
  it("list accounts and orders of both versions", () => {
    const account =
      '<AccountInfo ID="a1" Currency="EUR"><AccountNumber international="true">DE02 1203</AccountNumber><BankCode international="false">12030000</BankCode><AccountHolder>Ä GmbH</AccountHolder></AccountInfo>'
    const htd = (version: Version, permissions: string) =>
      Permissions.htd(
        Buffer.from(
          `<HTDResponseOrderData xmlns="${namespaces[version]}"><PartnerInfo>${account}</PartnerInfo><UserInfo><UserID Status="1">U</UserID>${permissions}</UserInfo></HTDResponseOrderData>`
        ),
        version
      )
    expect(
      Result.getOrThrow(
        htd(
          "H004",
          "<Permission><OrderTypes>C53 STA</OrderTypes></Permission><Permission><OrderTypes>STA HTD</OrderTypes></Permission>"
        )
      )
    ).toEqual({
      orderTypes: ["C53", "STA", "HTD"],
      services: [],
      userStatus: "1",
      accounts: [{ id: "a1", iban: "DE021203", currency: "EUR", holder: "Ä GmbH" }]
    })
    const service =
      '<Service><ServiceName>EOP</ServiceName><Scope>DE</Scope><Container containerType="ZIP"/><MsgName version="08">camt.053</MsgName></Service>'
    expect(
      Result.getOrThrow(htd("H005", `<Permission><AdminOrderType>BTD</AdminOrderType>${service}</Permission>`))
    ).toMatchObject({ orderTypes: ["BTD"], services: [{ ...services.C53, messageVersion: "08" }] })
    const haa = `<HAAResponseOrderData xmlns="${namespaces.H005}">${service}</HAAResponseOrderData>`
    expect(Result.getOrThrow(Permissions.haa(Buffer.from(haa), "H005")).services).toHaveLength(1)
  })
})

describePeers(["xmlsec1"], "xmlsec1, a program of others", () => {
  /** xmlsec1 only looks for this name. The name of the element is not part of what is signed. */
  const renamed = (text: string) => text.replaceAll("AuthSignature>", "ds:Signature>")
  const folder = () => mkdtempSync(join(tmpdir(), "xmlsec-"))

  it("accepts our signatures", () => {
    const dir = folder()
    try {
      writeFileSync(join(dir, "key.pem"), publicOf("authentication").export({ type: "spki", format: "pem" }))
      for (const version of ["H004", "H005"] as const) {
        const text = Result.getOrThrow(
          DownloadRequests.receipt(subscriber(version), transactionId, 0, testKeys.authentication)
        )
        writeFileSync(join(dir, "a.xml"), renamed(text))
        const verify = () =>
          execFileSync("xmlsec1", ["--verify", "--pubkey-pem", join(dir, "key.pem"), join(dir, "a.xml")], {
            stdio: "pipe"
          })
        verify()
        writeFileSync(join(dir, "a.xml"), renamed(text).replace("<ReceiptCode>0", "<ReceiptCode>1"))
        expect(verify).toThrow()
      }
    } finally {
      rmSync(dir, { recursive: true })
    }
  })

  it("makes signatures that we accept", () => {
    const dir = folder()
    try {
      writeFileSync(join(dir, "key.pem"), testKeys.bankAuthentication.export({ type: "pkcs8", format: "pem" }))
      const template = answer({ reportText: "ä & <b>" })
        .replace(/<ds:DigestValue>[^<]*/, "<ds:DigestValue>")
        .replace(/<ds:SignatureValue>[^<]*/, "<ds:SignatureValue>")
      writeFileSync(join(dir, "a.xml"), renamed(template))
      const signed = execFileSync("xmlsec1", ["--sign", "--privkey-pem", join(dir, "key.pem"), join(dir, "a.xml")], {
        stdio: "pipe"
      }).toString()
      const response = read(signed.replaceAll("ds:Signature>", "AuthSignature>"))
      expect(Result.getOrThrow(response)).toMatchObject({ transactionId, reportText: "ä & <b>" })
    } finally {
      rmSync(dir, { recursive: true })
    }
  })
})
