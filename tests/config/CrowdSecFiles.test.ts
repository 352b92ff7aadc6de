/** config/crowdsec, with the real program: the files are accepted, and each rule bans at its number of log lines. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { until } from "#support/Frame.ts"
import * as CrowdSec from "#support/peers/CrowdSec.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { forged, lines } from "#support/SampleLogs.ts"

const hour = 3_600

/** Each rule: label of its log, number of lines, seconds of the ban. */
const rules = {
  "sip-brute-force": { type: "freeswitch", count: 5, length: 24 * hour, line: (at: Date, who: string) => lines.sipAuth(at, who) },
  "sip-scanner": {
    type: "freeswitch",
    count: 20,
    length: 7 * 24 * hour,
    line: (at: Date, who: string, index: number) => lines.sipUnknown(at, who, String(index))
  },
  "websocket-abuse": { type: "signalbox-websocket", count: 60, length: hour, line: lines.websocketRefused },
  "mail-brute-force": {
    type: "syslog",
    count: 5,
    length: 24 * hour,
    line: (at: Date, who: string, index: number) => (index % 2 === 0 ? lines.imapAuth(at, who) : lines.smtpAuth(at, who))
  },
  "mail-spam-sender": { type: "syslog", count: 20, length: 24 * hour, line: lines.submitted }
}

interface Decision {
  readonly value: string
  readonly scenario: string
  readonly duration: string
}

describePeers(["crowdsec"], "the files for CrowdSec", () => {
  it.live(
    "are accepted, and ban at the number of the interface document and for its time, not before",
    () =>
      Effect.gen(function* () {
        const types = [...new Set(Object.values(rules).map(({ type }) => type))]
        const { folder, run, server, url } = yield* CrowdSec.reading(types)
        yield* run("crowdsec", ["-t"])
        yield* server
        const log = (type: string, line: string) => appendFileSync(join(folder, `${type}.log`), `${line}\n`)
        const at = new Date()
        const decisions = Effect.promise(async () => {
          const response = await fetch(`${url}/v1/decisions`, { headers: { "x-api-key": CrowdSec.bouncerKey } })
          return ((await response.json()) ?? []) as ReadonlyArray<Decision>
        })
        // CrowdSec reads a log from its end, and begins some time after its API answers.
        const probe = Effect.gen(function* () {
          for (let each = 0; each < 60; each++) {
            log("freeswitch", lines.sipAuth(at, "192.0.2.100"))
            log("syslog", lines.imapAuth(at, "192.0.2.101"))
            log("signalbox-websocket", lines.websocketRefused(at, "192.0.2.102"))
          }
          yield* Effect.sleep("1 second")
          const values = new Set((yield* decisions).map(({ value }) => value))
          return ["192.0.2.100", "192.0.2.101", "192.0.2.102"].every((address) => values.has(address))
        })
        yield* until("CrowdSec reads all logs", probe, 90)
        // One address a rule has one offence too few, another one exactly enough.
        Object.values(rules).forEach(({ count, line, type }, index) => {
          for (let each = 0; each < count; each++) {
            if (each > 0) log(type, line(at, `198.51.100.${index}`, each))
            log(type, line(at, `203.0.113.${index}`, each))
          }
        })
        // Lines that are no offences, and lines whose sender names somebody else.
        for (let each = 0; each < 70; each++) {
          log("freeswitch", lines.sipChallenge(at, "192.0.2.1"))
          log("syslog", lines.imapLogin(at, "192.0.2.1"))
          log("syslog", lines.received(at, "192.0.2.1"))
          log("signalbox-websocket", lines.websocketOpened(at, "192.0.2.1"))
          const [first, second, third, fourth] = forged(at, "192.0.2.2", "192.0.2.3")
          log("freeswitch", first!)
          log("freeswitch", second!)
          log("syslog", third!)
          log("signalbox-websocket", fourth!)
        }
        const of = (all: ReadonlyArray<Decision>, rule: string) => all.filter(({ scenario }) => scenario === `signalbox/${rule}`)
        for (const [index, [rule, { length }]] of Object.entries(rules).entries()) {
          yield* until(
            `${rule} bans`,
            Effect.map(decisions, (all) => of(all, rule).some(({ value }) => value === `203.0.113.${index}`)),
            90
          )
          const [ban] = of(yield* decisions, rule).filter(({ value }) => value === `203.0.113.${index}`)
          const hours = Number(/^(\d+)h/.exec(ban!.duration)?.[1] ?? 0)
          // What is left of the ban, in whole hours.
          assert.include([length / hour, length / hour - 1], hours, rule)
        }
        // The lines of this address are the last ones of their log.
        yield* until(
          "the sender of forged lines is banned",
          Effect.map(decisions, (all) => all.some(({ value }) => value === "192.0.2.3")),
          90
        )
        const values = new Set((yield* decisions).map(({ value }) => value))
        for (const index of [0, 2, 3, 4]) assert.isFalse(values.has(`198.51.100.${index}`), `198.51.100.${index}`)
        // 19 failed registrations are no scan, but more than five failures.
        assert.deepStrictEqual(
          of(yield* decisions, "sip-scanner").map(({ value }) => value),
          ["203.0.113.1"]
        )
        assert.isFalse(values.has("192.0.2.1"))
        assert.isFalse(values.has("192.0.2.2"))
      }).pipe(Effect.scoped),
    300_000
  )
})

it("the example of acquisitions names the labels that the parsers expect", () => {
  const text = CrowdSec.shippedText("acquis.yaml")
  for (const type of new Set(Object.values(rules).map((rule) => rule.type))) assert.include(text, `type: ${type}\n`)
})
