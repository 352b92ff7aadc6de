import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { startProvisioning } from "./ProvisioningSuite.ts"

const prefix = "/api/v1/provisioning"
const mine = `${prefix}/my-services`
const bookedOf = ({ json }: any) => json.services.filter((one: any) => one.booked).map((one: any) => one.slug)

describe("bookings", () => {
  it.live(
    "decide by the provider's mappings which services the users of a tenant get",
    () =>
      Effect.gen(function* () {
        const { admin, as, person, suite, tenant } = yield* startProvisioning()
        const other = yield* tenant("Other")
        const [anna, boss] = [yield* person({ tenant: other }), yield* person({ tenant: other, role: "admin" })]
        const foreign = yield* person()
        const of = (path: string) => `${prefix}${path}?tenant_id=${other}`
        const services = () => Effect.map(as(anna.headers)("GET", mine), bookedOf)
        assert.strictEqual((yield* services()).length, 6)

        const package_ = yield* admin("POST", `${prefix}/packages`, {
          slug: "office-1",
          name: "Office",
          type: "office"
        })
        assert.strictEqual(package_.status, 201)
        for (const body of [
          { service: "email", module_slug: "mail" },
          { service: "cloud-storage", package_type: "office" },
          { service: "calendar", package_id: package_.json.id }
        ])
          assert.strictEqual((yield* admin("POST", `${prefix}/mappings`, body)).status, 201)
        assert.strictEqual(
          (yield* admin("POST", `${prefix}/mappings`, { service: "email", module_slug: "mail" })).json.code,
          "mapping_exists"
        )
        assert.strictEqual((yield* admin("POST", `${prefix}/mappings`, { service: "email" })).status, 422)
        assert.strictEqual((yield* services()).length, 6)

        assert.strictEqual((yield* admin("PUT", of("/modules/mail"), { tier: "pro" })).status, 200)
        assert.deepStrictEqual(yield* services(), ["platform-access", "email"])
        const subscribed = yield* admin("POST", of("/subscriptions"), { package_id: package_.json.id })
        assert.strictEqual(subscribed.status, 201)
        assert.deepStrictEqual(yield* services(), ["platform-access", "cloud-storage", "calendar", "email"])
        yield* admin("PUT", of("/addons/storage"), { quantity: 3 })
        yield* admin("PUT", of("/plan"), { plan: "business", base_domain: "cloud.other.example" })

        const shown = yield* as(anna.headers)("GET", mine)
        assert.deepStrictEqual(shown.json.booked, {
          modules: [{ slug: "mail", tier: "pro", status: "active" }],
          subscriptions: [
            {
              id: subscribed.json.id,
              status: "active",
              package: { id: package_.json.id, slug: "office-1", name: "Office", type: "office" }
            }
          ],
          addons: [{ slug: "storage", status: "active", quantity: 3 }]
        })
        assert.deepStrictEqual(
          [shown.json.plan, shown.json.server_url, shown.json.features],
          ["business", "https://cloud.other.example", ["platform", "webdav", "caldav", "mail"]]
        )
        assert.notProperty(
          shown.json.services.find((one: any) => one.slug === "contacts"),
          "config"
        )
        const link = yield* as(anna.headers)("POST", `${prefix}/client-tokens`, {})
        assert.match(link.json.link, /^https:\/\/cloud\.other\.example\/provision\//)
        const overview = (yield* as(boss.headers)("GET", `${prefix}/bookings`)).json
        assert.deepStrictEqual(
          overview.services.map((one: any) => one.reason),
          ["base", "package", "not_booked", "package", "module", "not_booked"]
        )
        // Other tenants see nothing of it.
        assert.strictEqual(
          (yield* as(foreign.headers)("GET", mine)).json.services.filter((s: any) => s.booked).length,
          6
        )

        yield* admin("PUT", of(`/subscriptions/${subscribed.json.id}`), { status: "cancelled" })
        yield* admin("PUT", of("/modules/mail"), { status: "cancelled" })
        assert.deepStrictEqual(yield* services(), ["platform-access"])
        assert.strictEqual(
          (yield* admin("DELETE", `${prefix}/packages/${package_.json.id}`)).json.code,
          "package_in_use"
        )
        for (const path of [`/subscriptions/${subscribed.json.id}`, "/modules/mail", "/addons/storage"]) {
          assert.strictEqual((yield* admin("DELETE", of(path))).status, 204)
          assert.strictEqual((yield* admin("DELETE", of(path))).status, 404)
        }
        assert.strictEqual((yield* services()).length, 6)
        const audits = yield* suite.sql<any>`select distinct action from core.audit
          where tenant_id = ${other} and action like 'provisioning_%' order by 1`
        assert.isAbove(audits.length, 7)
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "and the catalog are changed by the provider only, and a template is checked",
    () =>
      Effect.gen(function* () {
        const { admin, as, person, tenant } = yield* startProvisioning()
        const boss = yield* person({ tenant: yield* tenant("Other"), role: "admin" })
        const call = as(boss.headers)
        for (const [method, path, body] of [
          ["PUT", "/modules/mail", {}],
          ["PUT", "/plan", { plan: "gold" }],
          ["PUT", "/addons/x", {}],
          ["POST", "/subscriptions", { package_id: 1 }],
          ["POST", "/packages", { slug: "x", name: "X", type: "x" }],
          ["POST", "/mappings", { service: "email", module_slug: "x" }],
          ["PUT", "/services/email", { icon: "x" }],
          ["DELETE", "/services/email", undefined]
        ] as const)
          assert.strictEqual((yield* call(method, `${prefix}${path}`, body)).status, 403, path)
        assert.strictEqual((yield* call("GET", `${prefix}/bookings?tenant_id=1`)).status, 403)
        assert.strictEqual((yield* call("GET", `${prefix}/services`)).json.items.length, 6)

        const wiki = {
          slug: "wiki",
          name_i18n: { en: "Wiki", de: "Wiki" },
          description_i18n: { en: "Pages" },
          icon: "book",
          config_template: { protocol: "HTTPS", url_template: "https://{base_url}/wiki/{user_slug}" },
          feature_slug: "wiki",
          is_base: false,
          position: 70
        }
        const bad = yield* admin("POST", `${prefix}/services`, { ...wiki, config_template: { url: "{host}" } })
        assert.strictEqual(bad.status, 422)
        assert.strictEqual((yield* admin("POST", `${prefix}/services`, wiki)).status, 201)
        assert.strictEqual((yield* admin("POST", `${prefix}/services`, wiki)).json.code, "slug_taken")
        assert.strictEqual(
          (yield* admin("POST", `${prefix}/services`, { ...wiki, slug: "w2", name_i18n: { de: "x" } })).status,
          422
        )
        const shown = yield* as(boss.headers)("GET", `${mine}?lang=de`)
        assert.strictEqual(shown.json.services.at(-1).description, "Pages")
        assert.strictEqual((yield* admin("PUT", `${prefix}/services/wiki`, { icon: "page" })).json.icon, "page")
        assert.strictEqual((yield* admin("DELETE", `${prefix}/services/platform-access`)).json.code, "service_is_base")
        assert.strictEqual((yield* admin("DELETE", `${prefix}/services/wiki`)).status, 204)
      }).pipe(Effect.scoped),
    120_000
  )
})
