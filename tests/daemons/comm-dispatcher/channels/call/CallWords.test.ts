import { expect, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import fc from "fast-check"
import { callSettings } from "#daemons/comm-dispatcher/channels/call/CallSettings.ts"
import { callWords, maxSpokenLength, type Spoken } from "#daemons/comm-dispatcher/channels/call/CallWords.ts"
import { decode, load } from "#core/config/Settings.ts"

const spoken: Spoken = {
  language: "de",
  severity: "ALERT",
  text: "Wasser im Keller",
  possibleSecond: false,
  acknowledgement: true
}

it("says how grave it is, what it is, and how to acknowledge, in the language chosen", () => {
  expect(callWords(spoken)).toBe("Alarm. Wasser im Keller. Zum Bestätigen drücken Sie die Eins.")
  expect(callWords({ ...spoken, language: "en", severity: "WARNING", text: "Water in the cellar!" })).toBe(
    "Warning. Water in the cellar! Press one to acknowledge."
  )
  expect(callWords({ ...spoken, severity: null, acknowledgement: false, text: " a\n\tb " })).toBe("a b.")
  expect(callWords({ ...spoken, possibleSecond: true })).toContain(
    "Alarm. Dieser Anruf wiederholt möglicherweise einen früheren. Wasser"
  )
})

it("a long text ends with a sentence and says that it was cut", () => {
  const text = "Der Behälter ist leer. ".repeat(200)
  expect(callWords({ ...spoken, text })).toMatch(/ist leer\. Die Meldung ist gekürzt\. Zum Bestätigen/)
  expect(callWords({ ...spoken, text: "wort ".repeat(600), acknowledgement: false })).toMatch(
    /wort wort\. Die Meldung ist gekürzt\.$/
  )
  const whole = "a".repeat(maxSpokenLength)
  expect(callWords({ ...spoken, text: whole, severity: null, acknowledgement: false })).toBe(`${whole}.`)
  expect(maxSpokenLength).toBeGreaterThanOrEqual(2_000)
  fc.assert(
    fc.property(fc.string({ maxLength: 3_000, unit: "binary" }), (text) => {
      const words = callWords({ ...spoken, text })
      expect(words.length).toBeLessThan(maxSpokenLength + 200)
      expect(words.isWellFormed()).toBe(true)
    })
  )
})

it("the password that default password is refused, in words that say why", () => {
  const stock = decode(callSettings.switchPassword, { SIGNALBOX_SWITCH_PASSWORD: " ClueCon " })
  expect(Result.isFailure(stock) && stock.failure.message).toMatch(/default password/)
  const own = decode(callSettings.switchPassword, { SIGNALBOX_SWITCH_PASSWORD: "another one" })
  expect(Result.isSuccess(own) && own.success !== undefined && Redacted.value(own.success)).toBe("another one")
})

it("settings of calls have their defaults and refuse what would not be a gateway or a caller", () => {
  expect(Result.getOrThrow(load(callSettings, {}))).toMatchObject({
    switchPort: 8021,
    callAckKey: true,
    callsPerGateway: 2,
    callLockWait: 90_000,
    alarmLanguage: "de",
    callRingTimeout: 45
  })
  for (const env of [
    { SIGNALBOX_SIP_GATEWAY: "a/b" },
    { SIGNALBOX_SIP_GATEWAYS: "ok,a b" },
    { SIGNALBOX_CALL_CALLER_ID: "me" },
    { SIGNALBOX_CALL_RING_TIMEOUT: "1" }
  ]) {
    expect(Result.isFailure(load(callSettings, env))).toBe(true)
  }
})
