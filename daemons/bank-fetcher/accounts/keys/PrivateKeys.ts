/**
 * Makes, seals and opens the three private keys of an account. Call outside transactions, because the key file of
 * Secrets is read.
 */
import { Effect, Redacted, Result } from "effect"
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, randomUUID } from "node:crypto"
import { contextOf, type SealedColumn, Secrets } from "#core/config/Secrets.ts"
import * as Keys from "#protocols/ebics/Keys.ts"
import type { KeyPurpose } from "#protocols/ebics/SelfSigned.ts"
import { KeysLocked } from "../ConnectionError.ts"
import * as Passphrases from "./Passphrases.ts"

export const sealedKeys: SealedColumn = { table: "bank_fetcher.account_key", id: "id", column: "private_key" }

/** A: order signature; X: authentication; E: encryption. */
export type Purpose = "A" | "X" | "E"
export const purposes: ReadonlyArray<Purpose> = ["A", "X", "E"]

const uses: Readonly<Record<Purpose, KeyPurpose>> = { A: "signature", X: "authentication", E: "encryption" }

/** Row of a key. */
export interface KeyRow {
  readonly id: string
  readonly purpose: Purpose
  /** Envelope. */
  readonly private_key: string
  readonly public_key: string
  readonly certificate: string
  readonly under_passphrase: boolean
}

/**
 * Validity of our certificates. Unit: years. Reason: an expired certificate needs new letters; the bank trusts the
 * fingerprint on the letter, not the dates.
 */
const validYears = 10

/** Names in the certificates. */
export interface CertificateNames {
  readonly commonName: string
  readonly organization: string
}

/** Three new keys with certificates, sealed. `passphrase`: its derived key. */
export const make = Effect.fnUntraced(function* (
  bits: number,
  names: CertificateNames,
  now: Date,
  passphrase: KeyObject | undefined
) {
  const secrets = yield* Secrets
  // Loaded late: with its library it takes some megabytes, and keys are rarely made.
  const { selfSigned } = yield* Effect.promise(() => import("#protocols/ebics/SelfSigned.ts"))
  const notAfter = new Date(now)
  notAfter.setUTCFullYear(now.getUTCFullYear() + validYears)
  // One after the other, so that requests find a free thread.
  return yield* Effect.forEach(purposes, (purpose) =>
    Effect.gen(function* () {
      const id = randomUUID()
      const privateKey = yield* Effect.orDie(Keys.generate(bits))
      // A clock that is slightly ahead must not make the certificate invalid at the bank.
      const notBefore = new Date(now.getTime() - 3_600_000)
      const serialNumber = `0${randomBytes(15).toString("hex")}1`
      const certificate = Result.getOrThrow(
        selfSigned({ privateKey, purpose: uses[purpose], ...names, serialNumber, notBefore, notAfter })
      )
      const plain = privateKey.export({ type: "pkcs8", format: "der" })
      const text = passphrase === undefined ? plain.toString("base64") : Passphrases.encrypt(passphrase, plain, id)
      plain.fill(0)
      const row: KeyRow = {
        id,
        purpose,
        // An unreadable key file is a defect of the installation, not of the request.
        private_key: yield* Effect.orDie(secrets.seal(Redacted.make(text), contextOf(sealedKeys, id))),
        public_key: createPublicKey(privateKey).export({ type: "spki", format: "der" }).toString("base64"),
        certificate: certificate.toString("base64"),
        under_passphrase: passphrase !== undefined
      }
      return row
    })
  )
})

/** Opens a private key. `passphrase`: the derived key, when this process has it. */
export const open = Effect.fnUntraced(function* (row: KeyRow, passphrase: KeyObject | undefined) {
  const secrets = yield* Secrets
  if (row.under_passphrase && passphrase === undefined) return yield* new KeysLocked()
  const text = Redacted.value(yield* Effect.orDie(secrets.open(row.private_key, contextOf(sealedKeys, row.id))))
  const plain =
    passphrase !== undefined && row.under_passphrase
      ? Passphrases.decrypt(passphrase, text, row.id)
      : Buffer.from(text, "base64")
  // `unlock` has checked the passphrase with this salt.
  if (plain === undefined) return yield* new KeysLocked()
  const key = createPrivateKey({ key: plain, format: "der", type: "pkcs8" })
  plain.fill(0)
  return key
})

export const publicKeyOf = (base64: string): KeyObject =>
  createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" })

/** A key as the bank gets it. */
export const sent = (row: KeyRow) => ({
  key: publicKeyOf(row.public_key),
  certificate: Buffer.from(row.certificate, "base64")
})
