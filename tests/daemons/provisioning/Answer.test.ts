import { assert, describe, it } from "vitest"
import { answerOf, type Known } from "#daemons/provisioning/retrieval/Answer.ts"

type One = Known["overview"]["services"][number]

const service = (slug: string, template: Readonly<Record<string, unknown>>, booked = true): One => ({
  service: {
    slug,
    name_i18n: { en: `${slug} en`, de: `${slug} de`, pl: `${slug} pl` },
    description_i18n: { en: "text" },
    icon: "icon",
    config_template: template as One["service"]["config_template"],
    feature_slug: `${slug}-feature`,
    is_base: false,
    position: 1,
    updated_at: new Date(0)
  },
  reason: booked ? "module" : "not_booked",
  booked
})

const known = (services: ReadonlyArray<One>, more: Partial<Known> = {}): Known => ({
  base: "https://box.example.org:8443",
  language: "de",
  user: {
    user_id: 7,
    tenant_id: 3,
    email: "anna@example.org",
    name: "Anna",
    role: "user",
    locale: "de-AT",
    state: "active"
  },
  mailbox: undefined,
  extension: undefined,
  overview: {
    plan: { plan: "gold", base_domain: null },
    booked: { modules: [], subscriptions: [], addons: [] },
    services: [...services]
  },
  ...more
})

const login = service("login", { url_template: "https://{base_url}", provides_login_token: true })
const phone = service("phone", { url_template: "wss://{base_url}/sip", provides_extension: true })
const mail = service("mail", { url_template: "mail.{base_url}:993/587", provides_app_password: true })
const configsOf = (...args: Parameters<typeof answerOf>) => answerOf(...args).services.map(({ config }) => config)

describe("the answer to a device", () => {
  it("has the configuration of booked services only, and their features once", () => {
    const twice = { ...service("b", {}), service: { ...service("b", {}).service, feature_slug: "login-feature" } }
    const answer = answerOf(known([login, service("x", { secret: "{email}" }, false), twice]))
    assert.deepStrictEqual(answer.features, ["login-feature"])
    assert.notProperty(answer.services[1], "config")
    assert.deepStrictEqual([answer.server_url, answer.plan], ["https://box.example.org:8443", "gold"])
  })

  it.each([
    ["de", "login de"],
    ["de-AT", "login de"],
    ["pl", "login pl"],
    ["fr", "login en"],
    ["", "login en"]
  ])("is in language %j", (language, expected) => {
    const [only] = answerOf(known([login], { language })).services
    assert.deepStrictEqual([only!.name, only!.description], [expected, "text"])
  })

  it("has credentials only where the user has an account and they were asked for", () => {
    const accounts = {
      mailbox: "anna@mail.example.org",
      extension: { extension_id: 1, extension: "1001", domain: "voice.example.org" }
    }
    const flags = [
      { url_template: "https://box.example.org:8443", provides_login_token: true },
      { url_template: "wss://box.example.org:8443/sip", provides_extension: true },
      { url_template: "mail.box.example.org:993/587", provides_app_password: true }
    ]
    assert.deepStrictEqual(configsOf(known([login, phone, mail])), [
      { ...flags[0], token_ttl_minutes: 15 },
      { ...flags[1], wss_url: "wss://box.example.org:8443/sip" },
      { ...flags[2] }
    ])
    assert.deepStrictEqual(configsOf(known([login, phone, mail], accounts)), [
      { ...flags[0], token_ttl_minutes: 15 },
      { ...flags[1], wss_url: "wss://box.example.org:8443/sip", realm: "voice.example.org", extension: "1001" },
      { ...flags[2], username: "anna@mail.example.org" }
    ])
    const credentials = {
      login: { token: "jwt" },
      phone: { extension: "1001", realm: "voice.example.org", password: "p1" },
      mail: { login: "anna@mail.example.org", password: "p2" }
    }
    assert.deepStrictEqual(configsOf(known([login, phone, mail], accounts), credentials), [
      { ...flags[0], login_token: "jwt", token_ttl_minutes: 15 },
      {
        ...flags[1],
        wss_url: "wss://box.example.org:8443/sip",
        realm: "voice.example.org",
        extension: "1001",
        password: "p1"
      },
      { ...flags[2], username: "anna@mail.example.org", password: "p2" }
    ])
    // A service that asks for nothing gets nothing.
    assert.deepStrictEqual(configsOf(known([service("plain", { a: "b" })], accounts), credentials), [{ a: "b" }])
  })
})
