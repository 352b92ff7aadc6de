/** The list of pictures: every page of the console is in it. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { contactSheet } from "../../scripts/pictures/ContactSheet.ts"
import { routesWithExample } from "../../scripts/pictures/DemoData.ts"
import { consoleRoutes } from "../../scripts/pictures/Routes.ts"
import { consoleSubjects, withoutExample } from "../../scripts/pictures/Shots.ts"

let routes: ReadonlyArray<string>
beforeAll(async () => {
  // The routes are a module of the browser.
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined })
  vi.stubGlobal("document", { documentElement: { dataset: {} }, addEventListener: () => undefined })
  vi.stubGlobal("location", { origin: "http://localhost", pathname: "/", hash: "", protocol: "http:" })
  // A variable keeps the types of the console, which need other compiler settings, out of the tests.
  const source = "../../console/app/Pages.ts"
  const { pages } = (await import(source)) as { readonly pages: ReadonlyArray<{ readonly path: string }> }
  routes = pages.map(({ path }) => path)
})
afterAll(() => void vi.unstubAllGlobals())

describe("the list of pictures", () => {
  it("has every route of the console", () => {
    expect([...consoleRoutes()].toSorted()).toEqual([...routes].toSorted())
  })

  it("has a page of its own for each route, empty and with data", () => {
    for (const state of ["empty", "data"] as const) {
      const names = consoleSubjects(routes, state).map(({ name }) => name)
      expect(names.length).toBe(routes.length)
      expect(new Set(names).size).toBe(routes.length)
    }
  })

  it("knows an object for each route with a parameter, or why there is none", () => {
    const known = [...routesWithExample, ...Object.keys(withoutExample)]
    expect(known.toSorted()).toEqual(routes.filter((route) => route.includes(":")).toSorted())
  })

  it("fills in the parameters", () => {
    const routes = ["/mail/:folder", "/mail/:folder/:uid", "/alarms/:id"]
    const examples = { "/mail/:folder/:uid": ["INBOX", 2], "/alarms/:id": "a b" }
    expect(consoleSubjects(routes, "data", examples).map(({ address }) => address)).toEqual([
      "/console/mail/1",
      "/console/mail/INBOX/2",
      "/console/alarms/a%20b"
    ])
  })
})

describe("the contact sheet", () => {
  it("links each small picture to its full one, by page", () => {
    const html = contactSheet(["alarms.data.en.light.390", "alarms.data.de.dark.1440", "bank.empty.en.light.390"])
    expect(html.match(/<section /g)?.length).toBe(2)
    expect(html).toContain('<a href="full/alarms.data.de.dark.1440.jpg"><img src="small/alarms.data.de.dark.1440.jpg"')
  })
})
