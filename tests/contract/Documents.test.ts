/** What the documents name beside endpoints: variables, events and limits; and whether the tables are complete. */
import { assert, describe, it } from "@effect/vitest"
import type { Schema } from "effect"
import { eventAudiences } from "#core/contracts/EventAccess.ts"
import { daemons } from "#daemons/Suite.ts"
import * as Calls from "#core/contracts/Calls.ts"
import * as Files from "#core/contracts/Files.ts"
import * as Mail from "#core/contracts/Mail.ts"
import * as Notifications from "#core/contracts/Notifications.ts"
import * as Provisioning from "#core/contracts/Provisioning.ts"
import * as Support from "#core/contracts/Support.ts"
import * as WakeWord from "#core/contracts/WakeWord.ts"
import { undeclared } from "./DocumentRows.ts"
import { additions } from "./documents/Additions.ts"
import { documentedEvents } from "./documents/EventRows.ts"
import { limits } from "./documents/Limits.ts"
import { rows } from "./documents/Rows.ts"
import { variables } from "./documents/Variables.ts"
import { endpoints } from "./Installation.ts"

/** The endpoint without the names of its parameters, which differ between the documents and the code. */
const shape = (endpoint: string) => endpoint.replace(/\{\w+\}|:\w+/g, "*").replace(/\/$/, "")

const listed = Object.values(additions).flatMap((lines) =>
  lines
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [, methods, path] = /^([A-Z, ]+) (\/.*)$/.exec(line.trim())!
      return methods!.split(", ").map((method) => shape(`${method} ${path}`))
    })
)

/** Fields of a struct, nested ones as `message.uid`. */
const fieldsOf = (schema: Schema.Top): ReadonlyArray<string> =>
  "fields" in schema
    ? Object.entries(schema.fields as Readonly<Record<string, Schema.Top>>).flatMap(([name, inner]) => [
        name,
        ...fieldsOf(inner).map((below) => `${name}.${below}`)
      ])
    : []

const contracts = new Map(
  [Calls, Files, Mail, Notifications, Provisioning, Support, WakeWord]
    .flatMap((module) => Object.values(module) as ReadonlyArray<unknown>)
    .filter(
      (value): value is { readonly type: string; readonly data: Schema.Top } =>
        typeof value === "object" && value !== null && "type" in value && "data" in value
    )
    .map(({ data, type }) => [type, data] as const)
)

describe("the interface documents", () => {
  it("name only endpoints that exist, and every other endpoint is listed as our addition", () => {
    assert.deepStrictEqual(undeclared, [])
    const documented = new Set(rows.map(({ endpoint }) => shape(endpoint)))
    assert.deepStrictEqual(
      endpoints.map(({ name }) => shape(name)).filter((name) => !documented.has(name) && !listed.includes(name)),
      []
    )
    const existing = new Set(endpoints.map(({ name }) => shape(name)))
    assert.deepStrictEqual(
      listed.filter((name, at) => !existing.has(name) || listed.indexOf(name) !== at),
      []
    )
  })

  it.each(variables)("$section: variable $name", ({ daemon, default: shown, name, ours }) => {
    const setting = daemons.find((each) => each.name === daemon)!.settings[ours ?? name]
    assert.isDefined(setting)
    assert.include([shown ?? "unset", shown ?? "empty"], setting!.fallback?.shown)
  })

  it.each(documentedEvents)("$section: event $type with its fields", ({ data, type }) => {
    assert.isDefined(eventAudiences[type])
    const fields = fieldsOf(contracts.get(type)!)
    assert.deepStrictEqual(
      data.filter((name) => !fields.includes(name)),
      []
    )
  })

  it.each(limits)("%s: %s", (_section, _limit, documented, ours) => assert.strictEqual(ours, documented))
})
