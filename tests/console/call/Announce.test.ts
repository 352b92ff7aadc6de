import "#support/console/PageGlobals.ts"
import { describe, expect, it } from "vitest"
import { announcement } from "../../../console/call/Announce.ts"

const call = {
  call_id: "1",
  caller_id: "+49301",
  did_number: "+4930999",
  customer: null,
  at: "2026-01-01T00:00:00.000Z"
}
const of = (name: string, locale: string) => ({ ...call, customer: { name, number: "1", locale } })

describe("what is said of a call", () => {
  it("is in the customer's language, else the page's; one that we do not speak is said in English", () => {
    expect(announcement(of("Anna", "de-AT"), "en")).toEqual({ text: "Anruf von Anna", lang: "de-AT" })
    expect(announcement(of("Anna", "en-GB"), "de")).toEqual({ text: "Incoming call from Anna", lang: "en-GB" })
    expect(announcement(of("Anna", "fr-FR"), "de")).toEqual({ text: "Incoming call from Anna", lang: "en" })
  })

  it("spells a number, and names none that is withheld", () => {
    expect(announcement(call, "de")).toEqual({ text: "Anruf von + 4 9 3 0 1", lang: "de" })
    expect(announcement({ ...call, caller_id: "anonymous" }, "en")).toEqual({
      text: "Incoming call from an unknown number",
      lang: "en"
    })
  })
})
