/**
 * The secrets behind the envelopes, opened when the switch first asks for them and kept as long as their row is as it was: of phones
 * only the hash that the switch compares with, never the password itself.
 */
import { Effect, Exit, Redacted } from "effect"
import { hash } from "node:crypto"
import { contextOf, type SealedColumn, type Secrets } from "#core/Secrets.ts"
import { sealedExtensions, sealedPins, sealedTrunks } from "../data/Credentials.ts"
import type { Extension, Trunk, VoicemailBox } from "../routing/Rows.ts"

export interface Unsealed {
  /** Hex MD5 of `user:realm:password`; undefined when the envelope does not open. Source: RFC 2617 §3.2.2.2. */
  readonly a1: (extension: Extension, realm: string) => string | undefined
  readonly pin: (box: VoicemailBox) => string | undefined
  /** undefined: it has none, or it does not open. */
  readonly password: (trunk: Trunk) => string | undefined
}

export const make = (secrets: Secrets["Service"]): Unsealed => {
  /** Whoever lost a key file hears of each row once: it does not open the next time either. */
  const open = (column: SealedColumn, id: number, envelope: string): string | null => {
    const opened = Effect.runSyncExit(secrets.open(envelope, contextOf(column, String(id))))
    if (Exit.isSuccess(opened)) return Redacted.value(opened.value)
    Effect.runFork(Effect.logError(`the ${column.column} of ${column.table} ${id} does not open; the switch is told of none`))
    return null
  }
  const hashes = new WeakMap<Extension, { readonly realm: string; readonly a1: string | null }>()
  const words = new WeakMap<VoicemailBox | Trunk, string | null>()
  const kept = (row: VoicemailBox | Trunk, column: SealedColumn, envelope: string): string | undefined => {
    let word = words.get(row)
    if (word === undefined) words.set(row, word = open(column, row.id, envelope))
    return word ?? undefined
  }
  return {
    a1: (extension, realm) => {
      let known = hashes.get(extension)
      if (known?.realm !== realm) {
        const password = open(sealedExtensions, extension.id, extension.password)
        known = { realm, a1: password === null ? null : hash("md5", `${extension.extension}:${realm}:${password}`, "hex") }
        hashes.set(extension, known)
      }
      return known.a1 ?? undefined
    },
    pin: (box) => kept(box, sealedPins, box.pin),
    password: (trunk) => trunk.password === null ? undefined : kept(trunk, sealedTrunks, trunk.password)
  }
}
