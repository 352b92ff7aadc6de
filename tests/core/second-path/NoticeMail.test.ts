import { describe, expect, it } from "vitest"
import { compose } from "#core/second-path/NoticeMail.ts"
import type { Notice, Trouble } from "#core/second-path/Troubles.ts"

const trouble: Trouble = {
  key: "run 1",
  watch: "alarms",
  since: Date.UTC(2026, 0, 2, 3, 4, 5),
  after: 0,
  what: "alarm 1 is undelivered",
  advice: "signalbox alarm show 1"
}
const context = { daemon: "comm-dispatcher", host: "box", now: trouble.since + 12 * 60_000, reminder: "4 h" }
const notice = (more: Partial<Trouble> = {}, kind: Notice["kind"] = "new"): Notice => ({
  kind,
  trouble: { ...trouble, ...more }
})

describe("the mail of a notice", () => {
  it("names the trouble, its start and the remedy, and suppresses automatic replies", () => {
    const mail = compose([notice()], context)
    expect(mail.subject).toBe("Signalbox on box: alarm 1 is undelivered")
    expect(mail.text).toContain(
      "* alarm 1 is undelivered\n  since: 2026-01-02 03:04:05 UTC (12 min)\n  do: signalbox alarm show 1\n"
    )
    expect(mail.headers).toMatchObject({ "Auto-Submitted": "auto-generated" })
  })

  it("lists new troubles before lasting and resolved ones", () => {
    const mail = compose(
      [notice({ key: "c", what: "c" }, "over"), notice({ key: "b", what: "b" }, "still"), notice()],
      context
    )
    expect(mail.subject).toBe("Signalbox on box: alarm 1 is undelivered (and 2 more)")
    expect([...mail.text.matchAll(/^(WRONG NOW|STILL WRONG|OVER)$/gm)].map(([word]) => word)).toEqual([
      "WRONG NOW",
      "STILL WRONG",
      "OVER"
    ])
    expect(compose([notice({}, "over")], context).subject).toBe("Signalbox on box: over: alarm 1 is undelivered")
  })

  it("has one Message-ID per set of notices", () => {
    const id = (...notices: ReadonlyArray<Notice>) => compose(notices, context).messageId
    expect(id(notice())).toBe(compose([notice()], { ...context, now: context.now + 1_000 }).messageId)
    expect(id(notice())).not.toBe(id(notice({}, "still")))
    expect(id(notice())).not.toBe(id(notice({ since: 7 })))
    expect(compose([notice()], { ...context, host: "a b>c" }).messageId).toMatch(
      /^<notice\.[0-9a-f]{32}@signalbox\.invalid>$/
    )
  })

  it("has one short line per trouble for any reason, and counts the rest", () => {
    const mail = compose([notice({ what: `first\r\nBcc: all@world.test\u2028${"x".repeat(2_000)}` })], context)
    expect(mail.subject).not.toMatch(/[\r\n\u2028]/)
    expect(mail.subject.length).toBeLessThan(400)
    expect(mail.text).not.toMatch(/^Bcc/m)
    const many = compose(
      Array.from({ length: 1_000 }, (_, n) => notice({ key: `run ${n}`, what: `alarm ${n}` })),
      context
    )
    expect(many.text).toContain("… and 950 more.")
    expect(many.text.length).toBeLessThan(20_000)
  })
})
