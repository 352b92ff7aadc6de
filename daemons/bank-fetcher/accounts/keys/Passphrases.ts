/**
 * Keys derived from passphrases, in the memory of this process only. Each process needs the passphrase once after its
 * start; nothing passes it on to other processes.
 *
 * A private key under a passphrase is encrypted by AES-256-GCM with a key that scrypt derives; the result is sealed in
 * an envelope like any other secret. Node's own encryption of PKCS #8 uses PBKDF2 with 2,048 rounds, which is too few.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes, scrypt } from "node:crypto"

/** Cost of scrypt: 128 MiB and about half a second. Source: OWASP Password Storage Cheat Sheet, scrypt. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** Unit: bytes. Source: NIST SP 800-132 §5.1 (salt), SP 800-38D §8.2.1 (nonce). */
const [saltBytes, keyBytes, nonceBytes, tagBytes] = [16, 32, 12, 16]

/** A new salt, base64. */
export const newSalt = Effect.sync(() => randomBytes(saltBytes).toString("base64"))

/** Key of a passphrase. The passphrase is normalised, because keyboards differ in their accents. */
export const derive = (passphrase: Redacted.Redacted, salt: string): Effect.Effect<KeyObject> =>
  Effect.callback((resume) => {
    const text = Redacted.value(passphrase).normalize("NFC")
    scrypt(text, Buffer.from(salt, "base64"), keyBytes, cost, (error, key) =>
      resume(error === null ? Effect.succeed(createSecretKey(key)) : Effect.die(error))
    )
  })

/** Encrypts a private key. `context`: id of its row. */
export const encrypt = (key: KeyObject, plain: Buffer, context: string): string => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString("base64")
}

/** Decrypts a private key; undefined when the passphrase is wrong. */
export const decrypt = (key: KeyObject, text: string, context: string): Buffer | undefined => {
  const bytes = Buffer.from(text, "base64")
  if (bytes.length < nonceBytes + tagBytes) return undefined
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes))
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
  } catch {
    return undefined
  }
}

export class Passphrases extends Context.Service<
  Passphrases,
  {
    /** Key of the account's passphrase; undefined when this process does not have it. New keys have a new salt. */
    readonly find: (accountId: string, salt: string) => KeyObject | undefined
    readonly keep: (accountId: string, salt: string, key: KeyObject) => void
    readonly forget: (accountId: string) => void
  }
>()("signalbox/bank-fetcher/Passphrases") {}

export const passphrases = Layer.sync(Passphrases, () => {
  const keys = new Map<string, { readonly salt: string; readonly key: KeyObject }>()
  return Passphrases.of({
    find: (accountId, salt) => {
      const found = keys.get(accountId)
      return found?.salt === salt ? found.key : undefined
    },
    keep: (accountId, salt, key) => void keys.set(accountId, { salt, key }),
    forget: (accountId) => void keys.delete(accountId)
  })
})
