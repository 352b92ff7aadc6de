/** Reads a password from the command line, a file or standard input. */
import { Effect, Option, Redacted } from "effect"
import { createReadStream } from "node:fs"
import { type CommandFailed, exitUsage, fail } from "#core/cli/Ending.ts"
import * as Passwords from "#core/password/Passwords.ts"
import { maxPassword, problemOf } from "#core/password/PasswordRules.ts"

export interface PasswordFlags {
  readonly password: Option.Option<Redacted.Redacted>
  readonly passwordFile: Option.Option<string>
}

/**
 * Maximum length read from a file or standard input. Unit: bytes. Reason: enough for the longest password in any
 * encoding.
 */
const maxRead = 8 * maxPassword

/** The password; undefined when none was given. A trailing line break of a file is not part of it. */
export const readPassword = Effect.fnUntraced(function* (flags: PasswordFlags) {
  if (Option.isNone(flags.passwordFile)) return Option.getOrUndefined(flags.password)
  if (Option.isSome(flags.password)) return yield* fail("set only one of --password and --password-file", exitUsage)
  const file = flags.passwordFile.value
  const text = yield* Effect.tryPromise({
    try: () => readBounded(file),
    catch: (error) => fail(`--password-file ${file}: ${(error as Error).message}`)
  })
  return Redacted.make(text.replace(/\r?\n$/, ""))
})

/** Checks the password against the rules and hashes it. The worker thread ends afterwards. */
export const hashed = (password: Redacted.Redacted, email: string): Effect.Effect<string, CommandFailed> =>
  Effect.gen(function* () {
    const problem = problemOf(password, email)
    if (problem !== undefined) return yield* fail(`the password is refused: ${problem}`, exitUsage)
    return yield* Effect.scoped(Effect.flatMap(Passwords.make({ threads: 1 }), (passwords) => passwords.hash(password)))
  }).pipe(Effect.catchTag("Busy", (busy) => fail(`the password could not be hashed: ${busy.detail}`)))

const readBounded = async (file: string): Promise<string> => {
  const stream = file === "-" ? process.stdin : createReadStream(file)
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer | string>) {
    chunks.push(Buffer.from(chunk))
    size += chunks.at(-1)!.length
    if (size > maxRead) throw new Error(`the content exceeds ${maxRead} bytes`)
  }
  return Buffer.concat(chunks).toString("utf8")
}
