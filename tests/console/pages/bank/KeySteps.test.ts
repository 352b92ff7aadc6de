import { assert, describe, it } from "vitest"
import { compared, isComplete, type Status, stepsOf } from "../../../../console/pages/bank/accounts/KeySteps.ts"

const time = "2026-11-26T08:00:00.000Z"

const key = (version: "X002" | "E002", accepted_at: string | null) => ({
  version,
  hash: ["00 11", "AA BB"],
  certificate_hash: null,
  fetched_at: time,
  accepted_at,
  accepted_by: null
})
const pair = (accepted_at: string | null) => ({
  authentication: key("X002", accepted_at),
  encryption: key("E002", accepted_at)
})

const status = (more: Partial<Status>): Status => ({
  key_status: "pending",
  next: "init",
  keys_created_at: null,
  ini_sent_at: null,
  hia_sent_at: null,
  activated_at: null,
  bank_keys: { accepted: null, offered: null },
  ...more
})

const states = (of: Status) => stepsOf(of).map(({ name, state }) => `${name} ${state}`)

describe("KeySteps", () => {
  it("begins with the ids, then with the keys", () => {
    assert.deepStrictEqual(states(status({ next: "configure" })).slice(0, 2), ["configure now", "init later"])
    assert.deepStrictEqual(states(status({})).slice(0, 3), ["configure done", "init now", "ini later"])
  })

  it("opens the letters and the question to the bank at once", () => {
    const sent = status({ next: "activate", keys_created_at: time, ini_sent_at: time, hia_sent_at: time })
    assert.deepStrictEqual(states(sent).slice(3), ["hia done", "letter now", "activate wait", "accept later"])
    assert.isFalse(isComplete(sent))
  })

  it("asks for the comparison at the end, and again when the bank has new keys", () => {
    const all = { keys_created_at: time, ini_sent_at: time, hia_sent_at: time, activated_at: time }
    const offered = status({ ...all, next: "accept", bank_keys: { accepted: null, offered: pair(null) } })
    assert.deepStrictEqual(states(offered).slice(-2), ["activate done", "accept now"])
    const done = status({ ...all, next: null, bank_keys: { accepted: pair(time), offered: null } })
    assert.isTrue(isComplete(done))
    assert.strictEqual(stepsOf(done).at(-1)!.at, time)
    assert.isFalse(isComplete(status({ ...all, bank_keys: { accepted: pair(time), offered: pair(null) } })))
  })

  it("compares hashes without blanks, colons and case, and keeps silent until one is whole", () => {
    const shown = [["00 11", "AA BB"]]
    assert.strictEqual(compared("", shown), undefined)
    assert.strictEqual(compared("00:11", shown), undefined)
    assert.strictEqual(compared("00:11:aa:bb", shown), "same")
    assert.strictEqual(compared("0011\nAABB", shown), "same")
    assert.strictEqual(compared("00 12", shown), "differs")
    assert.strictEqual(compared("0011AABBCC", shown), "differs")
  })
})
