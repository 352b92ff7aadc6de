import { it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import { expect } from "vitest"
import { Environment } from "#core/config/Environment.ts"
import { readPassword } from "#daemons/alarm-bridge/mailboxes/MailboxPassword.ts"
import type { MailboxSettings, PasswordSource } from "#daemons/alarm-bridge/mailboxes/MailboxSettings.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

it.live("a password comes from the list, a file or a credential, as it is now", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryDirectory()
    const read = (password: PasswordSource) => readPassword({ name: "alarms", password } as MailboxSettings)
    const text = (password: PasswordSource) => Effect.map(read(password), Redacted.value)
    writeFileSync(`${folder}/alarms`, "first \n")
    expect(yield* text({ _tag: "Given", password: Redacted.make("given") })).toBe("given")
    expect(yield* text({ _tag: "File", path: `${folder}/alarms` })).toBe("first ")
    writeFileSync(`${folder}/alarms`, "second")
    expect(yield* text({ _tag: "File", path: `${folder}/alarms` })).toBe("second")
    const credential = (name: string) =>
      Effect.provideService(read({ _tag: "Credential", name }), Environment, { CREDENTIALS_DIRECTORY: folder })
    expect(Redacted.value(yield* credential("alarms"))).toBe("second")
    for (const missing of [credential("other"), read({ _tag: "File", path: `${folder}/gone` })]) {
      expect(yield* Effect.flip(missing)).toMatchObject({ reason: "PasswordUnreadable", mailbox: "alarms" })
    }
  })
)
