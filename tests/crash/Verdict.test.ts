import { describe, expect, it } from "vitest"
import { secondNotice } from "#daemons/comm-dispatcher/channels/messenger/Messenger.ts"
import type { Run } from "./Running.ts"
import type { Alarm } from "./Load.ts"
import { type Dialled, spokenAs } from "./Telephone.ts"
import { type Evidence, judge } from "./Verdict.ts"

const alarm: Alarm = {
  id: 0,
  door: "smtp",
  severity: "INFO",
  subject: "S",
  body: "b",
  path: "/alarm/0",
  chat: "7",
  number: undefined,
  failures: 0,
  long: false,
  firstTried: 1,
  accepted: 2,
  tries: 1
}

type Target = Run["targets"][number]
const attempt = (number: number, state: Target["attempts"][number]["state"]) => ({
  number,
  state,
  started_at: "",
  finished_at: "",
  detail: null
})
const target = (channel: string, over: Partial<Target> = {}): Target => ({
  channel,
  target: "",
  position: 0,
  fallback_of: null,
  options: {},
  state: "delivered",
  reason: null,
  due_at: null,
  possible_second: false,
  attempts: [attempt(1, "delivered")],
  ...over
})
const run = (over: Partial<Run> = {}): Run => ({
  id: "r",
  seq: 1,
  workflow: "alarm",
  event_type: "email.alarm.received",
  state: "delivered",
  reason: null,
  severity: "INFO",
  subject: "S",
  sender: "",
  target_count: 2,
  delivered_count: 2,
  received_at: "",
  created_at: "",
  finished_at: "",
  acknowledged_at: null,
  acknowledged_by: null,
  acknowledged_name: null,
  title: "",
  body: "b",
  mode: "parallel",
  retry: null,
  source: { kind: "smtp" },
  steps: [],
  targets: [target("webhook"), target("messenger")],
  ...over
})
const request = (key: string, answered = 200) => ({
  method: "POST",
  path: "/alarm/0",
  headers: {},
  body: "{}",
  key,
  at: 3,
  answered
})
const message = (text: string) => ({ chatId: "7", text, messageId: 1, at: 3 })

const good: Evidence = {
  alarms: [alarm],
  runs: [run()],
  requests: [request("k")],
  messages: [message("INFO: b")],
  dialled: [],
  mostAtOnce: 0,
  cut: [],
  kills: 3
}
const callAlarm: Alarm = { ...alarm, severity: "CRITICAL", path: undefined, chat: undefined, number: "+49301" }
const minor: Alarm = { ...callAlarm, severity: "INFO" }
const tried = (number: number, state: Target["attempts"][number]["state"]) => ({
  ...attempt(number, state),
  finished_at: new Date(number * 1_000 + 500).toISOString()
})
const call = (nth: number, possibleSecond = false, over: Partial<Dialled> = {}): Dialled => ({
  uuid: `u${nth}`,
  number: "+49301",
  started: nth * 1_000,
  answered: nth * 1_000 + 10,
  ended: nth * 1_000 + 400,
  audio: spokenAs("CRITICAL", "b", possibleSecond),
  heard: 2,
  ...over
})
const called: Evidence = {
  ...good,
  alarms: [callAlarm],
  runs: [run({ targets: [target("call", { attempts: [tried(1, "delivered")] })] })],
  requests: [],
  messages: [],
  dialled: [call(1)],
  mostAtOnce: 1
}
const again = target("call", { possible_second: true, attempts: [tried(1, "uncertain"), tried(2, "delivered")] })
const calledTwice: Evidence = { ...called, runs: [run({ targets: [again] })], dialled: [call(1), call(2, true)] }
const unknown: Evidence = {
  ...called,
  alarms: [minor],
  runs: [
    run({ state: "uncertain", targets: [target("call", { state: "uncertain", attempts: [tried(1, "uncertain")] })] })
  ],
  dialled: [call(1, false, { audio: spokenAs("INFO", "b", false) })]
}

const marked = `${secondNotice}\nINFO: b`
const repeated: Evidence = {
  ...good,
  runs: [
    run({
      targets: [
        target("webhook"),
        target("messenger", { attempts: [attempt(1, "uncertain"), attempt(2, "delivered")] })
      ]
    })
  ],
  messages: [message("INFO: b"), message(marked)]
}

