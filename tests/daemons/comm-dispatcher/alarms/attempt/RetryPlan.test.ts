import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import {
  activate,
  type AttemptEnd,
  claim,
  decide,
  deferralBounds,
  deferralBudget,
  initial,
  isFinal,
  leastPause,
  maxInterruptions,
  maxUncertainRepeats,
  outageBudget,
  type Plan,
  putOff,
  quickRepeatPauses,
  suppress,
  type Target,
  withPartsSent
} from "#daemons/comm-dispatcher/alarms/attempt/RetryPlan.ts"

const minute = 60_000
const once: Plan = { retry: undefined, idempotent: true, doubt: "repeat", doubtPause: 0, hasFallback: false, minute }
const webhook: Plan = { ...once, retry: { attempts: 3, pauseMinutes: 5 } }
const messenger: Plan = { ...webhook, idempotent: false }
const graveCall: Plan = { ...once, idempotent: false, doubtPause: 0.5 }
const otherCall: Plan = { ...graveCall, doubt: "settle" }

const delivered: AttemptEnd = { _tag: "Delivered", detail: "200" }
const refused: AttemptEnd = { _tag: "Permanent", reason: "404" }
const answered: AttemptEnd = { _tag: "Retryable", reason: "500", reached: "yes" }
const unanswered: AttemptEnd = { _tag: "Retryable", reason: "timed out", reached: "perhaps" }
const unsent: AttemptEnd = { _tag: "Retryable", reason: "refused", reached: "no" }
const busy = (retryAfter: number): AttemptEnd => ({ _tag: "Retryable", reason: "429", reached: "yes", retryAfter })
const interrupted: AttemptEnd = { _tag: "Interrupted" }
const away: AttemptEnd = { _tag: "Retryable", reason: "unreachable", reached: "no", fault: "channel" }

/**
 * Applies the attempt ends in order; each attempt is claimed when due. Returns a trace of `state@pause` with pauses in
 * milliseconds, and `!` for a marked repeat.
 */
const run = (plan: Plan, ends: ReadonlyArray<AttemptEnd>) => {
  let now = 1_000
  let target = initial(now)
  const trace: Array<string> = []
  for (const end of ends) {
    now = target.dueAt ?? now
    const claimed = claim(target, now)
    if (claimed === undefined) break
    target = decide(claimed, end, now, plan)
    trace.push(
      target.dueAt === null ? target.state : `${target.state}@${target.dueAt - now}${target.possibleSecond ? "!" : ""}`
    )
  }
  return { target, trace: trace.join(" ") }
}

