/**
 * Decodes NOTIFIED_FILE: hashes of updates that were already sent. Pure. The file is a list, an object with a list
 * under hashes, notified or sent, or an object with hashes as keys. Hashes are hexadecimal, of any common length; a
 * prefix such as `sha256:` is ignored.
 */
import { Result } from "effect"
import { pathIn } from "../status-files/Exports.ts"

/** Largest file. Unit: bytes. */
export const maxNotifiedFile = 16 * 1024 * 1024

/** Maximum number of hashes. Unit: hashes. */
export const maxHashes = 100_000

/** Shortest hash. Unit: hexadecimal digits. Reason: shorter ones would collide. */
export const shortestHash = 12

const lists = ["hashes", "notified", "sent"]

/** Hashes in lower case. */
export const decodeNotified = (json: unknown): Result.Result<ReadonlySet<string>, string> => {
  if (typeof json !== "object" || json === null)
    return Result.fail('must be a list [ ] of hashes, or an object with a list under "hashes"')
  const named = Array.isArray(json) ? undefined : lists.find((name) => Object.hasOwn(json, name))
  const held: unknown = named === undefined ? json : (json as Readonly<Record<string, unknown>>)[named]
  if (typeof held !== "object" || held === null) return Result.fail(`${named} must be a list [ ] of hashes`)
  const entries: ReadonlyArray<readonly [PropertyKey, unknown]> = Array.isArray(held)
    ? [...held.entries()]
    : Object.keys(held).map((key) => [key, key])
  if (entries.length > maxHashes) return Result.fail(`has ${entries.length} hashes: at most ${maxHashes} are allowed`)
  const hashes = new Set<string>()
  for (const [key, value] of entries) {
    const hash =
      typeof value === "string"
        ? value
            .trim()
            .toLowerCase()
            .replace(/^(?:md5|sha-?1|sha-?256|sha-?512)[:-]/, "")
        : ""
    if (!isHash(hash))
      return Result.fail(`${pathIn(named ?? "", [key])} is not a hash: write ${shortestHash} to 128 hexadecimal digits`)
    hashes.add(hash)
  }
  return Result.succeed(hashes)
}

const isHash = (text: string): boolean => text.length >= shortestHash && text.length <= 128 && /^[0-9a-f]+$/.test(text)
