/**
 * The edge in a real Chromium behind nginx and Caddy with TLS: redirect to the login page and back, cookie, approval,
 * blocking, sign-out. Also without scripts.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TOTP } from "otpauth"
import type { Page, Response } from "playwright-core"
import { make } from "#support/edge/EdgeBrowser.ts"
import { caddy, nginx } from "#support/edge/EdgeProxy.ts"
import { checkPlainPage } from "#support/edge/CheckPlainPage.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"

const password = "correct horse battery"
const app = "https://app.example.org"
const auth = "https://auth.example.org"

/** Address of the registration page, with the one-time link when nobody is registered. */
const registration = async (suite: TestSuite) => {
  const lines = await Effect.runPromise(suite.suite.daemon("edge-auth")!.greeting({ base: auth, gateway: false }))
  return lines.map(({ text }) => /https:\S+\?first=\S+/.exec(text)?.[0]).find(Boolean) ?? `${auth}/register`
}

const register = async (suite: TestSuite, page: Page, email: string, name: string) => {
  await page.goto(await registration(suite))
  await page.getByLabel("Name").fill(name)
  await page.getByLabel("E-mail address").fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole("button", { name: "Register" }).click()
  return page.getByRole("status").textContent()
}

/** Signs in on the login page. Returns the answer to the form. */
const signIn = async (page: Page, email: string): Promise<Response> => {
  await page.getByLabel("E-mail address").fill(email)
  await page.getByLabel("Password").fill(password)
  const [answer] = await Promise.all([
    page.waitForResponse((one) => one.request().method() === "POST"),
    page.getByRole("button", { name: "Sign in" }).click()
  ])
  await page.waitForLoadState()
  return answer
}

const seen = async (page: Page) => JSON.parse((await page.locator("#seen").textContent()) ?? "")

