/**
 * Answers to HPB that are damaged on their way, or that do not hold the bank's keys: the finding is clear, no key is
 * stored, and the account stays as it was. HPB has no signature in the protocol; the hashes of the letter prove it.
 */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createPublicKey } from "node:crypto"
import * as Encryption from "#protocols/ebics/Encryption.ts"
import { maxAdminOrderData } from "#protocols/ebics/Limits.ts"
import { hpbOrderData, sealed } from "#support/bank/Answers.ts"
import { testKeys } from "#support/bank/TestKeys.ts"
import { BankSite, place } from "./BankSite.ts"

type Alter = (answer: string, ourKey: Parameters<typeof sealed>[1]) => string

const publicOf = (name: "bankAuthentication" | "bankEncryption") => ({ key: createPublicKey(testKeys[name]) })

/** Order data of an honest answer of H004. */
const honest = hpbOrderData("H004", "EBIXHOST", {
  authentication: publicOf("bankAuthentication"),
  encryption: publicOf("bankEncryption")
})

/** Replaces the text of an element of the answer. */
const withText = (name: string, change: (text: string) => string): Alter => {
  const pattern = new RegExp(`(<${name}>)([^<]*)`)
  return (answer) => answer.replace(pattern, (_, tag: string, text: string) => tag + change(text))
}

/** Replaces the order data by other data, well encrypted for us. */
const holding =
  (data: string | Uint8Array): Alter =>
  (answer, ourKey) => {
    const { segments, wrappedKey } = sealed(Buffer.from(data), ourKey)
    const changed = withText("OrderData", () => segments[0]!)(answer, ourKey)
    return withText("TransactionKey", () => wrappedKey.toString("base64"))(changed, ourKey)
  }

/** Replaces the order data by encrypted bytes that are not deflated. */
const notDeflated: Alter = (answer, ourKey) => {
  const key = Encryption.newTransactionKey()
  const text = Encryption.encrypt(Buffer.from(honest), key).toString("base64")
  const wrapped = Encryption.wrapKey(key, ourKey).toString("base64")
  return withText("TransactionKey", () => wrapped)(withText("OrderData", () => text)(answer, ourKey), ourKey)
}

const undecryptable = "the order data cannot be decrypted with our key"
const invalid = (why: string) => `not a valid EBICS message: ${why}`

/** Name, change of the answer, and the finding. */
const damages: ReadonlyArray<readonly [name: string, alter: Alter, finding: string]> = [
  [
    "a page of a proxy",
    () => "<html><body>Wartung</body></html>",
    invalid("the root is not ebicsKeyManagementResponse")
  ],
  ["half an answer", (answer) => answer.slice(0, answer.length / 2), invalid("the text is not well-formed XML")],
  [
    "a document type declaration",
    (answer) => answer.replace(/^(<\?xml.*?\?>)?/, '$1<!DOCTYPE x [<!ENTITY a "a">]>'),
    invalid("a document type declaration is not allowed")
  ],
  [
    "another version of the protocol",
    (answer) => answer.replaceAll("urn:org:ebics:H004", "urn:org:ebics:H005"),
    invalid("the root is not ebicsKeyManagementResponse")
  ],
  ["order data that is not base64", withText("OrderData", (text) => `${text}=`), invalid("OrderData is not base64")],
  ["a changed ciphertext", withText("OrderData", (text) => `AAAAAAAA${text.slice(8)}`), undecryptable],
  ["a ciphertext without its end", withText("OrderData", (text) => text.slice(0, -24)), undecryptable],
  ["no ciphertext", withText("OrderData", () => ""), undecryptable],
  [
    "a transaction key for somebody else",
    withText("TransactionKey", () =>
      Encryption.wrapKey(Encryption.newTransactionKey(), createPublicKey(testKeys.other)).toString("base64")
    ),
    undecryptable
  ],
  ["a short transaction key", withText("TransactionKey", () => "AAAA"), undecryptable],
  ["data that is not deflated", notDeflated, undecryptable],
  ["a bomb", holding(Buffer.alloc(maxAdminOrderData + 1)), "the message of the bank exceeds maxAdminOrderData"],
  ["no XML", holding("keys"), invalid("the text is not well-formed XML")],
  ["other order data", holding("<HAAResponseOrderData/>"), invalid("the root is not HPBResponseOrderData")],
  ["keys of another host", holding(honest.replace("EBIXHOST", "OTHERHOST")), invalid("the keys are of another host")],
  [
    "one key only",
    holding(honest.replace(/<EncryptionPubKeyInfo>.*<\/EncryptionPubKeyInfo>/s, "")),
    invalid("EncryptionPubKeyInfo is missing")
  ],
  ["an unknown version of a key", holding(honest.replace("E002", "E003")), invalid("EncryptionVersion is not E002")],
  [
    "a short key",
    holding(honest.replace(/(<ds:Modulus>)[^<]*/, `$1${Buffer.alloc(128, 0xff).toString("base64")}`)),
    "the key cannot be used: a length of 1024 bits is not allowed"
  ]
]

