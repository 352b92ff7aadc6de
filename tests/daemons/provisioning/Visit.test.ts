import { assert, describe, it } from "vitest"
import { visitOf } from "#daemons/provisioning/retrieval/Visit.ts"

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

describe("a request for a link", () => {
  it.each([
    ["a browser", "GET", { accept: browser }, "page"],
    ["upper case", "GET", { accept: "TEXT/HTML" }, "page"],
    ["any text", "GET", { accept: "text/*" }, "page"],
    ["a program", "GET", { accept: "application/json" }, "retrieve"],
    ["curl", "GET", { accept: "*/*" }, "retrieve"],
    ["no Accept", "GET", {}, "retrieve"],
    ["a program that refuses HTML", "GET", { accept: "application/json, text/html;q=0" }, "retrieve"],
    ["a type that only begins like it", "GET", { accept: "text/html-like" }, "retrieve"],
    ["HEAD", "HEAD", { accept: "*/*" }, "page"],
    ["HEAD of a program", "HEAD", { accept: "application/json" }, "page"],
    ["prefetch", "GET", { accept: "*/*", "sec-purpose": "prefetch" }, "page"],
    ["prerender", "GET", { accept: "*/*", "sec-purpose": "prefetch;prerender" }, "page"],
    ["old prefetch", "GET", { accept: "*/*", purpose: "prefetch" }, "page"],
    ["preview", "GET", { accept: "*/*", "x-purpose": "preview" }, "page"],
    ["Firefox", "GET", { accept: "*/*", "x-moz": "prefetch" }, "page"],
    ["the button", "POST", { accept: browser }, "retrieve"],
    ["a program's POST", "POST", {}, "retrieve"]
  ] as const)("of %s", (_name, method, headers, expected) => {
    assert.strictEqual(visitOf({ method, headers }), expected)
  })
})
