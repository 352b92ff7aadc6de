import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import {
  channelsFor,
  type Choice,
  EventPattern,
  type NotificationChannel
} from "#daemons/comm-dispatcher/notifications/ChannelChoice.ts"

const chosen = (event_type: string, channel: NotificationChannel, enabled: boolean): Choice => ({
  event_type,
  channel,
  enabled
})
const paid = { type: "payment.received", severity: "info" } as const
/** Selected channels, limited to app and email. Separate tests cover the others. */
const by = (choices: ReadonlyArray<Choice>, event: Parameters<typeof channelsFor>[0] = paid) =>
  [...channelsFor(event, choices)].filter((channel) => channel === "app" || channel === "email")

describe("the channels of a notification", () => {
  it("are the app where nothing was chosen, and a mail for an error", () => {
    expect(by([])).toEqual(["app"])
    expect(by([], { ...paid, severity: "warning" })).toEqual(["app"])
    expect(by([], { ...paid, severity: "error" })).toEqual(["app", "email"])
  })

  it("are the desktop for what is not well, speech for calls, the messenger for backups and where it was asked for", () => {
    const all = (event: Parameters<typeof channelsFor>[0], ...choices: ReadonlyArray<Choice>) =>
      [...channelsFor(event, choices)].filter((channel) => channel !== "app" && channel !== "email")
    expect(all(paid)).toEqual([])
    expect(all({ ...paid, severity: "warning" })).toEqual(["browser"])
    expect(all({ type: "call.incoming", severity: "info" })).toEqual(["speech"])
    expect(all({ type: "backup.completed", severity: "success" })).toEqual(["messenger"])
    expect(all({ type: "backup.completed", severity: "success" }, chosen("*", "messenger", false))).toEqual([])
    expect(all({ type: "calls.x", severity: "info" }, chosen("*", "messenger", true))).toEqual(["messenger"])
    expect(
      all(
        { type: "call.incoming", severity: "error" },
        chosen("call.*", "speech", false),
        chosen("*", "browser", false)
      )
    ).toEqual([])
  })

  it("are what the most specific choice says, in whichever order they come", () => {
    const choices = [
      chosen("*", "email", true),
      chosen("payment.*", "email", false),
      chosen("payment.received", "email", true)
    ]
    for (const order of [choices, choices.toReversed()]) {
      expect(by(order)).toEqual(["app", "email"])
      expect(by(order, { ...paid, type: "payment.failed" })).toEqual(["app"])
      expect(by(order, { ...paid, type: "crm.task" })).toEqual(["app", "email"])
    }
    const nested = [chosen("payment.card.*", "app", false), chosen("payment.*", "app", true), chosen("*", "app", false)]
    expect(by(nested, { ...paid, type: "payment.card.expired" })).toEqual([])
    expect(by(nested, { ...paid, type: "payment.cards" })).toEqual(["app"])
  })

  it("are chosen one by one: a choice for the app says nothing of mails", () => {
    expect(by([chosen("payment.*", "app", false)], { ...paid, severity: "error" })).toEqual(["email"])
    expect(by([chosen("*", "email", false)], { ...paid, severity: "error" })).toEqual(["app"])
  })

  it("are chosen by types, prefixes and the star alone", () => {
    const is = Schema.is(EventPattern)
    expect(["*", "payment.*", "payment.received", "a.b.*"].every(is)).toBe(true)
    expect(
      ["", "payment*", "*.received", "payment.", "Payment", ".*", "payment.*.x", "x".repeat(101)].filter((text) =>
        is(text)
      )
    ).toEqual([])
  })
})
