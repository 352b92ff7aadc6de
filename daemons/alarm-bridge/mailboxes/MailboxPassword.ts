import { Effect, Option, Redacted } from "effect"
import { readFile } from "node:fs/promises"
import { Environment } from "#core/config/Environment.ts"
import { readCredentialText } from "#protocols/systemd/Credentials.ts"
import { MailboxFailure } from "../intake/Errors.ts"
import type { MailboxSettings } from "./MailboxSettings.ts"

/** Reads the current password of a mailbox. Files and credentials are read on each call. */
export const readPassword = (mailbox: MailboxSettings): Effect.Effect<Redacted.Redacted, MailboxFailure> => {
  const fail = (detail: string) => new MailboxFailure({ reason: "PasswordUnreadable", mailbox: mailbox.name, detail })
  const source = mailbox.password
  switch (source._tag) {
    case "Given":
      return Effect.succeed(source.password)
    case "File":
      return Effect.tryPromise({
        try: async () =>
          Redacted.make((await readFile(source.path, "utf8")).replace(/\r?\n$/, ""), { label: "mailbox password" }),
        catch: (error) => fail(String((error as NodeJS.ErrnoException).code))
      })
    case "Credential":
      return Effect.flatMap(Environment, (env) => readCredentialText(source.name, env)).pipe(
        Effect.mapError((error) => fail(error.message)),
        Effect.flatMap(
          Option.match({
            onNone: () => Effect.fail(fail(`the credential ${source.name} does not exist`)),
            onSome: (password) => Effect.succeed(password)
          })
        )
      )
  }
}