/** Alters the next answers to HPB. */
const alterKeys = (bank: BankSite["Service"]["bank"], alter: Alter, ourKey: Parameters<typeof sealed>[1]) => {
  bank.alter = (answer, what) => {
    if (what !== "HPB") return answer
    const altered = alter(answer, ourKey)
    expect(altered).not.toBe(answer)
    return altered
  }
}

describe("a damaged answer with the bank's keys", () => {
  layer(BankSite.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "activates nothing, says what is wrong, and the next honest answer does",
      Effect.fnUntraced(function* () {
        const { account, bank, sql, status, step, user } = yield* place({ ebics_version: "H004" })
        for (const name of ["init", "ini", "hia"]) yield* step(name)
        bank.release(user)
        const before = yield* status
        for (const [name, alter, finding] of damages) {
          alterKeys(bank, alter, user.keys.encryption!)
          const { json, status: code } = yield* step("activate")
          expect([code, json.code, json.detail], name).toEqual([502, "bank_failed", finding])
          const { last_answer, ...after } = yield* status
          expect({ ...after, last_answer: before.last_answer }, name).toEqual(before)
          expect(last_answer, name).toMatchObject({ step: "activate", code: null, text: finding })
          expect(yield* sql`select 1 from bank_fetcher.bank_key where account_id = ${account.id}`, name).toEqual([])
        }
        bank.alter = (answer) => answer
        expect((yield* step("activate")).json).toMatchObject({ key_status: "active", next: "accept" })
      }),
      // Makes RSA keys, and asks the bank for each damage.
      120_000
    )

    it.effect(
      "neither replaces accepted keys nor stops the account, also when the bank says that its keys changed",
      Effect.fnUntraced(function* () {
        const { account, bank, calls, own, setUp, sql, status, step, user } = yield* place({ ebics_version: "H004" })
        yield* setUp
        const { bank_keys: accepted } = yield* status
        const rows = sql`select purpose, state, fingerprint, accepted_at from bank_fetcher.bank_key
          where account_id = ${account.id} order by purpose`
        const before = yield* rows
        for (const [name, alter, finding] of damages) {
          alterKeys(bank, alter, user.keys.encryption!)
          const { json, status: code } = yield* step("bank/refresh")
          expect([code, json.code, json.detail], name).toEqual([502, "bank_failed", finding])
          expect(yield* status, name).toMatchObject({
            key_status: "active",
            ready: true,
            stopped: null,
            bank_keys: accepted
          })
          expect(yield* rows, name).toEqual(before)
        }
        const { encryption } = bank.keys
        bank.keys.encryption = testKeys.other
        expect((yield* calls.post(`${own}/permissions`)).json).toMatchObject({
          code: "bank_refused",
          bank_code: "091008"
        })
        expect(yield* status).toMatchObject({ stopped: null, bank_keys: accepted })
        expect(yield* rows).toEqual(before)
        bank.alter = (answer) => answer
        yield* calls.post(`${own}/permissions`)
        expect(yield* status).toMatchObject({ stopped: "bank_keys_changed", next: "accept" })
        bank.keys.encryption = encryption
      }),
      120_000
    )
  })
})
