import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { expect, it } from "vitest"
import { Authentication } from "#core/auth/Authentication.ts"
import { routesOf } from "#core/daemon/Routes.ts"
import * as Api from "#core/http/Api.ts"

const get = (path: `/${string}`) => HttpApiEndpoint.get(`get ${path}`, path, { success: Schema.String })
type Paths = readonly [`/${string}`, ...ReadonlyArray<`/${string}`>]
const group = (name: string, ...[first, ...more]: Paths) => HttpApiGroup.make(name).add(get(first), ...more.map(get))
const open = (name: string, ...paths: Paths) => Api.make("api").add(group(name, ...paths))
const closed = (name: string, ...paths: Paths) => Api.make("api").add(group(name, ...paths).middleware(Authentication))

it("takes the longest common path of a group, up to the first parameter", () => {
  expect(routesOf([closed("things", "/api/v1/things", "/api/v1/things/:id/parts")], [])).toEqual([
    { prefix: "/api/v1/things", authenticated: true }
  ])
})

it("takes every path of a group that has no area of its own", () => {
  expect(routesOf([open("files", "/.well-known/a.json", "/b/c.xml")], [])).toEqual([
    { prefix: "/.well-known/a.json" },
    { prefix: "/b/c.xml" }
  ])
})

it("leaves a prefix open when any endpoint below it is open", () => {
  const apis = [closed("me", "/api/v1/auth/me", "/api/v1/auth/logout"), open("login", "/api/v1/auth/login")]
  expect(routesOf(apis, [])).toEqual([{ prefix: "/api/v1/auth" }])
})

it("keeps a closed area below an open one, and drops a prefix equal to its parent", () => {
  const apis = [
    open("login", "/api/v1/auth/login", "/api/v1/auth/token"),
    closed("linked", "/api/v1/auth/linked/:id"),
    open("refresh", "/api/v1/auth/refresh")
  ]
  expect(routesOf(apis, [])).toEqual([
    { prefix: "/api/v1/auth" },
    { prefix: "/api/v1/auth/linked", authenticated: true }
  ])
})

it("prefers the declaration of a feature", () => {
  const declared = [{ prefix: "/api/v1/files", authenticated: true, maxBody: 5 }, { prefix: "/socket" }]
  expect(routesOf([closed("files", "/api/v1/files")], declared)).toEqual(declared)
})
