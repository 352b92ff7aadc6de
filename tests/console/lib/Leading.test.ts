import { describe, expect, it } from "vitest"
import { isFollowable, ownPath } from "../../../console/lib/Leading.ts"

const origin = "https://box.example"

describe("where an address leads", () => {
  it("is ours below /console alone", () => {
    expect(
      ["/console", "/console/mail?x=1#y", "https://box.example/console/a"].map((one) => ownPath(one, origin))
    ).toEqual(["/console", "/console/mail?x=1#y", "/console/a"])
    const elsewhere = [
      "/consoles",
      "/docs",
      "//evil.example/console/",
      "https://evil.example/console/",
      "http://box.example/console/",
      "https://box.example:444/console/",
      "/console/../docs",
      "javascript:alert(1)",
      "https://["
    ]
    expect(elsewhere.filter((one) => ownPath(one, origin) !== undefined)).toEqual([])
  })

  it("is followed where a browser opens a page, and runs nothing", () => {
    expect(["https://a.example/", "http://a.example/", "/docs"].every((one) => isFollowable(one, origin))).toBe(true)
    expect(
      [
        "javascript:alert(1)",
        " javascript:alert(1)",
        "data:text/html,x",
        "blob:https://box.example/1",
        "mailto:a@b.example",
        "https://["
      ].filter((one) => isFollowable(one, origin))
    ).toEqual([])
  })
})
