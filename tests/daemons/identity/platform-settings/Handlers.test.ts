import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { type Management, managementSuite } from "../ManagementSuite.ts"

class Suite extends Context.Service<Suite, Management>()("test/Suite") {
  static readonly layer = Layer.effect(
    Suite,
    managementSuite({
      daemons: [identity],
      // The other daemons of the installation run elsewhere; their settings are known here.
      fleet: [identity, commDispatcher],
      env: { SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "10.0.0.0/8" }
    })
  )
}

const path = "settings/platform"
const senders = "SIGNALBOX_ALARM_ALLOWED_SENDERS"

layer(Suite.layer, { excludeTestServices: true })("settings of the installation", (it) => {
  it.effect("are listed with titles in both languages, and where their values come from", () =>
    Effect.gen(function* () {
      const { as, somebody } = yield* Suite
      const { json, status } = yield* as(yield* somebody(1, "admin"), "GET", path)
      expect(status).toBe(200)
      const of = (name: string) => json.items.find((item: { name: string }) => item.name === name)
      expect(of(senders)).toMatchObject({
        group: "alarms",
        title: { en: "Allowed senders", de: "Erlaubte Absender" },
        source: "default",
        locked: false,
        value: null,
        default: "empty",
        changed_by: null
      })
      expect(of("SIGNALBOX_WEBHOOK_ALLOW_CIDRS")).toMatchObject({
        source: "environment",
        locked: true,
        value: "10.0.0.0/8"
      })
      for (const { title } of json.items) expect([title.en, title.de].every((text) => text.length > 3)).toBe(true)
    })
  )

  it.effect("are stored, removed and audited", () =>
    Effect.gen(function* () {
      const { as, audited, somebody } = yield* Suite
      const anna = yield* somebody(1, "admin")
      const put = (value: unknown, name = senders) => as(anna, "PUT", `${path}/${name}`, { value })
      expect(yield* put("boss@example.org")).toMatchObject({
        status: 200,
        json: { name: senders, source: "database", value: "boss@example.org", changed_by: `user:${anna.id}` }
      })
      expect(yield* put("nobody")).toMatchObject({
        status: 422,
        json: {
          code: "invalid_request",
          errors: [{ field: "payload.value", message: expect.stringContaining("nobody") }]
        }
      })
      expect(yield* put("10.0.0.0/8", "SIGNALBOX_WEBHOOK_ALLOW_CIDRS")).toMatchObject({
        status: 409,
        json: { code: "setting_locked", setting: "SIGNALBOX_WEBHOOK_ALLOW_CIDRS" }
      })
      for (const name of ["SIGNALBOX_DATA_DIR", "PATH", "x", "%00"]) expect((yield* put("1", name)).status).toBe(404)
      expect(yield* put(null)).toMatchObject({ status: 200, json: { source: "default", value: null } })
      expect((yield* audited("setting.changed")).at(-1)).toMatchObject({
        tenant_id: 1,
        actor: `user:${anna.id}`,
        entity_id: senders,
        detail: { from: null, to: "boss@example.org" }
      })
      expect((yield* audited("setting.removed")).length).toBe(1)
    })
  )

  it.effect("are only for the provider's users with settings.manage, and for platform tokens", () =>
    Effect.gen(function* () {
      const { as, program, somebody, tenant } = yield* Suite
      const elsewhere = yield* tenant()
      for (const who of [
        yield* somebody(elsewhere, "admin"),
        yield* somebody(elsewhere, "reseller"),
        yield* somebody(1, "user"),
        yield* somebody(1, "support"),
        yield* program("users.read")
      ]) {
        expect((yield* as(who, "GET", path)).status).toBe(403)
        expect((yield* as(who, "PUT", `${path}/${senders}`, { value: "eve@example.org" })).status).toBe(403)
      }
      expect((yield* as(yield* program("settings.manage"), "GET", path)).status).toBe(200)
      expect((yield* as(yield* program("platform"), "GET", path)).status).toBe(200)
    })
  )
})
