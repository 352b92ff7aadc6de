/** The set-up list: steps are done by settings or by marks, may be skipped, and are for the provider only. */
import { assert, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { StepMark } from "#core/setup/SetupSteps.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { listOf, steps } from "#daemons/identity/setup/Steps.ts"
import { daemons } from "#daemons/Suite.ts"
import { storedAmong } from "#core/settings/StoredSetting.ts"
import { managementSuite } from "../ManagementSuite.ts"

const path = "settings/setup"

describe("the set-up list", () => {
  const stateOf = (name: string, given: ReadonlyArray<string>, marks: ReadonlyArray<Partial<StepMark>> = []) =>
    listOf({
      given: new Set(given),
      marks: new Map(marks.map((mark) => [mark.name!, mark as StepMark])),
      protectedAccount: false
    }).find((step) => step.name === name)?.state

  it("is done by the settings of one alternative or by a mark; a skipped step with its setting is done", () => {
    expect(stateOf("alarms", [])).toBe("open")
    expect(stateOf("alarms", ["SIGNALBOX_ALARM_ALLOWED_DOMAINS"])).toBe("done")
    expect(stateOf("switch", ["SIGNALBOX_SWITCH_HOST"])).toBe("open")
    expect(stateOf("switch", ["SIGNALBOX_SWITCH_HOST", "SIGNALBOX_SWITCH_PASSWORD"])).toBe("done")
    expect(stateOf("switch", [], [{ name: "switch", state: "skipped" }])).toBe("skipped")
    expect(stateOf("messenger", ["SIGNALBOX_MESSENGER_TOKEN"], [{ name: "messenger", state: "skipped" }])).toBe("done")
    expect(stateOf("test-alarm", [], [{ name: "test-alarm", state: "done" }])).toBe("done")
    expect(stateOf("account", [])).toBe("open")
  })

  it("names only stored settings of the group whose form it opens", () => {
    const declared = new Map(
      storedAmong(daemons.map((daemon) => daemon.settings)).map((setting) => [setting.name, setting])
    )
    for (const { group, name, needs, page } of steps) {
      expect(group !== undefined || page !== undefined, name).toBe(true)
      for (const setting of needs.flat()) expect(declared.get(setting), `${name}: ${setting}`).toBeDefined()
      if (group !== undefined)
        expect(
          needs.flat().some((setting) => declared.get(setting)!.shown.group === group),
          name
        ).toBe(true)
    }
  })
})

it.live(
  "is kept by the API, for the provider's users with settings.manage",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { as, audited, program, somebody, tenant } = yield* managementSuite({
          daemons: [identity],
          fleet: daemons,
          env: { SIGNALBOX_ALARM_ALLOWED_DOMAINS: "example.org" }
        })
        const anna = yield* somebody(1, "admin")
        const state = (name: string) =>
          Effect.map(as(anna, "GET", path), ({ json }) =>
            json.items.find((step: { readonly name: string }) => step.name === name)
          )
        assert.deepInclude(yield* state("alarms"), { state: "done" })
        assert.deepInclude(yield* state("account"), { state: "open" })
        assert.deepInclude(yield* state("branding"), { state: "open", group: "branding", optional: true })
        const { json } = yield* as(anna, "PUT", "settings/platform/SIGNALBOX_BRAND_NAME", { value: "Example" })
        assert.strictEqual(json.source, "database")
        assert.deepInclude(yield* state("branding"), { state: "done" })
        const skipped = yield* as(anna, "PUT", `${path}/switch`, { skipped: true })
        assert.deepInclude(skipped.json, { name: "switch", state: "skipped" })
        assert.deepInclude((yield* as(anna, "PUT", `${path}/switch`, { skipped: false })).json, { state: "open" })
        assert.lengthOf(yield* audited("setup.skipped"), 1)
        for (const name of ["x", "%00", "__proto__"])
          assert.strictEqual((yield* as(anna, "PUT", `${path}/${name}`, { skipped: true })).status, 404)
        // A program has no account to protect.
        const listed = yield* as(yield* program("settings.manage"), "GET", path)
        assert.isUndefined(listed.json.items.find((step: { readonly name: string }) => step.name === "account"))
        for (const who of [yield* somebody(yield* tenant(), "admin"), yield* somebody(1, "user")]) {
          assert.strictEqual((yield* as(who, "GET", path)).status, 403)
          assert.strictEqual((yield* as(who, "PUT", `${path}/switch`, { skipped: true })).status, 403)
        }
        // Everybody may read the name.
        assert.deepInclude((yield* as({ token: "" }, "GET", "branding")).json, { name: "Example", logo: null })
      })
    ),
  120_000
)
