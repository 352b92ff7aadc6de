/** All texts of servers: each is a valid message, and its German one fills the same placeholders. */
import { expect, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { missingPlaceholders, readMessage, unknownPlaceholders } from "#core/words/Message.ts"
import { declaredTexts, serverKeys } from "#core/words/ShippedTexts.ts"
import "#daemons/Suite.ts"
import { Key, Text } from "#daemons/localization/texts/Exports.ts"

// Other test files run in the same process and declare settings for their own use. These do not count.
const texts = [...declaredTexts()].filter(([key]) => !key.startsWith(`${serverKeys}settings.SIGNALBOX_TEST_`))

it("are declared by core, for settings and by every daemon", () => {
  const daemons = new Set(texts.map(([key]) => key.slice(serverKeys.length).split(".", 1)[0]))
  expect([...daemons].toSorted()).toEqual([
    "alarm-bridge",
    "bank-fetcher",
    "comm-dispatcher",
    "core",
    "dns-verifier",
    "edge-auth",
    "identity",
    "localization",
    "mail-admin",
    "mail-watcher",
    "provisioning",
    "settings",
    "sip-config",
    "status-checker",
    "wake-word",
    "watchdog"
  ])
})

it("can be registered", () => {
  for (const [key, { de, en }] of texts) {
    expect(Schema.is(Key)(key), key).toBe(true)
    for (const text of [en, de]) expect(Schema.is(Text)(text), `${key}: ${text}`).toBe(true)
  }
})

it("are messages with the same placeholders in both languages", () => {
  for (const [key, { de, en }] of texts) {
    const [source, german] = [Result.getOrThrow(readMessage(en)), Result.getOrThrow(readMessage(de))]
    expect([key, unknownPlaceholders(source, german), missingPlaceholders(source, german)]).toEqual([key, [], []])
  }
})

it("close the brackets that they open", () => {
  const open = texts
    .flatMap(([, { de, en }]) => [en, de])
    .filter((text) => text.split("(").length !== text.split(")").length)
  expect(open).toEqual([])
})
