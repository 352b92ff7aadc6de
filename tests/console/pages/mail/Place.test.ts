import { describe, expect, it } from "vitest"
import { exec } from "preact-iso/router"
import { composeHref, listHref, messageHref, placeOf } from "../../../../console/pages/mail/Place.ts"

const back = (href: string) => {
  const url = new URL(href, "http://x.test")
  return {
    url,
    query: Object.fromEntries(url.searchParams),
    found: exec(url.pathname, "/console/mail/:folder/:uid?", {} as never) as
      | { params: Record<string, string> }
      | undefined
  }
}

describe("addresses of the mail pages", () => {
  it("lead back to the same place, whatever a folder is called", () => {
    for (const folder of ["INBOX", "Archive/2026", "a b?c#d%e&f", "Entwürfe", "compose", "50%"]) {
      const place = { account: "12", folder, page: 3, words: "a & b", view: "unseen" as const }
      const { found, query, url } = back(messageHref(place, 7))
      expect([found?.params["folder"], found?.params["uid"]], folder).toEqual([folder, "7"])
      expect(placeOf(found?.params["folder"], query)).toEqual(place)
      // A folder address must never match the page for a new mail.
      expect(exec(url.pathname, "/console/mail/compose", {} as never)).toBeUndefined()
      const list = back(listHref(place))
      expect(exec(list.url.pathname, "/console/mail/compose", {} as never)).toBeUndefined()
      expect(placeOf(list.found?.params["folder"], list.query)).toEqual(place)
    }
    expect([
      listHref({}),
      listHref({ account: "3" }),
      listHref({ folder: "INBOX" }),
      composeHref("3", { to: "a@b" })
    ]).toEqual([
      "/console/mail",
      "/console/mail?account=3",
      "/console/mail/INBOX",
      "/console/mail/compose?account=3&to=a%40b"
    ])
  })

  it("take what is written wrongly for the inbox's beginning", () => {
    expect(placeOf(undefined, { account: "x' or 1", page: "-1", view: "none" })).toEqual({
      account: undefined,
      folder: "INBOX",
      page: 1,
      words: "",
      view: "all"
    })
  })
})