describe("the verdict on a crash run", () => {
  it("is content with one of each, with repeats under one key, and with one marked second of an uncertain first", () => {
    expect(judge(good)).toMatchObject({ problems: [], lost: 0, doubledWebhooks: 0, doubledMessages: 0, targets: 2 })
    expect(judge({ ...good, requests: [request("k", 503), request("k"), request("k")] })).toMatchObject({
      problems: [],
      repeatedRequests: 1
    })
    expect(judge(repeated)).toMatchObject({ problems: [], doubledMessages: 1, uncertainAttempts: 1 })
    expect(judge(called)).toMatchObject({ problems: [], calls: 1, doubledCalls: 0, unknownCalls: 0 })
    expect(judge(calledTwice)).toMatchObject({ problems: [], doubledCalls: 1, unknownCalls: 0 })
    expect(judge(unknown)).toMatchObject({ problems: [], lost: 0, doubledCalls: 0, unknownCalls: 1 })
    expect(
      judge({
        ...called,
        cut: [
          { uuid: "u1", orphaned: true, asked: true },
          { uuid: "u1", orphaned: false, asked: false }
        ]
      })
    ).toMatchObject({ problems: [], takenUp: 1 })
    expect(judge({ ...calledTwice, cut: [{ uuid: "u1", orphaned: true, asked: true }] })).toMatchObject({
      problems: [],
      takenUp: 0
    })
    const again = run({ id: "d", state: "duplicate", targets: [] })
    expect(judge({ ...good, runs: [run(), again] })).toMatchObject({ problems: [], duplicates: 1 })
  })

  it.each<[string, Evidence, string, object]>([
    [
      "an alarm nobody took in",
      { ...good, alarms: [{ ...alarm, accepted: undefined }] },
      "never accepted",
      { lost: 2 }
    ],
    ["an alarm without a run", { ...good, runs: [] }, "0 runs", { lost: 2 }],
    ["an alarm with two runs", { ...good, runs: [run(), run({ id: "r2" })] }, "2 runs", {}],
    ["a webhook the ledger calls delivered and nobody saw", { ...good, requests: [] }, "taken 0 times", { lost: 1 }],
    ["a webhook that was only refused", { ...good, requests: [request("k", 503)] }, "taken 0 times", { lost: 1 }],
    [
      "a message that was sent and is not in the ledger",
      { ...good, runs: [run({ targets: [target("webhook")] })] },
      "missing in the ledger",
      { lost: 1 }
    ],
    [
      "a webhook under two keys",
      { ...good, requests: [request("k"), request("l")] },
      "under 2 keys",
      { doubledWebhooks: 1 }
    ],
    [
      "a second message without a mark",
      { ...repeated, messages: [message("INFO: b"), message("INFO: b")] },
      "not marked",
      { doubledMessages: 1 }
    ],
    [
      "a second message with nothing uncertain",
      { ...good, messages: [message("INFO: b"), message(marked)] },
      "0 uncertain attempts",
      {}
    ],
    ["more doubles than kills", { ...repeated, kills: 0 }, "doubled by 0 kills", {}],
    [
      "a target left uncertain",
      {
        ...good,
        runs: [
          run({
            targets: [target("webhook"), target("messenger", { state: "uncertain", due_at: "2026-08-01T10:00:00Z" })]
          })
        ]
      },
      "left uncertain",
      {}
    ],
    ["a run left open", { ...good, runs: [run({ state: "running", finished_at: null })] }, "the run is running", {}],
    [
      "a duplicate that sends",
      { ...good, runs: [run(), run({ id: "d", state: "duplicate" })] },
      "duplicate run d has targets",
      {}
    ],
    [
      "a call the ledger calls delivered and nobody heard",
      { ...called, dialled: [] },
      "was heard by nobody",
      { lost: 1 }
    ],
    [
      "a call that was cut and taken for delivered",
      { ...called, dialled: [call(1, false, { heard: 1 })] },
      "was heard 1",
      { lost: 1 }
    ],
    ["a grave call given up", { ...unknown, alarms: [callAlarm] }, "is uncertain in the ledger", { lost: 1 }],
    [
      "a call given up before RETRY was used up",
      { ...unknown, alarms: [{ ...minor, failures: 1 }] },
      "is uncertain in the ledger",
      { lost: 1 }
    ],
    [
      "a second call with nothing uncertain",
      { ...called, dialled: [call(1), { ...call(1), uuid: "u2" }] },
      "2 calls were answered but 0 attempts are uncertain",
      {}
    ],
    [
      "a second call that does not say so",
      { ...calledTwice, dialled: [call(1), call(2)] },
      "does not say that it may be the second",
      {}
    ],
    [
      "a first call that says it is the second",
      { ...called, dialled: [call(1, true)] },
      "though nothing was uncertain",
      {}
    ],
    [
      "a call that says something else",
      { ...called, dialled: [call(1, false, { audio: "x.wav" })] },
      "says something else",
      {}
    ],
    [
      "a second call that the ledger does not mark",
      { ...calledTwice, runs: [run({ targets: [{ ...again, possible_second: false }] })] },
      "not marked as a possible second",
      {}
    ],
    ["more doubled calls than kills", { ...calledTwice, kills: 0 }, "1 calls doubled by 0 kills", {}],
    ["two calls at once", { ...called, mostAtOnce: 2 }, "2 alarm calls at once", {}],
    [
      "an attempt dialled twice",
      { ...calledTwice, dialled: [call(1), call(2, true, { uuid: "u1" })] },
      "an attempt was dialled twice",
      {}
    ],
    [
      "a call that nobody asked after",
      { ...called, cut: [{ uuid: "u1", orphaned: true, asked: false }] },
      "nobody asked after u1",
      {}
    ],
    ["a call without an end", { ...called, dialled: [call(1, false, { ended: undefined })] }, "still going on", {}],
    [
      "a run of nobody's alarm",
      { ...good, runs: [run(), run({ id: "x", subject: "other" })] },
      "belongs to no alarm",
      {}
    ]
  ])("finds %s", (_, evidence, problem, figures) => {
    const verdict = judge(evidence)
    expect(verdict.problems.join("\n")).toContain(problem)
    expect(verdict).toMatchObject(figures)
  })
})
