/**
 * A restic repository on disk whose password is cheap to check, for tests whose subject is not `restic init`. restic
 * chooses parameters of scrypt that take half a second of a core, and every command pays for them. restic accepts what
 * the file of the key says, so small parameters spare the work. Unsafe outside of tests. Source: "Repository Format",
 * "Keys, Encryption and MAC" in restic's document "References", version 0.14.
 */
import { createCipheriv, createHash, randomBytes, scryptSync } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The smallest parameters that scrypt allows, so that a key costs no time. Source: RFC 7914 §2. */
const cheapest = { N: 2, r: 1, p: 1 }

/** Memory that scrypt may use. Unit: bytes. Reason: restic's own parameters need more than Node's limit of 32 MiB. */
const scryptMemory = 256 * 1024 ** 2

/** Irreducible polynomial for cutting files into pieces: the example of the source above. */
const polynomial = "25b468838dcb75"

/** Length of an initialisation vector, of a message authentication code and of a block. Unit: bytes. */
const blockSize = 16

/** File of a key. `data`: the master key, encrypted with a key from the password. */
interface KeyFile {
  readonly kdf: "scrypt"
  readonly N: number
  readonly r: number
  readonly p: number
  readonly salt: string
  readonly data: string
}

/** A key for AES-256 in counter mode, and the key and `r` of Poly1305-AES. */
interface Keys {
  readonly encrypt: Buffer
  readonly k: Buffer
  readonly r: Buffer
}

/** Creates a repository in the folder, which is created too. */
export const makeRepository = (folder: string, password: string): void => {
  for (const name of ["data", "index", "keys", "locks", "snapshots"])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
  const master = { encrypt: randomBytes(32), k: randomBytes(16), r: randomBytes(16) }
  const config = { version: 2, id: randomBytes(32).toString("hex"), chunker_polynomial: polynomial }
  writeFileSync(join(folder, "config"), seal(master, Buffer.from(JSON.stringify(config))))
  const { encrypt, k, r } = master
  const text = JSON.stringify({
    mac: { k: k.toString("base64"), r: r.toString("base64") },
    encrypt: encrypt.toString("base64")
  })
  writeKey(folder, password, Buffer.from(text))
}

/** Replaces the key of a repository that `restic init` created by a cheap one. */
export const makeKeyCheap = (folder: string, password: string): void => {
  const [name] = readdirSync(join(folder, "keys"))
  const path = join(folder, "keys", name!)
  const file = JSON.parse(readFileSync(path, "utf8")) as KeyFile
  const data = Buffer.from(file.data, "base64")
  const keys = keysFrom(password, Buffer.from(file.salt, "base64"), file)
  const master = crypt(keys.encrypt, data.subarray(0, blockSize), data.subarray(blockSize, -blockSize))
  writeKey(folder, password, master)
  rmSync(path)
}

const writeKey = (folder: string, password: string, master: Buffer): void => {
  const salt = randomBytes(64)
  const file: KeyFile = {
    kdf: "scrypt",
    ...cheapest,
    salt: salt.toString("base64"),
    data: seal(keysFrom(password, salt, cheapest), master).toString("base64")
  }
  const text = JSON.stringify(file)
  writeFileSync(join(folder, "keys", createHash("sha256").update(text).digest("hex")), text, { mode: 0o600 })
}

const keysFrom = (password: string, salt: Buffer, { N, p, r }: typeof cheapest): Keys => {
  const bytes = scryptSync(password, salt, 64, { N, r, p, maxmem: scryptMemory })
  return { encrypt: bytes.subarray(0, 32), k: bytes.subarray(32, 48), r: bytes.subarray(48) }
}

/** Initialisation vector, encrypted text and message authentication code. */
const seal = (keys: Keys, text: Buffer): Buffer => {
  const vector = randomBytes(blockSize)
  const encrypted = crypt(keys.encrypt, vector, text)
  return Buffer.concat([vector, encrypted, authenticate(keys, vector, encrypted)])
}

/** Encrypts and decrypts. */
const crypt = (key: Buffer, vector: Buffer, text: Buffer): Buffer =>
  createCipheriv("aes-256-ctr", key, vector).update(text)

/** Poly1305-AES. Source: D. J. Bernstein, "The Poly1305-AES message-authentication code", §2. */
const authenticate = ({ k, r }: Keys, nonce: Buffer, text: Buffer): Buffer => {
  const factor = numberOf(r) & 0x0ffffffc0ffffffc0ffffffc0fffffffn
  let sum = 0n
  for (let at = 0; at < text.length; at += blockSize) {
    const block = text.subarray(at, at + blockSize)
    sum = ((sum + numberOf(block) + (1n << BigInt(8 * block.length))) * factor) % ((1n << 130n) - 5n)
  }
  const pad = numberOf(createCipheriv("aes-128-ecb", k, null).update(nonce))
  const code = BigInt.asUintN(8 * blockSize, sum + pad)
  return Buffer.from(code.toString(16).padStart(2 * blockSize, "0"), "hex").reverse()
}

/** Number of little-endian bytes. */
const numberOf = (bytes: Buffer): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`)
