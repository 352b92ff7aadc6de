import { expect, it } from "@effect/vitest"
import { foreign, foreignBody } from "#daemons/identity/sessions/OwnPage.ts"

const base = "https://box.example"
const host = { host: "10.0.0.7:8080" }

it("believes the browser, and where it says nothing compares where the page came from", () => {
  const own: ReadonlyArray<Record<string, string>> = [
    {},
    { "sec-fetch-site": "same-origin", origin: "https://elsewhere.example" },
    { "sec-fetch-site": "none" },
    { origin: "https://box.example" },
    { origin: "http://10.0.0.7:8080" }
  ]
  const others: ReadonlyArray<Record<string, string>> = [
    { "sec-fetch-site": "cross-site", origin: base },
    { "sec-fetch-site": "same-site", origin: base },
    { "sec-fetch-site": "" },
    { origin: "https://box.example.evil.test" },
    { origin: "https://other.box.example" },
    { origin: "http://10.0.0.7" },
    { origin: "http://10.0.0.7:3000" },
    { origin: "null" },
    { origin: "" }
  ]
  for (const headers of own) expect([headers, foreign(base, { ...host, ...headers })]).toEqual([headers, undefined])
  for (const headers of others)
    expect([headers, foreign(base, { ...host, ...headers })]).toEqual([
      headers,
      expect.stringContaining("another site")
    ])
  expect(foreign(base, { origin: "null" })).toBeDefined()
})

it("wants it said that a body is JSON, which no other site can say without asking", () => {
  for (const type of ["application/json", "application/json;charset=utf-8", "Application/JSON ; x=1"]) {
    expect([type, foreignBody(base, { "content-type": type })]).toEqual([type, undefined])
  }
  for (const type of [
    undefined,
    "",
    "text/plain",
    "application/jsonp",
    "text/plain;application/json",
    "application/x-www-form-urlencoded"
  ]) {
    expect([type, foreignBody(base, { "content-type": type })]).toEqual([type, expect.stringContaining("content-type")])
  }
})
