/**
 * Opens sealed secrets on first use and caches them until they change. For phones it caches only the hash that the
 * switch compares with, never the password.
 */
import { Effect, Exit, Redacted } from "effect"
import { hash } from "node:crypto"
import { contextOf, type SealedColumn, type Secrets } from "#core/config/Secrets.ts"
import { sealedExtensions, sealedPins, sealedTrunks } from "../directory/Exports.ts"
import { memory } from "#core/lane/Remembering.ts"
import type { Extension, Trunk, VoicemailBox } from "../routing/Exports.ts"

/**
 * Maximum number of cached hashes. Reason: as many as cached responses; each takes about 300 bytes with its envelope.
 */
const keptHashes = 50_000

export interface Unsealed {
  /** Hex MD5 of `user:realm:password`; undefined when the envelope cannot be opened. Source: RFC 2617 §3.2.2.2. */
  readonly a1: (extension: Extension, realm: string) => string | undefined
  readonly pin: (box: VoicemailBox) => string | undefined
  /** Undefined when there is no password, or when the envelope cannot be opened. */
  readonly password: (trunk: Trunk) => string | undefined
}

/** `report`: logs an envelope that cannot be opened. */
export const make = (secrets: Secrets["Service"], report: (text: string) => void): Unsealed => {
  /** Failures are cached too, so a lost key file is logged once per row. */
  const open = (column: SealedColumn, id: number, envelope: string): string | null => {
    const opened = Effect.runSyncExit(secrets.open(envelope, contextOf(column, String(id))))
    if (Exit.isSuccess(opened)) return Redacted.value(opened.value)
    report(`${column.column} of ${column.table} ${id} cannot be decrypted; the switch gets none`)
    return null
  }
  /**
   * Hashes by envelope. Most changes of an extension keep its password, and opening an envelope costs more than the
   * rest of the response.
   */
  const hashes = memory<
    string,
    { readonly id: number; readonly user: string; readonly realm: string; readonly a1: string | null }
  >(keptHashes)
  const words = new WeakMap<VoicemailBox | Trunk, string | null>()
  const kept = (row: VoicemailBox | Trunk, column: SealedColumn, envelope: string): string | undefined => {
    let word = words.get(row)
    if (word === undefined) words.set(row, (word = open(column, row.id, envelope)))
    return word ?? undefined
  }
  return {
    a1: (extension, realm) => {
      const { extension: user, id, password: envelope } = extension
      let known = hashes.get(envelope)
      // An envelope is only valid for its own row.
      if (known?.id !== id || known.user !== user || known.realm !== realm) {
        const password = open(sealedExtensions, id, envelope)
        known = { id, user, realm, a1: password === null ? null : hash("md5", `${user}:${realm}:${password}`, "hex") }
        hashes.set(envelope, known)
      }
      return known.a1 ?? undefined
    },
    pin: (box) => kept(box, sealedPins, box.pin),
    password: (trunk) => (trunk.password === null ? undefined : kept(trunk, sealedTrunks, trunk.password))
  }
}
