/**
 * Secrets at rest: AES-256-GCM envelopes that name their key, so old envelopes still open after a key rotation. Keys
 * come from a file or a systemd credential, never from a variable. Crypto is Node's own.
 *
 * Text of an envelope: `sbx1.<key id>.<nonce>.<ciphertext and tag>`, each part base64url. The context (table and row)
 * is authenticated, so an envelope copied to another row does not open.
 *
 * The library jose 6.2.17 opens the same secret in a JWE in 21 times the time, and only asynchronously (32 characters,
 * Node 24). Its envelope is 1.6 times as long.
 */
import { Context, Effect, Layer, Redacted, Result, Schema } from "effect"
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes
} from "node:crypto"
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/** Length of key and nonce in bytes. Source: NIST SP 800-38D §8.2.1 (96-bit nonces). */
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** An envelope cannot be opened; `reason` tells whether another key file could help. */
export class SecretError extends Schema.TaggedError<SecretError>()("SecretError", {
  reason: Schema.Literals(["UnknownKey", "Malformed", "Forged", "KeyFile"]),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

interface Key {
  readonly id: string
  readonly bytes: Buffer
}

/** Parses a key file: one base64 key per line, newest first. `#` starts a comment. */
export const parseKeys = (text: string): Result.Result<ReadonlyArray<Key>, SecretError> => {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
  const keys = lines.map((line) => Buffer.from(line, "base64"))
  if (keys.length === 0 || keys.some((key) => key.byteLength !== keyBytes)) {
    return Result.fail(
      new SecretError({
        reason: "KeyFile",
        detail: `the key file must hold base64 keys of ${keyBytes} bytes, one per line`
      })
    )
  }
  return Result.succeed(keys.map((bytes) => ({ bytes, id: idOf(bytes) })))
}

const idOf = (key: Buffer): string => createHash("sha256").update(key).digest("base64url").slice(0, 8)

/** A new key, as a line of the key file. */
export const newKeyLine = (): string => randomBytes(keyBytes).toString("base64")

/** Adds a new key on top of the file, atomically, readable by its owner only. */
export const addKey = (path: string): Effect.Effect<void, SecretError> =>
  Effect.try({
    try: () => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      const before = readIfThere(path) ?? ""
      writeDurably(`${path}.new`, `${newKeyLine()}\n${before}`)
      renameSync(`${path}.new`, path)
    },
    catch: (error) =>
      new SecretError({ reason: "KeyFile", detail: `cannot write the key file ${path}: ${String(error)}` })
  })

/** Creates the key file when it is missing. Of two concurrent processes one wins, and both use its key. */
const firstKey = (path: string): Effect.Effect<string, SecretError> =>
  Effect.try({
    try: () => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      const mine = `${path}.${process.pid}`
      writeDurably(mine, `${newKeyLine()}\n`)
      try {
        // Linking publishes the complete file, so a reader never sees a partial one.
        linkSync(mine, path)
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
      } finally {
        rmSync(mine, { force: true })
      }
      return readFileSync(path, "utf8")
    },
    catch: (error) =>
      new SecretError({ reason: "KeyFile", detail: `cannot create the key file ${path}: ${String(error)}` })
  })

/**
 * Flushes the file to disk before anything is sealed with the key: after a power cut, the key of every stored envelope
 * must exist.
 */
const writeDurably = (path: string, text: string): void => {
  rmSync(path, { force: true })
  writeFileSync(path, text, { mode: 0o600, flush: true })
}

const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw error
  }
}

/** Cached: Node takes longer to convert the bytes into a key object than to decrypt. */
const keyObject = (key: Key): KeyObject => {
  let made = keyObjects.get(key)
  if (made === undefined) keyObjects.set(key, (made = createSecretKey(key.bytes)))
  return made
}
const keyObjects = new WeakMap<Key, KeyObject>()

/** Seals with the newest key. Pure except for the random nonce. */
export const seal = (keys: ReadonlyArray<Key>, secret: Redacted.Redacted, context: string): string => {
  const key = keys[0]!
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", keyObject(key), nonce)
  cipher.setAAD(Buffer.from(context, "utf8"))
  const sealed = Buffer.concat([cipher.update(Redacted.value(secret), "utf8"), cipher.final(), cipher.getAuthTag()])
  return ["sbx1", key.id, nonce.toString("base64url"), sealed.toString("base64url")].join(".")
}

