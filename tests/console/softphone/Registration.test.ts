import { describe, expect, it } from "vitest"
import {
  next,
  pauseAfter,
  type Registration,
  type RegistrationEvent,
  shown
} from "../../../console/softphone/Registration.ts"

const after = (...tags: ReadonlyArray<RegistrationEvent["_tag"]>): Registration =>
  tags
    .map((_tag) => (_tag === "Denied" ? { _tag, why: "disabled" } : { _tag }) as RegistrationEvent)
    .reduce(next, { _tag: "Off" } as Registration)

describe("the registration", () => {
  it("connects, holds, and comes back after a cut", () => {
    expect(shown(after()).word).toBe("off")
    expect(shown(after("On")).word).toBe("connecting")
    expect(shown(after("On", "Registered")).word).toBe("registered")
    expect(after("On", "Registered", "Cut")).toEqual({ _tag: "Connecting", tries: 1, proven: true })
    expect(shown(after("On", "Registered", "Cut")).word).toBe("connecting")
    expect(shown(after("On", "Registered", "Cut", "Cut"))).toEqual({ word: "failed", why: "unreachable" })
    expect(after("On", "Registered", "Cut", "Cut", "Registered")).toEqual({ _tag: "Registered" })
    expect(shown(after("On", "Elsewhere")).word).toBe("elsewhere")
    expect(shown(after("On", "Elsewhere", "On")).word).toBe("connecting")
  })

  it("does not try a wrong password again and again, but once more where the switch took it before", () => {
    expect(after("On", "Refused")).toEqual({ _tag: "Failed", why: "refused" })
    expect(after("On", "Registered", "Refused")).toEqual({ _tag: "Connecting", tries: 1, proven: false })
    expect(after("On", "Registered", "Cut", "Refused")).toEqual({ _tag: "Connecting", tries: 1, proven: false })
    expect(after("On", "Registered", "Cut", "Refused", "Refused")).toEqual({ _tag: "Failed", why: "refused" })
    // A later connection failure does not clear the refusal.
    expect(after("On", "Cut", "Refused")).toEqual({ _tag: "Failed", why: "refused" })
    for (const late of ["Cut", "Registered", "Elsewhere"] as const)
      expect(after("On", "Refused", late)).toEqual({ _tag: "Failed", why: "refused" })
    expect(after("On", "Denied")).toEqual({ _tag: "Failed", why: "disabled" })
    expect(shown(after("On", "Refused", "On")).word).toBe("connecting")
  })

  it("is off when it is turned off, whatever is heard after that", () => {
    for (const late of ["Registered", "Cut", "Refused", "Denied", "Elsewhere"] as const)
      expect(after("On", "Registered", "Off", late)).toEqual({ _tag: "Off" })
  })

  it("waits longer from try to try, up to a minute, and not all phones the same", () => {
    expect([1, 2, 3, 6, 7, 50].map((tries) => pauseAfter(tries, 1))).toEqual([
      1_000, 2_000, 4_000, 32_000, 60_000, 60_000
    ])
    expect([0, 0.5, 1].map((random) => pauseAfter(3, random))).toEqual([2_000, 3_000, 4_000])
  })
})