for (const dialect of [nginx, caddy]) {
  describePeers([dialect.program, "chromium"], `the edge in a browser behind ${dialect.program}`, () => {
    it.live(
      "leads to the login page and back, admits, blocks and signs out",
      () =>
        Effect.gen(function* () {
          const { person, suite } = yield* make(dialect)
          yield* suite.sql`insert into edge_auth.protected_routes (host, path, required_role) values
          ('app.example.org', '/', 'user'), ('app.example.org', '/admin', 'admin'), ('app.example.org', '/socket', 'user'), ('app.other.test', '/', 'user')`
          yield* Effect.promise(async () => {
            const anna = await person()
            // A user without scripts, for whom the pages must work too.
            const ben = await person({ javaScriptEnabled: false })
            assert.include(await register(suite, anna.page, "anna@example.org", "Änna Ö."), "administrator")
            assert.include(await register(suite, ben.page, "ben@example.org", "Ben"), "must admit you")

            // The login page returns to the requested address, including its query.
            const wanted = `${app}/shop/items?x=1&y=%C3%BC%26&z=a+b#part`
            await anna.page.goto(wanted)
            assert.isTrue(anna.page.url().startsWith(`${auth}/login?rd=`), anna.page.url())
            assert.include(await anna.page.getByRole("main").textContent(), "app.example.org")
            const answer = await signIn(anna.page, "anna@example.org")
            assert.strictEqual(answer.status(), 303)
            // A browser keeps the fragment over redirects, but not over a form.
            assert.strictEqual(anna.page.url(), wanted.split("#")[0])
            assert.deepStrictEqual(await seen(anna.page), {
              url: "/shop/items?x=1&y=%C3%BC%26&z=a+b",
              user: "anna@example.org",
              role: "admin"
            })

            // Compares the cookie as sent with the cookie as stored by the browser.
            const [sent] = (await answer.headersArray()).filter(
              ({ name, value }) => name.toLowerCase() === "set-cookie" && value.startsWith("__platform_auth=")
            )
            assert.match(
              sent!.value,
              /^__platform_auth=[0-9a-f]{64}; Domain=example\.org; Path=\/; Max-Age=86400; Secure; HttpOnly; SameSite=Lax$/
            )
            const kept = (await anna.context.cookies()).find(({ name }) => name === "__platform_auth")!
            assert.deepStrictEqual(
              { ...kept, value: "", expires: Math.round((kept.expires - Date.now() / 1000) / 600) },
              {
                name: "__platform_auth",
                value: "",
                domain: ".example.org",
                path: "/",
                expires: 144,
                httpOnly: true,
                secure: true,
                sameSite: "Lax"
              }
            )
            assert.strictEqual(await anna.page.evaluate(() => document.cookie), "")

            // A WebSocket of the page uses the session.
            const socket = (page: Page, address: string) =>
              page.evaluate(
                (address) =>
                  new Promise((resolve) => {
                    const one = new WebSocket(address)
                    one.onopen = () => resolve("open")
                    one.onerror = () => resolve("refused")
                  }),
                address
              )
            assert.strictEqual(await socket(anna.page, "wss://app.example.org/socket"), "open")
            const stranger = await person()
            await stranger.page.goto("https://open.example.org/")
            assert.strictEqual(await socket(stranger.page, "wss://app.example.org/socket"), "refused")

            // A pending account gets the same answer as an unknown one until an admin approves it.
            await ben.page.goto(`${app}/x?y=1`)
            assert.strictEqual((await signIn(ben.page, "ben@example.org")).status(), 401)
            assert.include(await ben.page.getByRole("alert").textContent(), "wrong, or the account is not active")
            await anna.page.goto(`${auth}/admin`)
            await anna.page.getByRole("button", { name: "Admit: ben@example.org" }).click()
            await anna.page.getByRole("button", { name: "Block: ben@example.org" }).waitFor()
            await signIn(ben.page, "ben@example.org")
            assert.strictEqual(ben.page.url(), `${app}/x?y=1`)
            assert.strictEqual((await ben.page.goto(`${app}/admin`))!.status(), 403)
            if (dialect === caddy)
              assert.include(
                await ben.page.textContent("main"),
                "You are signed in, but this is for administrators only."
              )
            assert.strictEqual((await ben.page.goto(`${auth}/admin`))!.status(), 403)
            await ben.page.goto(`${app}/x?y=1`)
            assert.strictEqual((await seen(ben.page)).user, "ben@example.org")

            // A block takes effect at the next request.
            await anna.page.getByRole("button", { name: "Block: ben@example.org" }).click()
            await anna.page.getByRole("button", { name: "Unblock: ben@example.org" }).waitFor()
            await ben.page.goto(`${app}/x?y=1`)
            assert.isTrue(ben.page.url().startsWith(`${auth}/login?rd=`), ben.page.url())
            assert.strictEqual((await signIn(ben.page, "ben@example.org")).status(), 401)

            // A language change keeps the return address.
            await ben.page.getByRole("link", { name: "Deutsch" }).click()
            await ben.page.getByRole("heading", { name: "Anmelden" }).waitFor()
            assert.include(await ben.page.getByRole("main").textContent(), "app.example.org")

            // The cookie does not cover this host, so the login page appears again.
            await anna.page.goto("https://app.other.test/x")
            assert.isTrue(anna.page.url().startsWith(`${auth}/login?rd=`), anna.page.url())

            // A return address on a foreign host leads to the own account page.
            await stranger.page.goto(`${auth}/login?rd=${encodeURIComponent("https://evil.other.test/")}`)
            await signIn(stranger.page, "anna@example.org")
            assert.strictEqual(stranger.page.url(), `${auth}/account`)

            // Signs out on this device, then everywhere.
            await anna.page.goto(`${auth}/account`)
            await anna.page.getByRole("link", { name: "Sign out" }).click()
            await anna.page.getByText("You are signed out.").waitFor()
            assert.isUndefined((await anna.context.cookies()).find(({ name }) => name === "__platform_auth"))
            await anna.page.goto(`${app}/`)
            await signIn(anna.page, "anna@example.org")
            assert.strictEqual(anna.page.url(), `${app}/`)
            await stranger.page.goto(`${auth}/account`)
            await stranger.page.getByRole("button", { name: /^Sign out everywhere/ }).click()
            await stranger.page.getByRole("heading", { name: "Sign in" }).waitFor()
            await anna.page.goto(`${app}/`)
            assert.isTrue(anna.page.url().startsWith(`${auth}/login?rd=`), anna.page.url())
          })
        }),
      180_000
    )
  })
}

