import { createPublicKey } from "node:crypto"
import { createRequire } from "node:module"
import { Result } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { selfSigned } from "#protocols/ebics/SelfSigned.ts"
import * as Download from "#protocols/ebics/Download.ts"
import * as DownloadRequests from "#protocols/ebics/DownloadRequests.ts"
import { openOrderData } from "#protocols/ebics/Encryption.ts"
import * as KeyRequests from "#protocols/ebics/KeyRequests.ts"
import { services } from "#protocols/ebics/OrderTypes.ts"
import * as Responses from "#protocols/ebics/Responses.ts"
import type { BankKeys } from "#protocols/ebics/Subscriber.ts"
import { BankDouble, type BankDoubleOptions } from "./BankDouble.ts"
import { testKeys } from "./TestKeys.ts"
import type { Version } from "#protocols/ebics/Version.ts"

const order = { _tag: "Statements", order: "C53", service: services.C53 } as const
let nonce = 0
const fresh = (timestamp = new Date()) => ({ nonce: (++nonce).toString(16).padStart(32, "0"), timestamp })

/** A bank and our side of it, without a network. */
const place = (version: Version, options: BankDoubleOptions = {}) => {
  const bank = new BankDouble(options)
  const user = bank.agree("PARTNER1", "USER1")
  const subscriber = { version, hostId: "EBIXHOST", partnerId: "PARTNER1", userId: "USER1" }
  const sent = (name: "signature" | "authentication" | "encryption") => ({
    key: testKeys[name],
    certificate: Result.getOrThrow(
      selfSigned({
        privateKey: testKeys[name],
        purpose: name,
        commonName: "USER1",
        organization: "We",
        serialNumber: "0a",
        notBefore: new Date("2026-01-01"),
        notAfter: new Date("2031-01-01")
      })
    )
  })
  const ask = (request: Result.Result<string, unknown>) =>
    Buffer.from(bank.answer(Buffer.from(Result.getOrThrow(request))))
  const manage = (request: Result.Result<string, unknown>) =>
    Result.getOrThrow(Responses.keyManagement(ask(request), version))
  const createdAt = new Date()
  const ini = () => manage(KeyRequests.ini(subscriber, { version: "A006", sent: sent("signature"), createdAt }))
  const hia = () =>
    manage(
      KeyRequests.hia(subscriber, { authentication: sent("authentication"), encryption: sent("encryption"), createdAt })
    )
  const hpb = (unique = fresh(), key = testKeys.authentication) => manage(KeyRequests.hpb(subscriber, unique, key))
  const setUp = (): BankKeys => {
    for (const step of [ini, hia]) expect(step().technical.value).toBe("000000")
    bank.release(user)
    return Result.getOrThrow(Responses.bankKeys(hpb().data!, subscriber, testKeys.encryption))
  }
  const download = (request: Result.Result<string, unknown>) =>
    Result.getOrThrow(Responses.download(ask(request), version, createPublicKey(testKeys.bankAuthentication)))
  const initialise = (keys: BankKeys, unique = fresh()) =>
    download(
      DownloadRequests.initialisation(subscriber, order, unique, {
        authentication: testKeys.authentication,
        bank: keys,
        digestKind: "key"
      })
    )
  const transfer = (id: string, number: number, last: boolean) =>
    download(DownloadRequests.transfer(subscriber, id, { number, last }, testKeys.authentication))
  const receipt = (id: string, code: 0 | 1 = 0) =>
    download(DownloadRequests.receipt(subscriber, id, code, testKeys.authentication))
  /** Runs a whole download; `store` gets the data. */
  const run = (keys: BankKeys, store: (data: Buffer) => boolean): Download.Outcome => {
    let state = Download.initial
    while (true) {
      const next = Download.command(state)
      if (next._tag === "End") return next.outcome
      if (next._tag === "Store") {
        const limit = { name: "test", bytes: 10_000_000 }
        const data = openOrderData(Buffer.concat(next.received), next.wrappedKey, testKeys.encryption, limit)
        state = Download.decide(state, store(Result.getOrThrow(data)) ? { _tag: "Stored" } : { _tag: "StoringFailed" })
        continue
      }
      const response =
        next._tag === "SendInitialisation"
          ? initialise(keys)
          : next._tag === "SendTransfer"
            ? transfer(next.transactionId, next.number, next.last)
            : receipt(next.transactionId, next.code)
      state = Download.decide(state, { _tag: "Answered", response })
    }
  }
  return { bank, user, subscriber, ini, hia, hpb, setUp, initialise, transfer, receipt, run }
}

