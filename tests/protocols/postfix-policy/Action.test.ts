import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { type Action, dunno, encode, maxTextLength } from "#protocols/postfix-policy/Action.ts"

const said = (action: Action) =>
  Result.match(encode(action), { onFailure: ({ reason }): string => reason._tag, onSuccess: (text) => text })

describe("an action", () => {
  it.each<[Action, string]>([
    [dunno, "action=dunno\n\n"],
    [{ _tag: "Reject", text: "" }, "action=reject\n\n"],
    [{ _tag: "Reject", text: "5.7.1 too many mails" }, "action=reject 5.7.1 too many mails\n\n"],
    [{ _tag: "DeferIfPermit", text: "later" }, "action=defer_if_permit later\n\n"],
    [{ _tag: "Reject", text: "a\n\naction=ok" }, "Text"],
    [{ _tag: "Reject", text: "größer" }, "Text"],
    [{ _tag: "Reject", text: "a".repeat(maxTextLength + 1) }, "Text"]
  ])("%j is %j", (action, expected) => {
    expect(said(action)).toBe(expected)
  })

  it("is one line and an empty one, or nothing, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.constantFrom("Reject", "DeferIfPermit"), (text, _tag) => {
        expect(said({ _tag, text })).toMatch(/^(?:Text|action=[ -~]+\n\n)$/)
      })
    )
  })
})
