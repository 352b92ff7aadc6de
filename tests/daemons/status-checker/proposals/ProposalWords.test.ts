import { it } from "@effect/vitest"
import { expect } from "vitest"
import { wordsFor } from "#daemons/status-checker/proposals/ProposalWords.ts"
import type { Component } from "#daemons/status-checker/status/Model.ts"
import type { ComponentStatus } from "#daemons/status-checker/status/Vocabulary.ts"

const now = Date.parse("2026-01-31T12:00:00Z")
const affected = (status: ComponentStatus, name: string, name_en = name) => ({
  component: { id: name, name, name_en, container: null, group: null, probes: [] } satisfies Component,
  status
})
const telephony = affected("major_outage", "Telefonie", "Telephony")

it("one component that is down", () => {
  expect(wordsFor([telephony], now - 900_000, now)).toEqual({
    title: "Ausfall: Telefonie",
    title_en: "Outage: Telephony",
    message: "Seit 11:45 Uhr (UTC) ist Telefonie nicht verfügbar. Wir suchen nach der Ursache.",
    message_en: "Telephony has been unavailable since 11:45 UTC. We are looking for the cause."
  })
})

it("several, in part, since the day before", () => {
  expect(
    wordsFor([affected("partial_outage", "DNS"), affected("partial_outage", "Webmail")], now - 86_400_000, now)
  ).toEqual({
    title: "Störung: DNS und Webmail",
    title_en: "Disruption: DNS and Webmail",
    message:
      "Seit dem 30.01.2026, 12:00 Uhr (UTC) sind DNS und Webmail nur eingeschränkt verfügbar. Wir suchen nach der Ursache.",
    message_en:
      "DNS and Webmail have been only partly available since 2026-01-30, 12:00 UTC. We are looking for the cause."
  })
})

it("many components, one of them completely down", () => {
  const words = wordsFor([telephony, ...["A", "B", "C", "D"].map((name) => affected("partial_outage", name))], now, now)
  expect(words.title).toBe("Ausfall: Telefonie, A, B und 2 weitere")
  expect(words.message_en).toBe(
    "Telephony, A, B and 2 more have been unavailable or only partly available since 12:00 UTC. We are looking for the cause."
  )
})