describePeers(["caddy", "chromium"], "the pages of the edge", () => {
  it.live(
    "are for everybody, in both languages",
    () =>
      Effect.gen(function* () {
        const { person, suite } = yield* make(caddy, { AUTH_RATE_LIMIT_MAX: "1000" })
        yield* Effect.promise(async () => {
          const anna = await person()
          await register(suite, anna.page, "anna.with.a.long.name@department.example.org", "Anna Beispiel")
          // With Anna's hash: each further one takes a quarter of a second.
          await Effect.runPromise(
            Effect.asVoid(
              suite.sql`insert into edge_auth.users (email, name, password, status, role, registered_at)
                select they.email, they.name, anna.password, they.status, 'user', now() from edge_auth.users anna,
                  (values ('ben@example.org', 'Ben', 'active'), ('carla.wartet@example.org', 'Carla W.', 'pending'),
                    ('factor.en@example.org', 'Dora', 'active'), ('factor.de@example.org', 'Dora', 'active'))
                  they (email, name, status)`
            )
          )
          await anna.page.goto(`${auth}/login`)
          await signIn(anna.page, "anna.with.a.long.name@department.example.org")
          await Effect.runPromise(
            Effect.asVoid(suite.sql`insert into edge_auth.protected_routes (host, path, required_role, description, enabled) values
          ('app.example.org', '/', 'user', 'The shop', 1), ('app.example.org', '/admin', 'admin', '', 1), ('files.example.org', '/private/area/with/a/long/path', 'user', 'Files of the whole department', 0), ('unseen.example.org', '/', 'user', '', 1)`)
          )
          await Effect.runPromise(
            Effect.asVoid(
              suite.sql`insert into edge_auth.seen_hosts (host) values ('app.example.org'), ('forgotten.service.example.org') on conflict do nothing`
            )
          )
          const [admin, factor] = [await person(), await person()]
          for (const lang of ["en", "de"] as const) {
            const de = lang === "de"
            const { page } = await person({ locale: de ? "de-DE" : "en-GB" })
            const look = (name: string, one: Page = page) => checkPlainPage(one, `edge-${name}.${lang}`)
            await page.goto(`${app}/shop?x=1`)
            await look("login")
            await page.getByLabel(de ? "E-Mail-Adresse" : "E-mail address").fill("nobody@example.org")
            await page.getByLabel(de ? "Passwort" : "Password").fill("wrong horse")
            await page.getByRole("button", { name: de ? "Anmelden" : "Sign in" }).click()
            await page.getByRole("alert").waitFor()
            await look("login-refused")
            await page.goto(`${auth}/login?rd=${encodeURIComponent("https://app.other.test/")}`)
            await look("login-elsewhere")
            await page.goto(`${auth}/register`)
            await look("register")
            await page.locator("form").evaluate((form: HTMLFormElement) => (form.noValidate = true))
            await page.locator("button[type=submit]").click()
            await page.getByRole("alert").waitFor()
            await look("register-refused")
            for (const { context } of [admin, factor]) await context.clearCookies()
            await admin.page.goto(`${app}/admin`)
            await signIn(admin.page, "ben@example.org")
            await look("refused", admin.page)
            await page.goto(`${auth}/logout`)
            await look("signed-out")
            await anna.page.goto(`${auth}/account?lang=${lang}`)
            await look("account", anna.page)
            await anna.page.goto(`${auth}/admin?lang=${lang}`)
            await look("admin", anna.page)
            await anna.page
              .locator("form")
              .filter({ has: anna.page.locator("input[value=add_route]") })
              .evaluate((form: HTMLFormElement) => (form.noValidate = true))
            await anna.page.getByRole("button", { name: de ? "Hinzufügen" : "Add", exact: true }).click()
            await anna.page.getByRole("alert").waitFor()
            await look("admin-refused", anna.page)
            // Pages of the second factor: QR code, recovery codes, and the code form.
            const enter = async () => {
              await factor.page.goto(`${auth}/login?lang=${lang}`)
              await factor.page.locator("input[name=email]").fill(`factor.${lang}@example.org`)
              await factor.page.locator("input[name=password]").fill(password)
              await factor.page.locator("main form button[type=submit]").first().click()
            }
            const button = (act: string) =>
              factor.page
                .locator("form")
                .filter({ has: factor.page.locator(`input[value=${act}]`) })
                .getByRole("button")
            await enter()
            await button("begin_factor").waitFor()
            await factor.page.goto(`${auth}/account?lang=${lang}`)
            await factor.page.locator("input[name=password]").fill(password)
            await button("begin_factor").click()
            await factor.page.getByRole("img").waitFor()
            await look("factor-set-up", factor.page)
            const secret = (await factor.page.locator("code").first().textContent())!.replaceAll(" ", "")
            await factor.page.locator("input[name=code]").fill(new TOTP({ secret }).generate())
            await button("confirm_factor").click()
            await factor.page.getByRole("status").waitFor()
            await look("factor-begun", factor.page)
            await factor.page.goto(`${auth}/logout`)
            await enter()
            await factor.page.locator("input[name=code]").waitFor()
            await look("code", factor.page)
            // The chosen language persists.
            assert.strictEqual(
              await anna.page.getByRole("heading", { level: 1 }).textContent(),
              de ? "Verwaltung" : "Administration"
            )
            await anna.page
              .getByRole("button", { name: de ? "Abschalten: unseen.example.org/" : "Turn off: unseen.example.org/" })
              .click()
            await anna.page
              .getByRole("button", { name: de ? "Einschalten: unseen.example.org/" : "Turn on: unseen.example.org/" })
              .click()
            await anna.page
              .getByRole("button", { name: de ? "Abschalten: unseen.example.org/" : "Turn off: unseen.example.org/" })
              .waitFor()
          }
        })
      }),
    240_000
  )
})
