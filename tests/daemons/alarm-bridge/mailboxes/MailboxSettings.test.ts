import { Redacted, Result } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import * as Settings from "#core/config/Settings.ts"
import { mailboxesSettings } from "#daemons/alarm-bridge/mailboxes/MailboxesSettings.ts"
import { conflicts, smtpSettings } from "#daemons/alarm-bridge/smtp-listener/SmtpSettings.ts"

const folder = mkdtempSync(join(tmpdir(), "signalbox-mailboxes-"))
afterAll(() => rmSync(folder, { recursive: true }))

const variable = "SIGNALBOX_ALARM_MAILBOXES"
const load = (env: Settings.Env) => Settings.load({ ...mailboxesSettings, ...smtpSettings }, env)
const one = (more: Record<string, unknown> = {}) => ({
  name: "alarms",
  host: "mx.test",
  user: "u",
  password: "opensesame",
  ...more
})

describe("mailboxes", () => {
  it("as JSON, as @/path and as /path; the password is hidden at once", () => {
    const json = JSON.stringify([one(), one({ name: "two", tls: "starttls", folder: "Alarms", tls_verify: false })])
    const file = join(folder, "mailboxes.json")
    writeFileSync(file, json)
    for (const value of [json, `@${file}`, file]) {
      const { mailboxes } = Result.getOrThrow(load({ [variable]: value }))
      expect(mailboxes).toMatchObject([
        { name: "alarms", port: 993, tls: "implicit", tlsVerify: true, folder: "INBOX" },
        { name: "two", port: 143, folder: "Alarms", tlsVerify: false }
      ])
      const source = mailboxes[0]!.password
      expect(source._tag === "Given" && Redacted.value(source.password)).toBe("opensesame")
      expect(`${JSON.stringify(mailboxes)}${String(mailboxes)}`).not.toContain("opensesame")
    }
    expect(Result.getOrThrow(load({})).mailboxes).toEqual([])
  })

  it("passwords in files are read later, but the file has to be there", () => {
    const { password: _, ...rest } = one()
    const file = join(folder, "password")
    writeFileSync(file, "x")
    expect(
      Result.getOrThrow(load({ [variable]: JSON.stringify([{ ...rest, password_file: file }]) })).mailboxes[0]!.password
    ).toEqual({ _tag: "File", path: file })
    expect(problems(JSON.stringify([{ ...rest, password_file: `${file}.gone` }]))).toEqual([
      "mailbox 1: password_file: ENOENT"
    ])
  })

  const problems = (value: string) => {
    const loaded = load({ [variable]: value })
    return Result.isFailure(loaded) ? loaded.failure.map(({ message }) => message) : []
  }
  it.each([
    ['[{"password": "opensesame"', "is not valid JSON"],
    ["{}", "must be a JSON array of mailboxes"],
    ['["opensesame"]', "mailbox 1: must be an object"],
    [JSON.stringify([one({ password: 5_551_234 })]), "mailbox 1: password must be a single line of text"],
    [JSON.stringify([one({ name: "a b" })]), "mailbox 1: name must be letters, digits and . _ - @, at most 100"],
    [JSON.stringify([one({ port: "993" })]), "mailbox 1: port must be a whole number from 1 to 65535"],
    [JSON.stringify([one({ tls: "ssl" })]), "mailbox 1: tls must be implicit, starttls or none"],
    [
      JSON.stringify([one({ password_file: "/dev/null" })]),
      "mailbox 1: requires exactly one of password, password_file, password_credential"
    ],
    [JSON.stringify([one(), one()]), "two mailboxes are named alarms"],
    [
      JSON.stringify([one({ passwort: "opensesame" })]),
      'mailbox 1: has no member "passwort"; known members: name, host, port, tls, tls_verify, ca, user, password, password_file, password_credential, folder'
    ]
  ])("%s: %s", (value, message) => {
    const found = problems(value)
    expect(found).toEqual([message])
    expect(found.join()).not.toMatch(/opensesame|5551234/)
  })
})

it("settings that contradict each other are named", () => {
  const names = (env: Settings.Env) => conflicts(Result.getOrThrow(load(env))).map(({ name }) => name)
  expect(names({})).toEqual([])
  expect(names({ SIGNALBOX_ALARM_SMTP_TLS: "starttls" })).toEqual([
    "SIGNALBOX_ALARM_SMTP_TLS_CERT",
    "SIGNALBOX_ALARM_SMTP_TLS_KEY"
  ])
  expect(names({ SIGNALBOX_ALARM_SMTP_AUTH: "optional", SIGNALBOX_ALARM_SMTP_USER: "u" })).toEqual([
    "SIGNALBOX_ALARM_SMTP_PASSWORD"
  ])
})
