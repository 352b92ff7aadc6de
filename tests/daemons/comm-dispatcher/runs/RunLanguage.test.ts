/** What attempts report, in the reader's language. */
import { describe, expect, it } from "vitest"
import { outcomeIn } from "#daemons/comm-dispatcher/runs/RunLanguage.ts"

describe("the reason of an attempt in German", () => {
  it.each([
    ["status 200", "Status 200"],
    ["the receiver answered 410", "der Empfänger antwortet mit 410"],
    ["busy (USER_BUSY)", "besetzt (USER_BUSY)"],
    ["hung up after 3.0 of 12.5 s (NORMAL_CLEARING)", "aufgelegt nach 3.0 von 12.5 s (NORMAL_CLEARING)"],
    ["acknowledged by key 1 on +4930123", "mit der Taste 1 quittiert von +4930123"],
    [
      "https://hooks.example.org: the connection failed (ECONNREFUSED)",
      "https://hooks.example.org: die Verbindung ist fehlgeschlagen (ECONNREFUSED)"
    ],
    ["1 of 2 delivered", "1 von 2 zugestellt"]
  ])("%s", (english, german) => expect(outcomeIn("de", english)).toBe(german))

  it("keeps words of the other side", () => {
    expect(outcomeIn("de", "chat not found")).toBe("chat not found")
  })

  it("is the ledger's own text in English", () => {
    expect(outcomeIn("en", "the receiver answered 410")).toBe("the receiver answered 410")
  })
})
