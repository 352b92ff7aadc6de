/** Key status of an account as people see it. */
import { Effect } from "effect"
import { X509Certificate } from "node:crypto"
import * as Certificate from "#protocols/ebics/Certificate.ts"
import * as Keys from "#protocols/ebics/Keys.ts"
import { hashLines } from "#protocols/ebics/Letter.ts"
import { authenticationVersion, encryptionVersion } from "#protocols/ebics/Version.ts"
import { type AccountRow, isReady } from "../AccountRow.ts"
import * as AccountStore from "../AccountStore.ts"
import type { KeyStatusView, OwnKeyView } from "./KeyApi.ts"
import * as BankKeyStore from "./BankKeyStore.ts"
import * as KeySteps from "./KeySteps.ts"
import * as KeyStore from "./KeyStore.ts"
import { Passphrases } from "./Passphrases.ts"
import { type KeyRow, sent } from "./PrivateKeys.ts"

/** Version of a key, as INI and HIA state it. */
export const versionOf = (row: AccountRow, { purpose }: Pick<KeyRow, "purpose">): string =>
  purpose === "A" ? row.signature_version : purpose === "X" ? authenticationVersion : encryptionVersion

const ownKey = (row: AccountRow, key: KeyRow): typeof OwnKeyView.Type => {
  const { certificate, key: publicKey } = sent(key)
  return {
    version: versionOf(row, key),
    bits: Keys.bitLength(Keys.numbersOf(publicKey).modulus),
    hash: hashLines(Keys.digest(publicKey)),
    certificate_hash: hashLines(Certificate.fingerprint(certificate)),
    certificate_until: new Date(new X509Certificate(certificate).validTo).toISOString(),
    created_at: (row.keys_created_at ?? row.created_at).toISOString()
  }
}

/** Whether this process lacks the passphrase of the account's keys. */
export const isLocked = ({ id, key_salt: salt }: AccountRow) =>
  Effect.map(Passphrases, ({ find }) => salt !== null && find(id, salt) === undefined)

/** Reads the key status, in the surrounding transaction. */
export const keyStatus = Effect.fnUntraced(function* (id: string) {
  const row = yield* AccountStore.get(id)
  const keys = yield* KeyStore.keysOf(id)
  const bank = yield* BankKeyStore.bankKeysOf(id)
  const locked = yield* isLocked(row)
  const pair = (state: "accepted" | "offered") => {
    const found = BankKeyStore.pairOf(bank, state)
    return found === undefined
      ? null
      : { authentication: BankKeyStore.view(found.authentication), encryption: BankKeyStore.view(found.encryption) }
  }
  const view: typeof KeyStatusView.Type = {
    account_id: id,
    key_status: row.key_status,
    next: KeySteps.next(row, locked),
    ready: isReady(row) && !locked,
    stopped: row.stopped,
    ebics_version: row.ebics_version,
    signature_version: row.signature_version,
    digest_kind: row.digest_kind,
    with_passphrase: row.key_salt !== null,
    locked,
    own_keys: keys.map((key) => ownKey(row, key)),
    bank_keys: { accepted: pair("accepted"), offered: pair("offered") },
    keys_created_at: row.keys_created_at?.toISOString() ?? null,
    ini_sent_at: row.ini_sent_at?.toISOString() ?? null,
    hia_sent_at: row.hia_sent_at?.toISOString() ?? null,
    activated_at: row.activated_at?.toISOString() ?? null,
    last_answer: row.last_answer
  }
  return view
})
