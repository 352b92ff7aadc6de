import { causeFromAnswer, type CauseKind, describeCause, knownCauses } from "#protocols/event-socket/HangupCause.ts"
import { captureNames, spoken } from "#support/switch/Capture.ts"
import { describe, expect, it } from "@effect/vitest"

describe("HangupCause", () => {
  it("knows every cause that a real switch said", () => {
    const text = captureNames
      .flatMap((name) => spoken(name))
      .map((bytes) => bytes.toString("latin1"))
      .join("\n")
    const said = new Set([
      ...Array.from(text.matchAll(/^-ERR ([A-Z_]+)$/gm), ([, cause]) => cause!),
      ...Array.from(text.matchAll(/Hangup-Cause(?:": ?"|: )([A-Z_]+)/g), ([, cause]) => cause!)
    ])
    expect(said.size).toBeGreaterThan(15)
    expect([...said].filter((cause) => describeCause(cause).kind === "unknown")).toEqual([])
  })

  const table: ReadonlyArray<readonly [CauseKind, boolean, string]> = [
    ["busy", true, "USER_BUSY"],
    ["unanswered", true, "NO_ANSWER ORIGINATOR_CANCEL ALLOTTED_TIMEOUT PROGRESS_TIMEOUT NO_USER_RESPONSE"],
    ["refused", true, "CALL_REJECTED DECLINE"],
    ["bad_number", false, "UNALLOCATED_NUMBER INVALID_NUMBER_FORMAT NO_ROUTE_DESTINATION NUMBER_CHANGED"],
    ["offline", true, "USER_NOT_REGISTERED SUBSCRIBER_ABSENT"],
    [
      "transport",
      true,
      "NORMAL_TEMPORARY_FAILURE NETWORK_OUT_OF_ORDER GATEWAY_DOWN RECOVERY_ON_TIMER_EXPIRE SWITCH_CONGESTION SERVICE_UNAVAILABLE MEDIA_TIMEOUT DESTINATION_OUT_OF_ORDER"
    ],
    [
      "configuration",
      false,
      "INVALID_GATEWAY INVALID_PROFILE CHAN_NOT_IMPLEMENTED INCOMPATIBLE_DESTINATION MANDATORY_IE_MISSING"
    ],
    ["normal", true, "NORMAL_CLEARING MANAGER_REQUEST"]
  ]
  it.each(
    table.flatMap(([kind, retryable, causes]) => causes.split(" ").map((cause) => [cause, kind, retryable] as const))
  )("%s is %s, again: %s", (cause, kind, retryable) => {
    expect(describeCause(cause)).toEqual({ kind, retryable })
  })

  it("takes a new cause as unknown and worth a retry", () => {
    for (const cause of ["NEW_CAUSE", "", "constructor", "__proto__"])
      expect(describeCause(cause)).toEqual({ kind: "unknown", retryable: true })
  })

  it("has each cause once", () => {
    expect(new Set(knownCauses).size).toBe(knownCauses.length)
  })

  it("finds the cause in an answer, and only a cause", () => {
    expect(causeFromAnswer("-ERR USER_BUSY\n")).toBe("USER_BUSY")
    for (const answer of [
      "-ERR no reply",
      "-ERR nosuch Command not found!",
      "+OK USER_BUSY",
      "-USAGE: <x>",
      "-ERR NO SPACES",
      `-ERR ${"A".repeat(65)}`
    ])
      expect(causeFromAnswer(answer)).toBeUndefined()
  })
})
