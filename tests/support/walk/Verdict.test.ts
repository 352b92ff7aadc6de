import { describe, it } from "@effect/vitest"
import { expect } from "vitest"
import type { BadInput } from "./BadInput.ts"
import { verdict } from "./Verdict.ts"
import type { Reply } from "./Wire.ts"

const wire = { method: "POST", path: "/", headers: {} }
const input: BadInput = { name: "body.name: NUL", field: "payload.list[0].name", wire }
const reply = (
  status: number,
  json: unknown,
  headers: Record<string, string> = { "content-type": "application/problem+json" }
): Reply => ({ status, headers, json, text: JSON.stringify(json) })
const invalid = (...fields: ReadonlyArray<string>) =>
  reply(422, { status: 422, code: "invalid_request", errors: fields.map((field) => ({ field, message: "is wrong" })) })
const refused = (status: number) => reply(status, { status, code: "refused" })
const own = { input: "body.name: NUL", why: "RFC 7662" }

describe("the verdict on an answer to wrong input", () => {
  it.each<readonly [string, Reply, Partial<BadInput>]>([
    ["422 that names the field", invalid("payload.list[0].name"), {}],
    ["422 that names the list around it", invalid("payload.list"), {}],
    ["422 that names something in it", invalid("payload.other", "payload.list[0].name.first"), {}],
    ["400", refused(400), {}],
    [
      "405 with its methods",
      reply(405, { status: 405, code: "no" }, { "content-type": "application/problem+json", allow: "GET" }),
      { status: 405 }
    ]
  ])("%s will do", (_, answer, more) => expect(verdict({ ...input, ...more }, answer, undefined, 200)).toBeUndefined())

  it.each<readonly [string, Reply, Partial<BadInput>, RegExp]>([
    ["success", reply(200, {}), {}, /^is answered 200/],
    ["a broken server", refused(500), {}, /not 4xx$/],
    [
      "no answer",
      { status: 0, headers: {}, text: "no answer: ECONNRESET", json: undefined },
      {},
      /no answer: ECONNRESET, not 4xx/
    ],
    ["another status than the only one", refused(400), { status: 413 }, /not 413$/],
    [
      "plain JSON",
      reply(400, { status: 400, code: "x" }, { "content-type": "application/json" }),
      {},
      /^is answered as application\/json/
    ],
    ["a problem without a code", reply(400, { status: 400 }), {}, /^is no problem with a code/],
    ["a problem of another status", reply(400, { status: 404, code: "x" }), {}, /^is no problem with a code/],
    ["422 without fields", reply(422, { status: 422, code: "x" }), {}, /^names no field/],
    [
      "422 that names another field",
      invalid("payload.list[0].names"),
      {},
      /not payload.list\[0\].name$/.source === "" ? /x/ : /^names payload/
    ],
    ["405 without its methods", refused(405), { status: 405 }, /^says no allow/],
    ["a stack", reply(400, { status: 400, code: "x", detail: "at run (/srv/a.js:1:2)" }), {}, /^tells of the inside/],
    ["a statement", reply(400, { status: 400, code: "x", detail: "select id from users" }), {}, /^tells of the inside/],
    [
      "an echo of everything",
      reply(400, { status: 400, code: "x", detail: "y".repeat(70_000) }),
      {},
      /^is answered with 70/
    ]
  ])("%s will not", (_, answer, more, says) =>
    expect(verdict({ ...input, ...more }, answer, undefined, 200)).toMatch(says)
  )

  it("holds an exception to its words", () => {
    const inactive = reply(200, { active: false }, { "content-type": "application/json" })
    expect(verdict(input, inactive, { ...own, body: { active: false } }, 200)).toBeUndefined()
    expect(verdict(input, inactive, { ...own, body: { active: false, why: "expired" } }, 200)).toMatch(/RFC 7662/)
    expect(verdict(input, inactive, { ...own, status: 400 }, 200)).toMatch(/not 400/)
    expect(verdict(input, refused(409), { ...own, status: 409, code: "refused" }, 200)).toBeUndefined()
    expect(verdict(input, refused(409), { ...own, status: 409, code: "taken" }, 200)).toMatch(/not taken/)
  })
})
