import { pageLanguage } from "#support/console/PageGlobals.ts"
import { Option, Result, Schema, SchemaIssue } from "effect"
import { describe, expect, it } from "vitest"
import * as Bounds from "#daemons/sip-config/directory/Shapes.ts"
import { classify } from "#daemons/sip-config/directory/numbers/NumberPlan.ts"
import { errorsOf, inGerman, told } from "../../../../console/pages/telephony/Refusals.ts"
import { Problem } from "../../../../console/lib/Problem.ts"
import { warningInGerman } from "../../../../console/pages/telephony/kinds/NumberPlan.ts"

pageLanguage("de")

const refused = (...errors: ReadonlyArray<{ readonly field: string; readonly message: string }>) =>
  new Problem(422, "invalid_request", "The request is wrong", { errors })

describe("refusals", () => {
  it("stand beside their field: halves of a destination as one, entries of a list with their place", () => {
    const problem = refused(
      { field: "payload.number", message: "must be a telephone number such as +49301234567" },
      { field: "payload.destination_id", message: "must be the id of an extension" },
      { field: "payload.extensions[1]", message: "is a duplicate" },
      { field: "payload.entries[0].digits", message: "something new" }
    )
    expect(Object.fromEntries(errorsOf(problem))).toEqual({
      number: "muss eine Telefonnummer sein, etwa +49301234567",
      destination: "bitte auswählen: das Gewählte gibt es nicht",
      extensions: "Eintrag 2: steht schon da",
      entries: "Eintrag 1: something new"
    })
    expect(told(problem, ["number", "destination", "extensions", "entries"])).toBe(
      "Nicht gespeichert: siehe die markierten Felder."
    )
    // An error without a matching field is shown in full.
    expect(told(problem, ["number"])).toContain("extensions[1] steht schon da")
  })

  it("name who points at something", () => {
    expect(
      told(
        new Problem(409, "in_use", "", {
          used_by: [
            { type: "did", id: 1, name: "+4930" },
            { type: "ring_group", id: 2, name: "Sales" }
          ]
        })
      )
    ).toContain("Rufnummer +4930, Rufgruppe Sales")
  })

  it("are in German as the daemon says them", () => {
    const wrong = [
      [Bounds.SipDomain, "-"],
      [Bounds.Host, "-"],
      [Bounds.InternalNumber, "a b"],
      [Bounds.InternalNumber, ""],
      [Bounds.InternalNumber, "1".repeat(99)],
      [Bounds.PhoneNumber, "abc"],
      [Bounds.Pattern, "x"],
      [Bounds.Sound, "x"],
      [Bounds.Digits, "x"],
      [Bounds.Pin, "abcdef"],
      [Bounds.Email, "x"],
      [Bounds.TrunkPassword, "a b"],
      [Bounds.Cidr, "x"],
      [Bounds.Name, "\u0000"],
      [Bounds.Password, "short"]
    ] as const
    const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()
    for (const [schema, value] of wrong) {
      const issue = Result.getFailure(Schema.decodeUnknownResult(schema as typeof Schema.String)(value))
      for (const { message } of formatIssues(Option.getOrThrow(issue).issue).issues)
        expect(inGerman(message), message).toBeDefined()
    }
  })

  it("of the number plan are in German, too", () => {
    const warnings = ["1012", "1099", "5000"].flatMap((extension) => classify(extension, "Ann").warnings)
    expect(warnings.length).toBe(3)
    for (const warning of warnings) expect(warningInGerman(warning), warning).toBeDefined()
    expect(inGerman("nothing we know")).toBeUndefined()
  })
})