describe.each(["H004", "H005"] as const)("the bank double with %s", (version) => {
  it.each([1, 3])("delivers data in %i segments until a receipt 0", (segments) => {
    const { bank, run, setUp } = place(version, { segments })
    const keys = setUp()
    const data = Buffer.from("statement ".repeat(500) + Math.random())
    bank.offer("C53", data)
    const stored: Array<Buffer> = []
    expect(run(keys, () => false)).toEqual({ _tag: "NotStored" })
    expect(run(keys, (got) => stored.push(got) > 0)).toEqual({ _tag: "Stored", confirmed: true })
    expect(run(keys, () => true)).toEqual({ _tag: "NoData" })
    expect(stored).toEqual([data])
    expect(bank.receipts.map(({ code }) => code)).toEqual(["1", "0"])
  })

  it("has the states of the key setup", () => {
    const { bank, hia, hpb, ini, user } = place(version)
    expect(hpb().technical.kind).toBe("NotReady")
    expect([ini, ini, hia, hia].map((step) => step().technical.value)).toEqual(["000000", "091002", "000000", "091002"])
    expect(hpb().technical.value).toBe("091002")
    bank.release(user)
    expect(hpb().technical.value).toBe("000000")
    expect(user.keys.authentication!.equals(createPublicKey(testKeys.authentication))).toBe(true)
  })

  it("refuses wrong signatures, replayed nonces, wrong clocks and outdated keys", () => {
    const { bank, hpb, initialise, setUp, subscriber } = place(version)
    const keys = setUp()
    expect(hpb(fresh(), testKeys.other).technical.value).toBe("061001")
    const unique = fresh()
    expect(initialise(keys, unique).business.value).toBe("090005")
    expect(initialise(keys, unique).technical.value).toBe("091103")
    expect(initialise(keys, fresh(new Date(Date.now() - 3_600_000))).technical.value).toBe("091103")
    const other = { key: createPublicKey(testKeys.other) }
    expect(initialise({ ...keys, encryption: other }).technical.kind).toBe("BankKeysChanged")
    const stranger = KeyRequests.hpb({ ...subscriber, userId: "NOBODY" }, fresh(), testKeys.authentication)
    expect(bank.answer(Buffer.from(Result.getOrThrow(stranger)))).toContain("091002")
    expect(bank.answer(Buffer.from("<x/>"))).toContain("091010")
    expect(bank.answer(Buffer.from("no XML"))).toContain("091010")
  })

  it("refuses segments and receipts in the wrong phase", () => {
    const { bank, initialise, receipt, setUp, transfer } = place(version, { segments: 3 })
    const keys = setUp()
    bank.offer("C53", Buffer.from(String(Array.from({ length: 500 }, () => Math.random()))))
    const id = initialise(keys).transactionId!
    expect(transfer(id, 3, true).technical.value).toBe("061101")
    expect(transfer(id, 4, true).technical.value).toBe("091104")
    expect(transfer(id, 2, true).technical.value).toBe("091112")
    expect(transfer("0".repeat(32), 2, false).technical.value).toBe("091101")
    expect([2, 2].map((number) => transfer(id, number, false).technical.value)).toEqual(["000000", "000000"])
    expect(receipt(id).technical.value).toBe("091102")
    expect(receipt(id).technical.value).toBe("091101")
    expect(bank.receipts).toEqual([])
  })
})

describe("npm ebics-client, a client of others", () => {
  const bank = new BankDouble({ versions: ["H004"] })
  let url = ""
  beforeAll(async () => {
    url = await bank.start()
  })
  afterAll(() => bank.stop())

  it("sets keys up and fetches a statement of one segment", async () => {
    const { Client, Orders } = createRequire(import.meta.url)("ebics-client") as {
      readonly Client: new (options: object) => {
        readonly send: (
          order: object
        ) => Promise<{ readonly technicalCode: string; readonly bankKeys?: object; readonly orderData: Buffer }>
        readonly setBankKeys: (keys: object) => Promise<void>
      }
      readonly Orders: {
        readonly INI: object
        readonly HIA: object
        readonly HPB: object
        readonly C53: (from: null, to: null) => object
      }
    }
    const user = bank.agree("PARTNER2", "USER2")
    let kept: string | null = null
    const client = new Client({
      url,
      partnerId: "PARTNER2",
      userId: "USER2",
      hostId: "EBIXHOST",
      passphrase: "test",
      keyStorage: { read: async () => kept, write: async (data: string) => void (kept = data) }
    })
    expect((await client.send(Orders.INI)).technicalCode).toBe("000000")
    expect((await client.send(Orders.HIA)).technicalCode).toBe("000000")
    bank.release(user)
    const { bankKeys } = await client.send(Orders.HPB)
    await client.setBankKeys(bankKeys!)
    bank.offer("C53", Buffer.from("<Document/>"))
    const { orderData } = await client.send(Orders.C53(null, null))
    expect(orderData.toString()).toBe("<Document/>")
    expect(bank.receipts).toEqual([{ order: "C53", code: "0" }])
  })
})
