import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { AnswerWithin } from "#core/requests/Requests.ts"
import { untilWithin } from "#support/Within.ts"
import { appPassword, startProvisioning } from "./ProvisioningSuite.ts"
import { oncePerFile } from "#support/OncePerFile.ts"

const running = oncePerFile(startProvisioning())

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }
const serviceOf = (answer: any, slug: string) => answer.services.find((one: any) => one.slug === slug)

describe("a link", () => {
  it.live(
    "sets a device up with everything that is booked, once, and my-services shows the same without secrets",
    () =>
      Effect.gen(function* () {
        const { admin, as, eventsOf, extension, link, mailbox, person, stateOf, suite } = yield* running
        const anna = yield* person()
        yield* extension(anna, "1002")
        const lowest = yield* extension(anna, "1001")
        yield* mailbox(anna, "anna@mail.example.org")
        const { id, json, link: whole, path } = yield* link(anna)
        assert.match(whole, /^https:\/\/box\.example\.org\/provision\/sbp_[0-9a-f]{8}_[\w-]{64}$/)
        assert.include(whole, `_${json.prefix}_`)
        assert.strictEqual(Math.round((Date.parse(json.expires_at) - Date.parse(json.created_at)) / 86_400_000), 7)

        const answer = yield* suite.call("GET", `${path}?device=Desk`, { headers: { "user-agent": "Client/1" } })
        assert.strictEqual(answer.status, 200, answer.text)
        assert.strictEqual(answer.headers.get("cache-control"), "no-store")
        const slug = anna.email.replace("@", "_at_")
        const { services, ...rest } = answer.json
        assert.deepStrictEqual(rest, {
          server_url: "https://box.example.org",
          plan: "default",
          features: ["platform", "webdav", "carddav", "caldav", "mail", "sip"],
          user: { id: anna.id, email: anna.email, display_name: "Änna Müller", locale: "de" },
          booked: { modules: [], subscriptions: [], addons: [] }
        })
        assert.deepStrictEqual(
          services.map((one: any) => [one.slug, one.feature, one.name, one.icon, one.booked, one.is_base]),
          [
            ["platform-access", "platform", "Plattform", "globe", true, true],
            ["cloud-storage", "webdav", "Dateien", "cloud", true, false],
            ["contacts", "carddav", "Kontakte", "users", true, false],
            ["calendar", "caldav", "Kalender", "calendar", true, false],
            ["email", "mail", "E-Mail", "mail", true, false],
            ["telephony", "sip", "Telefonie", "phone", true, false]
          ]
        )
        const configs = Object.fromEntries(services.map((one: any) => [one.slug, one.config]))
        const { login_token, ...login } = configs["platform-access"]
        assert.deepStrictEqual(login, {
          protocol: "HTTPS",
          url_template: "https://box.example.org",
          provides_login_token: true,
          token_ttl_minutes: 15
        })
        assert.deepInclude(configs["cloud-storage"], {
          protocol: "WebDAV",
          url_template: `https://box.example.org/dav/files/${slug}/`
        })
        assert.deepInclude(configs["contacts"], {
          url_template: `https://box.example.org/dav/addressbooks/${slug}/contacts/`
        })
        assert.deepInclude(configs["calendar"], {
          url_template: `https://box.example.org/dav/calendars/${slug}/default/`
        })
        assert.deepInclude(configs["email"], {
          protocol: "IMAP+SMTP",
          url_template: "mail.box.example.org:993/587",
          username: "anna@mail.example.org",
          password: appPassword
        })
        const shown = (yield* admin("GET", `/api/v1/sip/extensions/${lowest}/config`)).json
        assert.deepInclude(configs["telephony"], {
          protocol: "SIP-WSS",
          wss_url: "wss://box.example.org/sip",
          realm: "voice.example.org",
          extension: "1001",
          password: shown.password
        })

        const claims = JSON.parse(Buffer.from(login_token.split(".")[1], "base64url").toString())
        assert.deepInclude(claims, { type: "access", sub: String(anna.id), tid: 1, role: "user" })
        assert.strictEqual(claims.exp - claims.iat, 15 * 60)
        const me = yield* suite.call("GET", "/api/v1/auth/me", { headers: { authorization: `Bearer ${login_token}` } })
        assert.strictEqual(me.status, 200)

        assert.strictEqual(yield* stateOf(id), "used")
        for (const method of ["GET", "POST"]) {
          const again = yield* suite.call(method, path)
          assert.deepStrictEqual([again.status, again.json.code], [404, "link_gone"])
        }

        const completed = yield* eventsOf("provisioning.completed")
        assert.strictEqual(completed.length, 1)
        assert.deepStrictEqual([completed[0]!.user_id, completed[0]!.tenant_id], [anna.id, 1])
        assert.deepInclude(completed[0]!.data, { features: rest.features, client_ip: "127.0.0.1", device_name: "Desk" })
        const wanted = yield* suite.sql<any>`select data from pgboss.job where name = 'notification.wanted'`
        assert.strictEqual(wanted.length, 1)
        assert.deepInclude(wanted[0].data.content, { category: "provisioning", icon: "monitor-check" })
        assert.deepStrictEqual(wanted[0].data.to, { user_id: anna.id })
        assert.include(wanted[0].data.words.de.title, "eingerichtet")

        const audits = yield* suite.sql<any>`select action, actor, detail from core.audit
          where action in ('sip_extension.config_shown', 'client_token.used') and detail ? 'device_id' order by action`
        assert.deepStrictEqual(
          audits.map(({ action, actor }) => [action, actor]),
          [
            ["client_token.used", `user:${anna.id}`],
            ["sip_extension.config_shown", `user:${anna.id}`]
          ]
        )

        const mine = yield* as(anna.headers)("GET", "/api/v1/provisioning/my-services?lang=en")
        assert.strictEqual(mine.status, 200)
        assert.strictEqual(serviceOf(mine.json, "email").name, "Mail")
        assert.deepStrictEqual(Object.keys(mine.json), Object.keys(answer.json))
        assert.deepInclude(serviceOf(mine.json, "telephony").config, { realm: "voice.example.org", extension: "1001" })
        assert.deepInclude(serviceOf(mine.json, "email").config, { username: "anna@mail.example.org" })
        for (const secret of ['"login_token"', '"password"', appPassword, shown.password])
          assert.notInclude(mine.text, secret)
        // The table of requests keeps nothing.
        assert.deepStrictEqual(yield* suite.sql`select 1 from core.request`, [])
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "survives scanners and previews, shows a page in both languages, and answers its button",
    () =>
      Effect.gen(function* () {
        const { link, person, stateOf, suite } = yield* running
        const anna = yield* person({ name: "<b>Eve</b>" })
        const { id, path } = yield* link(anna)
        const unknown = path.replace(/.{10}$/, "AAAAAAAAAA")
        for (const [method, headers] of [
          ["HEAD", {}],
          ["HEAD", { accept: "application/json" }],
          ["GET", browser],
          ["GET", { accept: "*/*", "sec-purpose": "prefetch" }],
          ["GET", { accept: "*/*", purpose: "prefetch" }],
          ["GET", { accept: "*/*", "x-purpose": "preview" }]
        ] as const) {
          const seen = yield* suite.call(method, path, { headers })
          assert.strictEqual(seen.status, 200, `${method} ${JSON.stringify(headers)}`)
          // The same page for a link that does not exist: a stranger learns nothing.
          const other = yield* suite.call(method, unknown, { headers })
          assert.deepStrictEqual([other.status, other.text], [seen.status, seen.text])
        }
        const english = yield* suite.call("GET", path, { headers: { ...browser, "accept-language": "en" } })
        const german = yield* suite.call("GET", `${path}?lang=de`, { headers: browser })
        assert.include(english.text, "Set up this device")
        assert.include(german.text, "Dieses Gerät einrichten")
        assert.notInclude(english.text, "<script")
        assert.notInclude(english.text, path.slice(-20))
        assert.strictEqual(english.headers.get("referrer-policy"), "no-referrer")
        assert.strictEqual(yield* stateOf(id), "unused")

        const pressed = yield* suite.call("POST", path, { headers: browser })
        assert.strictEqual(pressed.status, 200)
        assert.match(pressed.headers.get("content-type")!, /^text\/html/)
        assert.include(pressed.text, "box.example.org")
        assert.notInclude(pressed.text, "<b>Eve")
        const [replayed, never] = [
          yield* suite.call("POST", path, { headers: browser }),
          yield* suite.call("POST", unknown, { headers: browser })
        ]
        assert.strictEqual(replayed.status, 404)
        assert.deepStrictEqual([never.status, never.text], [replayed.status, replayed.text])
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "works once when 200 requests come at the same moment",
    () =>
      Effect.gen(function* () {
        // A longer timeout than usual: on a loaded machine the 199 other requests delay the answer for the login.
        const { eventsOf, link, person, suite } = yield* startProvisioning().pipe(
          Effect.provideService(AnswerWithin, Duration.seconds(25))
        )
        const anna = yield* person()
        const { path } = yield* link(anna)
        const answers = yield* Effect.forEach(
          Array.from({ length: 200 }, (_, n) => n),
          (n) => suite.call(n % 2 === 0 ? "GET" : "POST", path, { headers: { "x-forwarded-for": `198.51.100.${n}` } }),
          { concurrency: "unbounded" }
        )
        const by = Map.groupBy(answers, ({ status }) => status)
        assert.deepStrictEqual([by.get(200)?.length, by.get(404)?.length], [1, 199])
        assert.strictEqual((yield* eventsOf("provisioning.completed")).length, 1)
        assert.strictEqual((yield* suite.sql`select 1 from provisioning.device`).length, 1)
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "is refused alike when used, expired, revoked, unknown or of a suspended user; its owner sees which",
    () =>
      Effect.gen(function* () {
        const { admin, as, link, person, stateOf, suite } = yield* running
        const anna = yield* person()
        const [used, expired, revoked] = [yield* link(anna), yield* link(anna), yield* link(anna)]
        yield* suite.call("GET", used.path)
        yield* suite.sql`update provisioning.client_token set expires_at = now() where id = ${expired.id}`
        const gone = yield* as(anna.headers)("DELETE", `/api/v1/provisioning/client-tokens/${revoked.id}`)
        assert.strictEqual(gone.status, 204)
        assert.strictEqual(
          (yield* as(anna.headers)("DELETE", `/api/v1/provisioning/client-tokens/${revoked.id}`)).status,
          404
        )
        const other = yield* person()
        const suspended = yield* link(other)
        yield* admin("POST", `/api/v1/users/${other.id}/suspend`)

        const answers = yield* Effect.forEach(
          [used.path, expired.path, revoked.path, suspended.path, "/provision/sbp_00000000_x", `${used.path}x`],
          (path) => suite.call("GET", path)
        )
        for (const { json, status } of answers)
          assert.deepStrictEqual([status, json], [answers[0]!.status, answers[0]!.json])
        assert.strictEqual(answers[0]!.status, 404)
        assert.deepStrictEqual(yield* Effect.forEach([used, expired, revoked], ({ id }) => stateOf(id)), [
          "used",
          "expired",
          "revoked"
        ])
        // A suspension of the user does not change the link, which works again afterwards.
        assert.strictEqual(yield* stateOf(suspended.id), "unused")
        yield* admin("POST", `/api/v1/users/${other.id}/unsuspend`)
        yield* untilWithin(
          30,
          "the user is active again",
          Effect.map(suite.call("GET", suspended.path), ({ status }) => status === 200)
        )
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "is limited for each client address",
    () =>
      Effect.gen(function* () {
        const { suite } = yield* running
        const from = (address: string) =>
          suite.call("GET", "/provision/nothing", { headers: { "x-forwarded-for": address } })
        // 60 requests are free, and one more each second. The others are refused even if all of them take a minute.
        const answers = yield* Effect.forEach(Array.from({ length: 150 }), () => from("198.51.100.7"), {
          concurrency: 8
        })
        const limited = answers.filter(({ status }) => status === 429)
        assert.isAbove(limited.length, 0)
        assert.isAbove(Number(limited[0]!.headers.get("retry-after")), 0)
        assert.strictEqual((yield* from("198.51.100.8")).status, 404)
      }).pipe(Effect.scoped),
    120_000
  )
})
