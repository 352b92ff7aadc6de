/**
 * Encodes and parses stored password hashes: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. Pure; computes no hash.
 * Source: PHC string format (github.com/P-H-C/phc-string-format); RFC 9106 §3.1 for the parameter names.
 */

/** Cost parameters of a hash. */
export interface Argon2Parameters {
  /** Memory size. Unit: KiB. */
  readonly memory: number
  /** Number of passes over the memory. */
  readonly passes: number
  /** Number of lanes. */
  readonly parallelism: number
}

export interface PasswordHash {
  readonly parameters: Argon2Parameters
  readonly salt: Uint8Array
  readonly hash: Uint8Array
}

/** Parameters of new hashes. Source: OWASP Password Storage Cheat Sheet, Argon2id: 19 MiB, 2 passes, 1 lane. */
export const presentParameters: Argon2Parameters = { memory: 19_456, passes: 2, parallelism: 1 }

/**
 * Length of the salt and of the hash. Unit: bytes. Source: RFC 9106 §3.1 (recommends 16 bytes for passwords) and §4
 * (256-bit tags).
 */
export const saltBytes = 16
export const hashBytes = 32

/**
 * Parameters accepted in a stored hash, so that a manipulated row cannot cost gigabytes or minutes. Reason: covers the
 * more expensive set of RFC 9106 §4 (64 MiB, 3 passes, 4 lanes) and the hashes of other systems.
 */
const bounds = {
  memory: { min: 8, max: 65_536 },
  passes: { min: 1, max: 10 },
  parallelism: { min: 1, max: 4 },
  salt: { min: 8, max: 64 },
  hash: { min: 16, max: 64 }
}

/** Encodes a hash in the format that `parse` reads. */
export const encode = ({ hash, parameters, salt }: PasswordHash): string =>
  `$argon2id$v=19$m=${parameters.memory},t=${parameters.passes},p=${parameters.parallelism}` +
  `$${base64(salt)}$${base64(hash)}`

/** Parses a stored hash; undefined when it is not argon2id version 1.3 or exceeds the bounds. */
export const parse = (text: string): PasswordHash | undefined => {
  const match = format.exec(text)
  if (match === null) return undefined
  const parameters = { memory: Number(match[1]), passes: Number(match[2]), parallelism: Number(match[3]) }
  const salt = bytesOf(match[4]!)
  const hash = bytesOf(match[5]!)
  if (salt === undefined || hash === undefined) return undefined
  const within =
    inside("memory", parameters.memory) &&
    inside("passes", parameters.passes) &&
    inside("parallelism", parameters.parallelism) &&
    inside("salt", salt.length) &&
    inside("hash", hash.length)
  // Argon2 needs at least eight blocks per lane. Source: RFC 9106 §3.1.
  return within && parameters.memory >= 8 * parameters.parallelism ? { parameters, salt, hash } : undefined
}

/**
 * Whether to hash the password again at the next successful sign-in: the stored hash has other parameters or cannot be
 * parsed.
 */
export const needsRehash = (text: string, present: Argon2Parameters): boolean => {
  const parsed = parse(text)
  return (
    parsed === undefined ||
    parsed.parameters.memory !== present.memory ||
    parsed.parameters.passes !== present.passes ||
    parsed.parameters.parallelism !== present.parallelism ||
    parsed.salt.length < saltBytes ||
    parsed.hash.length < hashBytes
  )
}

const inside = (name: keyof typeof bounds, value: number): boolean =>
  value >= bounds[name].min && value <= bounds[name].max

/**
 * Decimals without leading zeros and base64 without padding. The length limits keep numbers exact and the text short.
 */
const format = new RegExp(
  String.raw`^\$argon2id\$v=19\$m=([1-9][0-9]{0,9}),t=([1-9][0-9]{0,9}),p=([1-9][0-9]{0,9})` +
    String.raw`\$([A-Za-z0-9+/]{1,100})\$([A-Za-z0-9+/]{1,100})$`
)

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replace(/=+$/, "")

/** Decodes base64; undefined when unused trailing bits are not zero, so that each hash has exactly one text. */
const bytesOf = (text: string): Uint8Array | undefined => {
  const bytes = Buffer.from(text, "base64")
  return base64(bytes) === text ? bytes : undefined
}
