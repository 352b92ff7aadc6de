import { describe, expect, it } from "vitest"
import { HttpServerResponse } from "effect/http"
import { historyPage, perPage } from "#daemons/status-checker/publication/pages/HistoryPage.ts"
import { incidentPage, notFoundPage } from "#daemons/status-checker/publication/pages/IncidentPage.ts"
import type { Language } from "#core/words/Language.ts"
import * as Pages from "#daemons/status-checker/subscriptions/SubscriberPages.ts"
import type { SubscribeProblem } from "#daemons/status-checker/publication/pages/SubscribeForm.ts"
import { words } from "#daemons/status-checker/publication/pages/Words.ts"
import { attribute, flaws, read, textOf } from "../publication/pages/Dom.ts"
import { component, everything, incident, snapshot } from "../publication/pages/Shown.ts"

const both: ReadonlyArray<Language> = ["en", "de"]
const components = [component("a", "Eins", "One"), component("b", "Zwei", "Two")]

const opened = async (answer: HttpServerResponse.HttpServerResponse) => {
  const web = HttpServerResponse.toWeb(answer)
  return { status: web.status, headers: web.headers, ...read(await web.text()) }
}

const every = (language: Language) => ({
  subscribe: Pages.subscribePage({ language, components }),
  mailbox: Pages.mailboxPage({ language, email: "ann@example.org", hours: 48 }),
  confirm: Pages.confirmPage({ language, token: "t" }),
  confirmed: Pages.confirmedPage({ language }),
  unsubscribe: Pages.unsubscribePage({ language, token: "t" }),
  unsubscribed: Pages.unsubscribedPage({ language }),
  gone: Pages.linkGonePage({ language }),
  notConfigured: Pages.notConfiguredPage({ language }),
  incident: incidentPage(everything().incidents[0]!, everything().components, language),
  notFound: notFoundPage(language),
  history: historyPage(everything(), language, 1)
})

describe("every page", () => {
  it.each(both)("is complete and valid, in its language, and not cached (%s)", async (language) => {
    for (const [name, answer] of Object.entries(every(language))) {
      const page = await opened(answer)
      expect(flaws(page), name).toEqual([])
      expect(attribute(page.all("html")[0]!, "lang"), name).toBe(language)
      expect(page.headers.get("cache-control"), name).toBe("no-store")
      expect(page.headers.get("content-security-policy"), name).toContain("form-action 'self'")
      expect(page.headers.get("content-type"), name).toBe("text/html; charset=utf-8")
    }
  })

  it("has a status code for its outcome", async () => {
    const statuses = Object.fromEntries(
      await Promise.all(
        Object.entries(every("en")).map(async ([name, answer]) => [name, (await opened(answer)).status] as const)
      )
    )
    expect(statuses).toEqual({
      subscribe: 200,
      mailbox: 200,
      confirm: 200,
      confirmed: 200,
      unsubscribe: 200,
      unsubscribed: 200,
      gone: 410,
      notConfigured: 503,
      incident: 200,
      notFound: 404,
      history: 200
    })
  })

  it("has a different text in each language", () => {
    const said = (value: unknown): ReadonlyArray<string> =>
      typeof value === "string"
        ? [value]
        : typeof value === "object" && value !== null
          ? Object.values(value).flatMap(said)
          : []
    const [en, de] = [said(words("en")), said(words("de"))]
    expect(en).toHaveLength(de.length)
    expect(en.filter((text, at) => text === de[at])).toEqual([])
  })
})

describe("the separate form", () => {
  const typed = { email: `ann"><b>@example.org`, lang: "en" as const, components: ["b"] }
  const page = (problem?: SubscribeProblem) =>
    opened(Pages.subscribePage({ language: "de", components, typed, problem }))
  const input = (dom: Awaited<ReturnType<typeof page>>, name: string) =>
    dom.elements.filter((one) => attribute(one, "name") === name)

  it("keeps the input, and shows the fault at its field", async () => {
    for (const field of ["email", "lang", "components"] as const) {
      const dom = await page(field)
      expect(dom.status).toBe(422)
      expect(flaws(dom)).toEqual([])
      expect(attribute(input(dom, "email")[0]!, "value")).toBe(typed.email)
      expect(
        input(dom, "components").map((one) => [attribute(one, "value"), attribute(one, "checked") !== undefined])
      ).toEqual([
        ["a", false],
        ["b", true]
      ])
      expect(
        dom
          .all("option")
          .filter((one) => attribute(one, "selected") !== undefined)
          .map((one) => attribute(one, "value"))
      ).toEqual(["en"])
      const told = dom.elements.filter((one) => attribute(one, "role") === "alert")
      expect(told.map(textOf)).toEqual([words("de").problem[field]])
      const wrong = dom.elements.filter((one) => attribute(one, "aria-invalid") === "true")
      expect(wrong.map((one) => [attribute(one, "name"), attribute(one, "aria-describedby")])).toEqual(
        field === "components" ? [] : [[field, attribute(told[0]!, "id")]]
      )
      expect(attribute(dom.all("details")[0]!, "open")).toBeDefined()
    }
  })

  it("shows above the fields why it was refused", async () => {
    const [many, away] = [await page("too_many"), await page("unavailable")]
    expect([many.status, away.status]).toEqual([429, 503])
    expect(textOf(many.all("p", "error")[0]!)).toBe(words("de").problem.too_many)
    expect(textOf(away.all("p", "error")[0]!)).toBe(words("de").problem.unavailable)
  })
})

