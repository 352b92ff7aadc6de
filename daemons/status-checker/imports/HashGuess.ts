/**
 * Matches hashes of another system with our updates. Pure. The other system hashed incident id and timestamp in an
 * unknown format, so the common formats are tried.
 */
import { hash } from "node:crypto"

const algorithms = ["sha256", "sha1", "md5", "sha512"] as const

/** Separators between id and timestamp, in either order. */
const joiners = ["", ":", "|", "-", "_", "/", " ", ",", ";", ".", "#", "@", "::", "\n", "\0"]

/** Common formats of a timestamp. `written`: the format of INCIDENTS_FILE. */
export const spellings = (timestamp: string, written?: string): ReadonlyArray<string> => {
  const moment = new Date(timestamp)
  const iso = moment.toISOString()
  const [full, brief] = [iso.slice(0, -1), iso.slice(0, 19)]
  const common = [iso, `${full}+00:00`, full]
  const spaced = brief.replace("T", " ")
  const whole = iso.endsWith(".000Z")
    ? [`${brief}Z`, `${brief}+00:00`, brief, spaced, `${spaced}+00:00`, String(moment.getTime() / 1_000)]
    : []
  return [...new Set([...(written === undefined ? [] : [written]), ...common, ...whole, String(moment.getTime())])]
}

/** Hash in `told` that belongs to this update, complete or as a prefix. `lengths`: lengths that occur in `told`. */
export const matchingHash = (
  told: ReadonlySet<string>,
  lengths: ReadonlyArray<number>,
  id: string,
  timestamp: string,
  written?: string
): string | undefined => {
  for (const spelling of spellings(timestamp, written)) {
    for (const joiner of joiners) {
      for (const text of [`${id}${joiner}${spelling}`, `${spelling}${joiner}${id}`]) {
        for (const algorithm of algorithms) {
          const digest = hash(algorithm, text, "hex")
          const length = lengths.find((one) => one <= digest.length && told.has(digest.slice(0, one)))
          if (length !== undefined) return digest.slice(0, length)
        }
      }
    }
  }
  return undefined
}
