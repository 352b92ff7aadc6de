/** When an object is gone, its page links to a list. Each page of one object must have such a list. */
import { expect, it } from "vitest"
import { listOf } from "../../../console/lib/ListOf.ts"
import { consoleRoutes } from "../../../scripts/pictures/Routes.ts"

it("every page of one object has a list, which is a page itself", () => {
  const routes = consoleRoutes()
  const objects = routes.filter((route) => route.includes(":"))
  expect(objects.length).toBeGreaterThan(15)
  for (const route of objects) {
    const list = listOf(`/console${route.replaceAll(/:\w+/g, "1")}`)
    expect(list, route).toMatch(/^\/console\//)
    expect(routes, route).toContain(list!.slice("/console".length))
    expect(route.startsWith(list!.slice("/console".length)), route).toBe(true)
  }
})

it("pages that are no page of one object have none", () => {
  for (const path of ["/console/", "/console/alarms", "/console/bank", "/console/settings"])
    expect(listOf(path)).toBe(undefined)
})