/** Opens with the key that the envelope names. */
export const open = (
  keys: ReadonlyArray<Key>,
  envelope: string,
  context: string
): Result.Result<Redacted.Redacted, SecretError> => {
  const [version, id, nonce, sealed, ...rest] = envelope.split(".")
  const bytes = Buffer.from(sealed ?? "", "base64url")
  if (version !== "sbx1" || rest.length > 0 || bytes.byteLength < tagBytes) {
    return Result.fail(new SecretError({ reason: "Malformed", detail: "the value is not a secret envelope" }))
  }
  const key = keys.find((candidate) => candidate.id === id)
  if (key === undefined) {
    return Result.fail(
      new SecretError({
        reason: "UnknownKey",
        detail: `the envelope is sealed with key ${id}, which is not in the key file`
      })
    )
  }
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyObject(key), Buffer.from(nonce ?? "", "base64url"))
    decipher.setAAD(Buffer.from(context, "utf8"))
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    const text = Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString("utf8")
    return Result.succeed(Redacted.make(text))
  } catch {
    return Result.fail(
      new SecretError({ reason: "Forged", detail: "the envelope belongs to another record or was changed" })
    )
  }
}

/** A column with envelopes, declared by its feature. `id` is the table's key column. */
export interface SealedColumn {
  /** Including the schema: `identity.totp_secret`. */
  readonly table: string
  readonly id: string
  readonly column: string
}

/** Context of the envelope in one row of a sealed column. `id` is the row's key as text. */
export const contextOf = (sealed: SealedColumn, id: string): string => `${sealed.table}.${sealed.column}/${id}`

/** A key for another purpose, which does not reveal the original key. Source: RFC 5869. */
export const deriveKey = (key: Key, use: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", key.bytes, "", `signalbox/${use}`, keyBytes))

/** Whether the envelope is sealed with the newest key; `signalbox secrets rotate` seals others again. */
export const isCurrent = (keys: ReadonlyArray<Key>, envelope: string): boolean => envelope.split(".")[1] === keys[0]?.id

export class Secrets extends Context.Service<
  Secrets,
  {
    readonly seal: (secret: Redacted.Redacted, context: string) => Effect.Effect<string, SecretError>
    readonly open: (envelope: string, context: string) => Effect.Effect<Redacted.Redacted, SecretError>
    readonly isCurrent: (envelope: string) => Effect.Effect<boolean, SecretError>
    /** Id of the newest key: the second part of the envelopes it seals. */
    readonly currentKey: Effect.Effect<string, SecretError>
    /**
     * Keys of 32 bytes, derived for the purpose `use`: one per key of the file, newest first. Sign with the first,
     * accept all.
     */
    readonly derive: (use: string) => Effect.Effect<ReadonlyArray<Uint8Array>, SecretError>
  }
>()("signalbox/core/Secrets") {}

/**
 * Keys from `path`. The file is read again after a change, so a rotation needs no restart. Created at the first
 * sealing.
 */
export const layer = (path: string): Layer.Layer<Secrets> =>
  Layer.sync(Secrets, () => {
    let held: { readonly text: string; readonly keys: ReadonlyArray<Key> } | undefined
    const keys = Effect.gen(function* () {
      const text = yield* Effect.try({
        try: () => readIfThere(path),
        catch: (error) =>
          new SecretError({ reason: "KeyFile", detail: `cannot read the key file ${path}: ${String(error)}` })
      })
      if (text !== undefined) {
        if (held?.text !== text) held = { text, keys: yield* Effect.fromResult(parseKeys(text)) }
        return held.keys
      }
      return yield* Effect.fromResult(parseKeys(yield* firstKey(path)))
    })
    return Secrets.of({
      seal: (secret, context) => Effect.map(keys, (held) => seal(held, secret, context)),
      open: (envelope, context) => Effect.flatMap(keys, (held) => Effect.fromResult(open(held, envelope, context))),
      isCurrent: (envelope) => Effect.map(keys, (held) => isCurrent(held, envelope)),
      currentKey: Effect.map(keys, (held) => held[0]!.id),
      derive: (use) => Effect.map(keys, (held) => held.map((key) => deriveKey(key, use)))
    })
  })