describe("a link in a mail", () => {
  it("opens a page with one button that posts to the same address, in the chosen language", async () => {
    const token = 'a+b/&="<'
    for (const [path, make] of [
      ["/subscribe/confirm", Pages.confirmPage],
      ["/unsubscribe", Pages.unsubscribePage]
    ] as const) {
      const dom = await opened(make({ language: "de", token }))
      const [form] = dom.all("form")
      expect(attribute(form!, "method")).toBe("post")
      expect(dom.all("button")).toHaveLength(1)
      const target = new URL(attribute(form!, "action")!, "http://status.invalid")
      expect([target.pathname, target.searchParams.get("token"), target.searchParams.get("lang")]).toEqual([
        path,
        token,
        "de"
      ])
      const english = dom.all("a").find((one) => attribute(one, "hreflang") === "en")!
      expect(new URL(attribute(english, "href")!, "http://status.invalid").searchParams.get("token")).toBe(token)
    }
  })

  it("shows a hostile address as text", async () => {
    const dom = await opened(Pages.mailboxPage({ language: "en", email: "<script>alert(1)</script>@x", hours: 1 }))
    expect(flaws(dom)).toEqual([])
    expect(dom.text).toContain("to <script>alert(1)</script>@x.")
    expect(dom.text).toContain("valid for 1 hour.")
  })
})

describe("incidents", () => {
  it("have a page with all updates, newest first", async () => {
    const dom = await opened(incidentPage(everything().incidents[0]!, everything().components, "de"))
    expect(textOf(dom.all("h1")[0]!)).toBe("Postfächer nicht erreichbar")
    const english = await opened(incidentPage(everything().incidents[0]!, everything().components, "en"))
    expect(textOf(english.all("h1")[0]!)).toBe("Mailboxes unreachable")
    expect(english.text).toContain("Affects: Mailboxes (IMAP)")
    expect(english.text).toContain("No mail is lost.")
    expect(
      dom
        .all("ol", "timeline")[0]!
        .childNodes.map(textOf)
        .map((text) => text.slice(0, 16))
    ).toEqual(["Ursache gefunden", "Wird untersucht "])
    expect(dom.text).toContain("Betrifft: Postfächer (IMAP)")
    expect(dom.all("nav")[0]!.childNodes.map((one) => ("attrs" in one ? attribute(one, "href") : ""))).toEqual([
      "/incidents/imap-2026-11-22?lang=en",
      "/incidents/imap-2026-11-22?lang=de"
    ])
  })

  it("are listed in pages, without an empty last page", async () => {
    const shown = snapshot([], {
      incidents: Array.from({ length: perPage * 2 + 1 }, (_, index) => incident(`i${index}`, `T${index}`, `T${index}`))
    })
    const at = async (page: number) => {
      const { all } = await opened(historyPage(shown, "en", page))
      return {
        first: textOf(all("h2")[0]!),
        count: all("article").length,
        pager: all("nav", "pager").map(textOf),
        links: all("a").flatMap((one) => attribute(one, "rel") ?? [])
      }
    }
    expect(await at(1)).toEqual({ first: "T0", count: perPage, pager: ["Page 1 of 3Older"], links: ["next"] })
    expect(await at(2)).toEqual({
      first: `T${perPage}`,
      count: perPage,
      pager: ["NewerPage 2 of 3Older"],
      links: ["prev", "next"]
    })
    expect(await at(3)).toEqual({ first: `T${perPage * 2}`, count: 1, pager: ["NewerPage 3 of 3"], links: ["prev"] })
    expect(await at(999_999)).toEqual(await at(3))
    expect(await at(0)).toEqual(await at(1))
    expect((await opened(historyPage(snapshot([]), "en", 1))).text).toContain(words("en").noIncidents)
  })
})
