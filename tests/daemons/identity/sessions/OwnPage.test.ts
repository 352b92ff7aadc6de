import { expect, it } from "@effect/vitest"
import { originProblem, requestProblem } from "#daemons/identity/sessions/OwnPage.ts"

const base = "https://box.example"
const host = { host: "10.0.0.7:8080" }

it("sec-fetch-site decides; without it the origin must be the own address", () => {
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
  for (const headers of own)
    expect([headers, originProblem(base, { ...host, ...headers })]).toEqual([headers, undefined])
  for (const headers of others)
    expect([headers, originProblem(base, { ...host, ...headers })]).toEqual([
      headers,
      expect.stringContaining("another site")
    ])
  expect(originProblem(base, { origin: "null" })).toBeDefined()
})

it("a body must be declared as JSON, which requires a preflight from other sites", () => {
  for (const type of ["application/json", "application/json;charset=utf-8", "Application/JSON ; x=1"]) {
    expect([type, requestProblem(base, { "content-type": type })]).toEqual([type, undefined])
  }
  for (const type of [
    undefined,
    "",
    "text/plain",
    "application/jsonp",
    "text/plain;application/json",
    "application/x-www-form-urlencoded"
  ]) {
    expect([type, requestProblem(base, { "content-type": type })]).toEqual([
      type,
      expect.stringContaining("content-type")
    ])
  }
})
