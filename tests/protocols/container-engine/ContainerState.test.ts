/** Answers captured from Podman 4.3.1; captured/README.md describes the capture. */
import fc from "fast-check"
import { readFileSync } from "node:fs"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { readInspection } from "#protocols/container-engine/ContainerState.ts"

const captured = (name: string) => readFileSync(new URL(`captured/${name}.json`, import.meta.url), "utf8")
const changed = (name: string, state: Readonly<Record<string, unknown>>) => {
  const answer = JSON.parse(captured(name)) as { State: Record<string, unknown> }
  return JSON.stringify({ ...answer, State: { ...answer.State, ...state } })
}
const failure = (status: number, body: string) =>
  Result.match(readInspection(status, body), { onSuccess: () => undefined, onFailure: (reason) => reason })
const success = (body: string) =>
  Result.match(readInspection(200, body), { onSuccess: (state) => state, onFailure: () => undefined })

describe("an answer of the engine", () => {
  it.each([
    ["healthy", { status: "running", running: true, health: "healthy", exitCode: 0, oomKilled: false }],
    ["unhealthy", { status: "running", running: true, health: "unhealthy", exitCode: 0, oomKilled: false }],
    ["starting", { status: "running", running: true, health: "starting", exitCode: 0, oomKilled: false }],
    ["unchecked", { status: "running", running: true, health: "none", exitCode: 0, oomKilled: false }],
    ["exited", { status: "exited", running: false, health: "healthy", exitCode: 137, oomKilled: false }],
    ["failed", { status: "exited", running: false, health: "none", exitCode: 3, oomKilled: false }],
    ["created", { status: "created", running: false, health: "none", exitCode: 0, oomKilled: false }]
  ])("%s", (name, state) => {
    expect(success(captured(name))).toEqual(state)
  })

  it("may leave out the health, as Docker does without a check", () => {
    expect(success(changed("healthy", { Health: undefined }))).toMatchObject({ health: "none" })
    expect(success(changed("healthy", { Health: null, OOMKilled: true }))).toMatchObject({
      health: "none",
      oomKilled: true
    })
  })

  it("keeps nothing but the state: the environment may hold secrets", () => {
    expect(Object.keys(success(captured("healthy")) ?? {})).toEqual([
      "status",
      "running",
      "health",
      "exitCode",
      "oomKilled"
    ])
  })

  it("tells a container that is not there from a server that is no engine", () => {
    expect(failure(404, captured("missing"))).toEqual({ _tag: "NoSuchContainer" })
    expect(failure(404, `{"message":"No such container: web"}`)).toEqual({ _tag: "NoSuchContainer" })
    expect(failure(404, "404 page not found")).toMatchObject({ _tag: "BadAnswer" })
    expect(failure(404, `{"message":"page not found"}`)).toMatchObject({ _tag: "BadAnswer" })
  })

  it("that cannot be read is no state", () => {
    expect(failure(500, captured("healthy"))).toEqual({ _tag: "Refused", status: 500 })
    for (const body of [
      "",
      "{}",
      "[]",
      "null",
      `{"State":null}`,
      `{"State":{"Status":"running"}}`,
      captured("healthy").slice(0, 400)
    ]) {
      expect(failure(200, body), body).toMatchObject({ _tag: "BadAnswer" })
    }
    expect(failure(200, changed("healthy", { Running: "yes" }))).toMatchObject({ _tag: "BadAnswer" })
    expect(failure(200, changed("healthy", { Health: { Status: "splendid" } }))).toMatchObject({ _tag: "BadAnswer" })
  })

  it("never breaks the reader", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 0, max: 999 }), fc.constant(200)),
        fc.oneof(fc.string(), fc.json()),
        (status, body) => {
          expect(Result.isFailure(readInspection(status, body))).toBe(true)
        }
      )
    )
  })
})
