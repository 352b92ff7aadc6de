import { describe, expect, it } from "vitest"
import { join } from "node:path"
import "#daemons/Suite.ts"
import { detailIn } from "#core/daemon/HealthLanguage.ts"
import { sentenceIn } from "#core/words/Sentences.ts"
import { healthSentences } from "#support/ProblemSentences.ts"
import { readSourceTree } from "#support/SourceTree.ts"

/**
 * Files whose details are texts from elsewhere, with the reason. A new entry needs a reason; a detail that is made of
 * own sentences marks them with `healthSentence`.
 */
const fromElsewhere: Readonly<Record<string, string>> = {
  "core/cli/Finding.ts": "findings of the command line",
  "core/cli/HealthProbe.ts": "what the command health reads from another process",
  "core/second-path/SecondPath.ts": "errors of the mail relay, declared in HealthTexts.ts of core",
  "core/speech/Speech.ts": "errors of speech gateways and programs",
  "daemons/alarm-bridge/mailboxes/Feature.ts": "errors of mailboxes, declared in HealthTexts.ts",
  "daemons/comm-dispatcher/channels/call/CallChannel.ts": "errors of the telephone switch",
  "daemons/comm-dispatcher/channels/health/CommHealth.ts": "answer of an endpoint for programs",
  "daemons/comm-dispatcher/channels/health/ComponentProbes.ts": "answer of an endpoint for programs",
  "daemons/comm-dispatcher/channels/health/PeerHealth.ts": "reasons of receivers",
  "daemons/comm-dispatcher/notifications/mail/MailRoute.ts": "errors of the mail relay",
  "daemons/edge-auth/imports/Feature.ts": "faults of the imported file, marked in OldFile.ts",
  "daemons/sip-config/calls/SwitchWatch.ts": "findings at the switch, marked in SwitchCheck.ts",
  "daemons/status-checker/imports/ImportActor.ts": "faults of files that operators write",
  "daemons/status-checker/status-files/WatchedFile.ts": "faults of files that operators write",
  "daemons/wake-word/listening/socket/Listeners.ts": "errors of the inference runtime",
  "daemons/watchdog/alerting/AlertHealth.ts": "answers of the receiver of heartbeats, marked in Heartbeats.ts",
  "daemons/watchdog/services/ServiceRuntime.ts": "states of services, which are no components"
}

/** Limit of the search. Unit: milliseconds. Reason: it parses two thousand files, 2 s of processor time. */
const patience = 120_000

it(
  "every detail of health is declared in German, and details from elsewhere have a reason",
  () => {
    const { passedOn, stated } = healthSentences(
      readSourceTree(join(import.meta.dirname, "..")).filter(({ path }) => /^(?:core|daemons)\/.*\.ts$/.test(path))
    )
    expect(stated.length).toBeGreaterThan(60)
    expect(stated.filter(({ sentence }) => sentenceIn("de", sentence) === undefined)).toEqual([])
    expect(passedOn).toEqual(Object.keys(fromElsewhere).toSorted())
  },
  patience
)

const file = (text: string) => [{ path: "daemons/a/A.ts", text }]

describe("a detail is found", () => {
  it.each([
    [`const a = { status: "degraded", detail: "is late" }`, ["is late"]],
    [
      'const a = { status: late ? "down" : "ok", ...(late ? { detail: `late by ${n} s; ask again` } : {}) }',
      ["late by 7 s", "ask again"]
    ],
    [`const a = { status: "down" as const, detail: why ?? "no answer" }`, ["no answer"]],
    [`const why = healthSentence("is late")`, ["is late"]],
    [`const a = new Missing({ detail: "not a component" })`, []]
  ])("%s", (text, sentences) => {
    expect(healthSentences(file(text)).stated.map(({ sentence }) => sentence)).toEqual(sentences)
  })

  it("that comes from elsewhere", () => {
    expect(healthSentences(file(`const a = { status: "down", detail: error.message }`)).passedOn).toEqual([
      "daemons/a/A.ts"
    ])
  })
})

it("a detail is translated sentence by sentence, and words of other parties stay", () => {
  expect(detailIn("de", "port 25 is held by another process; SIGNALBOX_ALARM_SMTP_PORT sets another port")).toBe(
    "Port 25 ist von einem anderen Prozess belegt; SIGNALBOX_ALARM_SMTP_PORT setzt einen anderen Port"
  )
  expect(detailIn("de", "not connected: ECONNREFUSED; Something else")).toBe(
    "nicht verbunden: ECONNREFUSED; Something else"
  )
  expect(detailIn("en", "not connected: x")).toBe("not connected: x")
})
