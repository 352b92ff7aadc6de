import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { actions, as, callsOf, startTelephony } from "../../Telephony.ts"

it.live(
  "an extension is made, changed, given a new password and deleted, and its password is shown by its config alone",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startTelephony({
          env: { SIGNALBOX_SIP_TLS_PORT: "5067", SIGNALBOX_SIP_HOST: "switch.a.test" }
        })
        const { extension, get, post, put, remove } = callsOf(suite, as(7))
        const made = yield* extension("1015", { user_id: 70, domain: "Voice.A.test" })
        const { id } = made
        expect(made).toEqual({
          id,
          tenant_id: 7,
          extension: "1015",
          name: "Ann",
          domain: "voice.a.test",
          domain_state: "proven",
          user_id: 70,
          enabled: true,
          kind: "line",
          warnings: [expect.stringContaining("1000–1099")],
          created_at: expect.any(String),
          updated_at: expect.any(String)
        })
        const config = yield* get(`extensions/${id}/config`)
        expect(config.headers.get("cache-control")).toBe("no-store")
        expect(config.json).toEqual({
          extension_id: id,
          extension: "1015",
          display_name: "Ann",
          enabled: true,
          domain: "voice.a.test",
          realm: "voice.a.test",
          username: "1015",
          password: expect.stringMatching(/^[A-HJ-NP-Za-km-z2-9]{24}$/),
          transports: [
            { transport: "udp", host: "switch.a.test", port: 5060, srtp: "off" },
            { transport: "tls", host: "switch.a.test", port: 5067, srtp: "optional" },
            { transport: "wss", host: "switch.a.test", port: 7443, srtp: "mandatory" }
          ],
          wss_url: "wss://switch.a.test:7443",
          wss_url_443: "wss://voice.a.test/sip",
          codecs: ["opus", "PCMA", "PCMU"],
          ice_gathering_timeout: 5,
          stun_servers: []
        })
        const { password } = config.json
        expect((yield* post(`extensions/${id}/password`)).status).toBe(200)
        const second = (yield* get(`extensions/${id}/config`)).json.password
        expect(second).not.toBe(password)
        expect((yield* put(`extensions/${id}`, { name: "Ann", enabled: true })).status).toBe(200)
        expect(
          (yield* put(`extensions/${id}`, { extension: "1020", user_id: null, enabled: false })).json
        ).toMatchObject({ extension: "1020", kind: "employee", user_id: null, enabled: false })
        const third = (yield* get(`extensions/${id}/config`)).json
        expect(third).toMatchObject({ username: "1020", enabled: false })
        // The previous user knew the old password, so it changed.
        expect(third.password).not.toBe(second)
        expect((yield* remove(`extensions/${id}`)).status).toBe(204)
        expect((yield* remove(`extensions/${id}`)).status).toBe(404)
        expect(yield* actions(suite, "sip_extension")).toEqual([
          "created",
          "config_shown",
          "password_set",
          "config_shown",
          "changed",
          "password_set",
          "config_shown",
          "deleted"
        ])
        expect(yield* actions(suite, "sip_domain")).toEqual(["created", "proven", "deleted"])
        const written = JSON.stringify(
          yield* suite.sql`select a::text from core.audit a union all select e::text from core.event e union all select k::text from core.idempotency_key k`
        )
        for (const secret of [password, second, third.password]) expect(written).not.toContain(secret)
      })
    )
)
