import { createHash } from "node:crypto"
import { guidePath, policy, render } from "#core/gateway/FrontPage.ts"
import { assert, describe, it } from "@effect/vitest"

describe("the front page", () => {
  const page = render([
    { name: "one", title: '<b>One</b> & "more"', status: "degraded", paths: ["/api/v1/one"] },
    { name: "two", title: "Two", status: "ok", paths: [] }
  ])

  it("escapes titles of daemons", () => {
    assert.include(page, "&#60;b&#62;One&#60;/b&#62; &#38; &#34;more&#34;")
    assert.notInclude(page, "<b>One")
  })

  it("shows the health of each daemon, and separate addresses", () => {
    assert.include(page, `<a class="degraded" href="/health/one">▲ degraded</a>`)
    assert.include(page, "own address")
  })

  it("links to the console and the guide if they are served", () => {
    assert.notInclude(page, "/console/")
    const served = render([{ name: "one", title: "One", status: "ok", paths: ["/console"] }])
    assert.include(served, `<a href="/console/">Console</a>`)
    assert.include(served, `<a href="${guidePath}">Guide</a>`)
  })

  it("allows only its own style", () => {
    const style = /<style>([^]*)<\/style>/.exec(page)![1]!
    assert.include(policy, `'sha256-${createHash("sha256").update(style).digest("base64")}'`)
    assert.notInclude(policy, "unsafe")
    assert.notMatch(page, /<script|https?:\/\//)
  })
})
