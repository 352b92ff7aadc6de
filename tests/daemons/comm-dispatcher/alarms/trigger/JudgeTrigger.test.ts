import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import { judge } from "#daemons/comm-dispatcher/alarms/trigger/JudgeTrigger.ts"
import * as SenderPolicy from "#daemons/comm-dispatcher/alarms/trigger/SenderPolicy.ts"

const policy = Result.getOrThrow(SenderPolicy.make({ allowedSenders: [], allowedDomains: ["ok.test"] }))

const keyOf = (from: string, subject = "INFO:MESSENGER+1", tenant = 1): string | undefined => {
  const verdict = judge(
    { email_subject: subject, email_body: "", email_from: from },
    policy,
    false,
    { kind: "api" },
    tenant
  )
  return verdict._tag === "Refused" ? verdict.reason : verdict.duplicateKey?.toString("hex")
}

it("finds duplicates by the sender's address, not by its display name", () => {
  const key = keyOf("pump@ok.test")
  for (const same of ['"Pump 3" <pump@ok.test>', "Pump <Pump@OK.test>", " pump@ok.test "])
    assert.strictEqual(keyOf(same), key)
  assert.strictEqual(keyOf("pump@ok.test", " info:MESSENGER+1  "), key)
  for (const other of [
    keyOf("fan@ok.test"),
    keyOf("pump@ok.test", "INFO:MESSENGER+2"),
    keyOf("pump@ok.test", "no alarm"),
    keyOf("pump@ok.test", undefined, 2)
  ])
    assert.notStrictEqual(other, key)
  const toHook = (path: string) => keyOf("pump@ok.test", `INFO:WEBHOOK+https://hook.test/${path}`)
  assert.strictEqual(toHook("a?t=AbC"), toHook("a?t=AbC"))
  assert.notStrictEqual(toHook("a?t=AbC"), toHook("a?t=abc"))
  assert.strictEqual(keyOf("pump@ok.test", "no alarm"), keyOf("pump@ok.test", " No  ALARM"))
  assert.strictEqual(keyOf("a@ok.test, b@ok.test"), keyOf("B <b@ok.test>, A <a@ok.test>"))
})
