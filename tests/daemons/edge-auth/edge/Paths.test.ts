import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formsOf, isBelow } from "#daemons/edge-auth/edge/Paths.ts"
import { make, type Role } from "#daemons/edge-auth/edge/RouteIndex.ts"

const protectedBy = (path: string, role: Role = "user") => {
  const routes = make()
  routes.put({ id: 1, host: "a.example", path, required_role: role, enabled: true })
  return (target: string) => routes.roleFor("a.example", target)
}

describe("paths", () => {
  it.each([
    "/admin",
    "/admin/",
    "/admin/x",
    "//admin",
    "/./admin",
    "/public/../admin",
    "/ADMIN",
    "/%61dmin",
    "/%2561dmin",
    "/admin%2fx",
    "/admin%2Fx",
    "/%2e/admin",
    "/public/%2e%2e/admin",
    "/public%2f..%2fadmin",
    "/admin;v=1/x",
    "/x;/../admin",
    "\\admin",
    "/\\admin",
    "/public\\..\\admin",
    "/admin?x=/public",
    "/admin#/public",
    "/public/..;/admin",
    "/%5cadmin",
    "/%252561dmin/x",
    "/%2525252561dmin/../admin",
    "/a%zz/../admin",
    "/public/..%5cadmin",
    "admin",
    "/admin%3fx",
    "/x/../admin%23/../public",
    "/admin%00",
    "/admin%2500.png",
    "/admin%20",
    "/admin.",
    "/admin%2e%20/x",
    "/public/..%20/admin",
    "/;a/admin;b",
    "/\\;a/admin",
    `/${"x/../".repeat(2_000)}admin`
  ])("%s is below /admin", (target) => {
    expect(protectedBy("/admin")(target)).toBe("user")
  })

  it.each([
    "/",
    "/administrator",
    "/public/admin",
    "/admin-x",
    "/x?/admin",
    "/x#/admin",
    "/public",
    "/adm%69nistrator",
    "/admin.png",
    "/x%3f/admin",
    "/x.",
    `/${"x".repeat(8_000)}`,
    `/?${"x".repeat(9_000)}`
  ])("%s is not below /admin", (target) => {
    expect(protectedBy("/admin")(target)).toBeUndefined()
  })

  it("that are ambiguous or too long need the strictest role of the host", () => {
    expect(protectedBy("/admin")(`/${"%78".repeat(3_000)}`)).toBe("user")
    expect(protectedBy("/admin", "admin")(`/${"%78".repeat(3_000)}?y`)).toBe("admin")
    expect(protectedBy("/admin")(`/${"x".repeat(9_000)}`)).toBeUndefined()
  })

  it("are below a prefix by whole segments", () => {
    expect(isBelow("/a/b", "/a")).toBe(true)
    expect(isBelow("/ab", "/a")).toBe(false)
    expect(isBelow("/anything", "/")).toBe(true)
  })

  it("have every form that decoding, folding and case can produce", () => {
    const trick = fc.constantFrom(
      (path: string) => path.toUpperCase(),
      (path: string) => `/x/..${path}`,
      (path: string) => `/.${path}`,
      (path: string) => `/${path}`,
      (path: string) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      (path: string) => path.replaceAll("/", "\\"),
      (path: string) => `${path};a=b`,
      (path: string) => `${path}?q=/`
    )
    const route = fc
      .array(fc.stringMatching(/^[a-z0-9]{1,6}$/), { minLength: 1, maxLength: 3 })
      .map((segments) => `/${segments.join("/")}`)
    fc.assert(
      fc.property(route, fc.array(trick, { maxLength: 2 }), (path, tricks) => {
        expect(protectedBy(path)(tricks.reduce((target, apply) => apply(target), path))).toBe("user")
      })
    )
  })

  it("take time proportional to their length", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 200, unit: fc.constantFrom("%", "2", "5", "f", "e", "/", ".", ";", "\\", "a") }),
        (target) => {
          const forms = formsOf(target)
          expect(forms.length).toBeLessThan(130)
          for (const form of forms) expect(form.startsWith("/")).toBe(true)
        }
      )
    )
  })
})

describe("routes", () => {
  it("apply the longest prefix, and the strictest of several forms", () => {
    const routes = make()
    routes.put({ id: 1, host: "a.example", path: "/", required_role: "admin", enabled: true })
    routes.put({ id: 2, host: "a.example", path: "/shop", required_role: "user", enabled: true })
    expect(routes.roleFor("a.example", "/shop/1")).toBe("user")
    expect(routes.roleFor("a.example", "/other")).toBe("admin")
    expect(routes.roleFor("a.example", "/shop/../other")).toBe("admin")
    expect(routes.roleFor("b.example", "/other")).toBeUndefined()
    routes.put({ id: 3, host: "a.example", path: "/shop", required_role: "admin", enabled: true })
    expect(routes.roleFor("a.example", "/shop/1")).toBe("admin")
    routes.remove(3)
    routes.put({ id: 1, host: "a.example", path: "/", required_role: "admin", enabled: false })
    expect(routes.roleFor("a.example", "/other")).toBeUndefined()
    routes.remove(2)
    expect(routes.roleFor("a.example", "/shop")).toBeUndefined()
  })
})
