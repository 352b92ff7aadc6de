import { assert, describe, it } from "vitest"
import type { ChaosAlarm, Kind } from "./Alarms.ts"
import { type Evidence, judge, type TargetRow } from "./Verdict.ts"

const alarm = (kind: Kind, more: Partial<ChaosAlarm> = {}): ChaosAlarm => ({
  id: 0,
  door: "smtp",
  kind,
  subject: "INFO:WEBHOOK+http://h/chaos/0",
  body: "",
  path: "/chaos/0",
  chat: undefined,
  due: 0,
  ...more
})

const came = { path: "/chaos/0", key: "k", body: "{}", at: 0 }

const evidence = (
  kind: Kind,
  target: Partial<Omit<TargetRow, "attempts">> & { readonly attempts: ReadonlyArray<string> },
  more: Partial<Evidence> = {}
): Evidence => {
  const { subject } = alarm(kind)
  const attempts = target.attempts.map((state, index) => ({ number: index + 1, state }))
  return {
    alarms: [alarm(kind)],
    runs: [
      {
        id: "r",
        subject,
        state: "delivered",
        finished: true,
        targets: [{ channel: "webhook", target: "", state: "delivered", due: false, reason: null, ...target, attempts }]
      }
    ],
    accepted: [came],
    messages: [],
    jobs: [],
    mails: { sent: ["a"], told: ["a"] },
    ...more
  }
}

const good = evidence("prompt", { attempts: ["delivered"] })

describe("the verdict of a chaos run", () => {
  it.each([
    ["a delivery", good],
    [
      "a double by a kill in flight",
      evidence("prompt", { attempts: ["interrupted", "delivered"] }, { accepted: [came, came] })
    ],
    [
      "a repeat that RETRY asked for",
      evidence("cutFirst", { attempts: ["uncertain", "delivered"] }, { accepted: [came, came] })
    ],
    ["a cut connection", evidence("cut", { state: "uncertain", attempts: ["uncertain"] })],
    ["a refusal", evidence("refusing", { state: "failed", attempts: ["failed"] }, { accepted: [] })],
    [
      "a refusal after a kill in flight",
      evidence("refusing", { state: "uncertain", attempts: ["interrupted", "failed"] }, { accepted: [] })
    ],
    [
      "a mail sent again",
      { ...good, runs: [...good.runs, { ...good.runs[0]!, id: "d", state: "duplicate", targets: [] }] }
    ]
  ])("accepts %s", (_, given) => assert.deepStrictEqual(judge(given).problems, []))

  it.each([
    ["an alarm without a run", { ...good, runs: [] }, { lost: 1 }],
    ["a second run", { ...good, runs: [good.runs[0]!, { ...good.runs[0]!, id: "s" }] }, { lost: 1 }],
    ["a delivery that nobody got", { ...good, accepted: [] }, { lost: 1 }],
    ["a failure that was accepted", evidence("cut", { state: "failed", attempts: ["failed"] }), { toldFailed: 1 }],
    ["doubt without a reason", evidence("cut", { state: "uncertain", attempts: ["failed"] }), {}],
    ["a target that waits", evidence("cut", { state: "uncertain", due: true, attempts: ["uncertain"] }), { stuck: 1 }],
    ["an open attempt", evidence("prompt", { attempts: ["attempting", "delivered"] }), { stuck: 1 }],
    ["a double without a kill", { ...good, accepted: [came, came] }, { repeatedByRetry: 1 }],
    [
      "two doubles by one interrupted attempt",
      evidence("prompt", { attempts: ["interrupted", "delivered"] }, { accepted: [came, came, came] }),
      {}
    ],
    [
      "more doubles than are allowed",
      evidence("prompt", { attempts: ["interrupted", "delivered"] }, { accepted: [came, came], maxDoubled: 0 }),
      {}
    ],
    [
      "another key",
      evidence("prompt", { attempts: ["interrupted", "delivered"] }, { accepted: [came, { ...came, key: "other" }] }),
      { keysDiffer: 1 }
    ],
    ["a job that is left", { ...good, jobs: ["1 of alarm.trigger failed"] }, { stuck: 1 }],
    ["a mail that was not told", { ...good, mails: { sent: ["a", "b"], told: ["a"] } }, { mailsMissed: 1 }],
    ["a mail told twice", { ...good, mails: { sent: ["a"], told: ["a", "a"] } }, { mailsDoubled: 1 }]
  ])("finds %s", (_, given, figures) => {
    const verdict = judge(given)
    assert.isNotEmpty(verdict.problems)
    assert.deepInclude(verdict, figures)
  })
})
