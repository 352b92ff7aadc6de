/** Checks that the key file is valid and readable by its owner only. */
import { Result } from "effect"
import { readFileSync, statSync } from "node:fs"
import { parseKeys } from "../config/Secrets.ts"
import { bad, type Finding, ok } from "./Finding.ts"

const check = "key file"

/** Checks the key file. The finding never contains key material. */
export const keyFileFinding = (path: string): Finding => {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return ok(check, `${path}, created at first use`)
  // A systemd credential passes: it is readable by its user alone.
  if ((stat.mode & 0o077) !== 0) return bad(check, `other users can read ${path}: chmod 600 ${path}`)
  try {
    const keys = parseKeys(readFileSync(path, "utf8"))
    return Result.isFailure(keys)
      ? bad(check, `${path}: ${keys.failure.detail}; restore it from a backup; secrets cannot be decrypted without it`)
      : ok(check, `${path}, ${keys.success.length} key${keys.success.length === 1 ? "" : "s"}`)
  } catch (error) {
    return bad(check, `cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