describe("RetryPlan", () => {
  it.each([
    ["delivered at once", once, [delivered], "delivered"],
    ["one attempt without RETRY", once, [answered, delivered], "failed"],
    ["permanent ends it, whatever is left", webhook, [refused, delivered], "failed"],
    [
      "N attempts, M minutes between",
      webhook,
      [answered, unanswered, answered, delivered],
      "pending@300000 pending@300000! uncertain"
    ],
    ["delivered on the last", webhook, [answered, answered, delivered], "pending@300000 pending@300000 delivered"],
    [
      "no RETRY: what sent nothing is repeated shortly",
      once,
      [unsent, unsent, unsent, delivered],
      "pending@2000 pending@10000 failed"
    ],
    ["with RETRY: what sent nothing counts", webhook, [unsent, unsent, unsent], "pending@300000 pending@300000 failed"],
    [
      "a pause asked for costs nothing",
      once,
      [busy(12_000), busy(12_000), delivered],
      "pending@12000 pending@12000 delivered"
    ],
    [
      "a pause asked for is bounded",
      once,
      [busy(0), busy(1e9), answered],
      `pending@${deferralBounds.least} pending@${deferralBounds.most} failed`
    ],
    ["webhook interrupted: again, under its key", once, [interrupted, delivered], "pending@0! delivered"],
    ["webhook interrupted, then refused: it may have arrived", once, [interrupted, refused], "pending@0! uncertain"],
    ["messenger interrupted: again, marked", messenger, [interrupted, delivered], "uncertain@0! delivered"],
    [
      "interruptions use up no attempt",
      messenger,
      [interrupted, answered, interrupted, answered, answered],
      "uncertain@0! pending@300000! uncertain@0! pending@300000! uncertain"
    ],
    [
      "the mark outlives a pause",
      messenger,
      [interrupted, busy(1_000), delivered],
      "uncertain@0! pending@1000! delivered"
    ],
    [
      "messenger unanswered: one marked repeat beyond N",
      { ...messenger, retry: undefined },
      [unanswered, unanswered, delivered],
      "uncertain@1000! uncertain"
    ],
    ["webhook unanswered: not repeated without RETRY", once, [unanswered, delivered], "uncertain"],
    [
      "messenger unanswered again: uncertain, but counted",
      messenger,
      [unanswered, unanswered, unanswered, unanswered],
      "uncertain@1000! uncertain@300000! uncertain@300000! uncertain"
    ],
    [
      "0 minutes are a second",
      { ...webhook, retry: { attempts: 2, pauseMinutes: 0 } },
      [answered, answered],
      "pending@1000 failed"
    ],
    [
      "the minute is a parameter",
      { ...webhook, minute: 500 },
      [answered, answered, answered],
      "pending@2500 pending@2500 failed"
    ],
    [
      "a grave call interrupted: again after half a minute, marked",
      graveCall,
      [interrupted, delivered],
      "uncertain@30000! delivered"
    ],
    [
      "a grave call lost sight of: the same, once",
      graveCall,
      [unanswered, unanswered, delivered],
      "uncertain@30000! uncertain"
    ],
    ["another call interrupted: not repeated", otherCall, [interrupted, delivered], "uncertain"],
    [
      "what RETRY still gives it is marked",
      { ...otherCall, retry: webhook.retry },
      [interrupted, unanswered, answered, delivered],
      "pending@300000! pending@300000! uncertain"
    ],
    [
      "another call lost sight of: what RETRY gives",
      { ...otherCall, retry: { attempts: 2, pauseMinutes: 5 } },
      [unanswered, unanswered],
      "pending@300000! uncertain"
    ],
    [
      "a channel that is away costs no attempt",
      once,
      [away, away, away, away, delivered],
      "pending@1000 pending@1000 pending@2000 pending@4000 delivered"
    ],
    ["away, then refused once", once, [away, answered], "pending@1000 failed"],
    [
      "a ready fallback is not kept waiting long",
      { ...once, hasFallback: true },
      Array.from({ length: 20 }, () => away),
      "pending@1000 pending@1000 pending@2000 pending@4000 pending@8000 pending@16000 pending@30000 failed"
    ],
    [
      "a target that kills its process ends",
      once,
      Array.from({ length: 50 }, () => interrupted),
      `${"pending@0! ".repeat(maxInterruptions)}uncertain`
    ]
  ] as const)("%s", (_name, plan, ends, expected) => assert.strictEqual(run(plan, ends).trace, expected))

  it("counts a pause as an attempt once the budget is spent", () => {
    const paused = Math.floor(deferralBudget / deferralBounds.most)
    const { target } = run(
      once,
      Array.from({ length: 50 }, () => busy(1e9))
    )
    assert.deepStrictEqual([target.state, target.begun, target.attempts], ["failed", paused + 1, 1])
  })

  it("takes the receiver's pause where it is longer than ours", () => {
    const spent: Target = { ...initial(0), state: "attempting", deferredSince: -deferralBudget }
    assert.strictEqual(decide(spent, busy(600_000), 0, webhook).dueAt, 600_000)
    assert.strictEqual(decide(spent, busy(1_000), 0, webhook).dueAt, 300_000)
  })

  it("keeps the parts that went out, and forgets the mark with the part in doubt", () => {
    const attempting: Target = { ...initial(0), state: "attempting", possibleSecond: true, partsSent: 1 }
    const partly = decide(attempting, { ...unsent, progress: { partsSent: 2 } } as AttemptEnd, 0, messenger)
    assert.deepStrictEqual([partly.partsSent, partly.possibleSecond], [2, false])
    assert.strictEqual(withPartsSent(attempting, 0), attempting)
    assert.isTrue(decide(attempting, unsent, 0, messenger).possibleSecond)
  })

  it("claims only what is open and due", () => {
    const due = initial(5)
    assert.isUndefined(claim(due, 4))
    assert.strictEqual(claim(due, 5)?.state, "attempting")
    assert.isUndefined(claim({ ...due, state: "attempting" }, 5))
    assert.isUndefined(claim({ ...due, state: "delivered" }, 5))
  })

  it("suppresses what is open and leaves the rest", () => {
    assert.strictEqual(suppress(initial(0), "acknowledged").state, "suppressed")
    assert.strictEqual(suppress({ ...initial(0), state: "uncertain" }, "acknowledged").state, "suppressed")
    assert.strictEqual(suppress({ ...initial(null), state: "uncertain" }, "acknowledged").state, "uncertain")
    for (const state of ["attempting", "delivered", "failed"] as const)
      assert.strictEqual(suppress({ ...initial(0), state }, "x").state, state)
  })

  it("ignores the late report of an old claim", () => {
    for (const state of ["pending", "uncertain", "delivered", "failed", "suppressed"] as const) {
      const target: Target = { ...initial(0), state }
      assert.strictEqual(decide(target, delivered, 0, webhook), target)
    }
  })

  it("waits out a channel's outage for a day, and no longer", () => {
    let now = 0
    let target = initial(now)
    while (!isFinal(target)) {
      now = target.dueAt!
      target = decide(claim(target, now)!, away, now, once)
    }
    assert.strictEqual(target.state, "failed")
    assert.approximately(now / minute, outageBudget.alone, 1)
  })

  it("puts off without an attempt, to the given time, and fails when the channel stays away", () => {
    const since = putOff(initial(0), 5_000, "away", true, 1_000, once)
    assert.deepInclude(since, { state: "pending", dueAt: 5_000, begun: 0, attempts: 0, awaySince: 1_000 })
    assert.strictEqual(putOff(since, 9e9, "away", true, 1_000 + outageBudget.alone * minute, once).state, "failed")
    assert.strictEqual(putOff(since, 99_000, "away", true, 61_000, { ...once, hasFallback: true }).state, "failed")
    assert.deepInclude(putOff(initial(0), 7_000, "its turn", false, 9e9, once), {
      state: "pending",
      dueAt: 7_000,
      awaySince: null
    })
  })

  it("gives a fallback its time once, and only while it waits", () => {
    const waiting = initial(null)
    assert.isUndefined(claim(waiting, 1))
    assert.strictEqual(activate(waiting, 5).dueAt, 5)
    assert.strictEqual(activate(suppress(waiting, "acknowledged"), 5).dueAt, null)
  })

  it("always ends, as failed only when nothing can have arrived, after no more attempts than declared", () => {
    const end = fc.oneof(
      fc.constantFrom(answered, unanswered, unsent, interrupted),
      fc.integer({ min: 0, max: 1e7 }).map(busy),
      fc.constantFrom(delivered, refused)
    )
    const plan = fc.record({
      retry: fc.option(
        fc.record({ attempts: fc.integer({ min: 1, max: 20 }), pauseMinutes: fc.integer({ min: 0, max: 1_440 }) }),
        { nil: undefined }
      ),
      idempotent: fc.boolean(),
      doubt: fc.constantFrom("repeat" as const, "settle" as const),
      doubtPause: fc.constantFrom(0, 0.5),
      hasFallback: fc.boolean(),
      minute: fc.constantFrom(500, 60_000)
    })
    fc.assert(
      fc.property(plan, fc.infiniteStream(end), (given, ends) => {
        let now = 0
        let target = initial(now)
        let deferrals = 0
        let doubtful = false
        while (!isFinal(target)) {
          const claimed = claim(target, target.dueAt!)
          assert(claimed !== undefined)
          now = target.dueAt!
          const { value } = ends.next()
          target = decide(claimed, value, now, given)
          if (value._tag === "Retryable" && value.retryAfter !== undefined && target.attempts === claimed.attempts)
            deferrals++
          doubtful ||= value._tag === "Interrupted" || (value._tag === "Retryable" && value.reached === "perhaps")
          if (target.state === "uncertain")
            assert(target.possibleSecond && (target.dueAt === null || !given.idempotent))
          if (target.dueAt !== null)
            assert(
              target.dueAt >= now && (value._tag === "Interrupted" || target.dueAt >= now + leastPause * given.minute)
            )
        }
        assert.isNull(target.dueAt)
        assert(target.state === "delivered" || target.state === (doubtful ? "uncertain" : "failed"))
        assert(target.attempts <= (given.retry?.attempts ?? 1))
        assert(deferrals <= deferralBudget / deferralBounds.least)
        assert(
          target.begun <=
            (given.retry?.attempts ?? 1) +
              quickRepeatPauses.length +
              maxInterruptions +
              1 +
              maxUncertainRepeats +
              deferrals
        )
      }),
      { numRuns: 1_000 }
    )
  })
})
