import { expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { consolePage, defaultReturnTo, isLocalPath, maxReturnTo } from "#daemons/identity/federation/ReturnTo.ts"

it("local paths are accepted", () => {
  for (const path of [
    "/",
    "/mail",
    "/mail/inbox?folder=a%20b&x=1#top",
    "/@name",
    "/a//b",
    "/.well-known/x",
    "/?next=https://elsewhere.test"
  ]) {
    expect([path, isLocalPath(path)]).toEqual([path, true])
  }
})

it("every notation of another host is refused", () => {
  const foreign = [
    "",
    "mail",
    "//evil.test",
    "///evil.test",
    "/\\evil.test",
    "\\/evil.test",
    "\\\\evil.test",
    "/a\\b",
    "https://evil.test",
    "https:evil.test",
    "https:/evil.test",
    "javascript:alert(1)",
    " /mail",
    "/\t/evil.test",
    "/\n/evil.test",
    "/a\r\nset-cookie: x",
    "/\0",
    "/ /evil.test",
    "/.//evil.test",
    "/..//evil.test",
    "/a/..//evil.test",
    "/%2e//evil.test",
    "/\u2028",
    "/é",
    "/\u00a0",
    `/${"a".repeat(maxReturnTo)}`
  ]
  for (const path of foreign) expect([path, isLocalPath(path)]).toEqual([path, false])
})

it("every notation of a console page is recognised", () => {
  expect([isLocalPath(defaultReturnTo), consolePage(defaultReturnTo)]).toEqual([true, defaultReturnTo])
  const own = {
    "/console/": "/console/",
    "/console/runs?a=b#c": "/console/runs?a=b",
    "/x/../console/%2e/a": "/console/a"
  }
  for (const [path, page] of Object.entries(own)) expect([path, consolePage(path)]).toEqual([path, page])
  for (const path of [
    "/",
    "/mail",
    "/consoles/",
    "/console",
    "/a/console/",
    "/console/../docs",
    "/console/%2e%2e/docs",
    "/Console/"
  ]) {
    expect([path, consolePage(path)]).toEqual([path, undefined])
  }
})

it("an accepted path never leaves the host", () => {
  const pieces = fc.array(
    fc.constantFrom("/", "\\", ".", "..", "%2e", "@", ":", "evil.test", "?", "#", "\t", "\n", " ", "a", "https:"),
    { maxLength: 8 }
  )
  fc.assert(
    fc.property(pieces, (parts) => {
      const path = `/${parts.join("")}`
      if (!isLocalPath(path)) return
      const once = new URL(path, "https://own.test")
      expect(once.origin).toBe("https://own.test")
      // The same when the browser's address is resolved a second time.
      expect(new URL(once.pathname + once.search + once.hash, "https://own.test").origin).toBe("https://own.test")
    }),
    { numRuns: 3000 }
  )
})
