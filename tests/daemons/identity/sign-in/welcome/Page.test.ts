import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { until } from "#support/Frame.ts"
import { signInSuite } from "../../SignInSuite.ts"
import { visit } from "./Browser.ts"

const path = "/api/v1/auth/welcome"

const hashOf = (page: string, element: string) =>
  `'sha256-${createHash("sha256")
    .update(new RegExp(`<${element}>([^]*?)</${element}>`).exec(page)![1]!)
    .digest("base64")}'`

it.live("the policy permits only the page's own script and style and this server, with and without the gateway", () =>
  Effect.scoped(
    Effect.gen(function* () {
      for (const gateway of [false, true]) {
        const { call } = yield* signInSuite({ gateway })
        const german = yield* call("GET", path, { headers: { "accept-language": "de-DE,de;q=0.9" } })
        const english = yield* call("GET", path)
        expect([
          german.status,
          german.headers.get("content-type"),
          german.headers.get("content-language"),
          german.headers.get("vary")
        ]).toEqual([200, "text/html; charset=utf-8", "de", "accept-language"])
        expect(german.text).toContain('<html lang="de">')
        expect(english.text).toContain('<html lang="en">')
        for (const { text } of [german, english])
          expect(text).toMatch(/<section id="done" hidden>[^]*<a id="console" href="\/console\/">[^]*<\/section>/)
        for (const { headers, text } of [german, english]) {
          expect(headers.get("content-security-policy")).toBe(
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
              `style-src ${hashOf(text, "style")}; script-src ${hashOf(text, "script")}; connect-src 'self'`
          )
          expect([
            headers.get("x-frame-options"),
            headers.get("referrer-policy"),
            headers.get("x-content-type-options")
          ]).toEqual(["DENY", "no-referrer", "nosniff"])
          expect(headers.get("cache-control")).toBe("no-store")
          expect(text).not.toMatch(/https?:\/\/|\son\w+=|style=/)
        }
      }
    })
  )
)

it.live("the page removes the token from the address, signs in once with it, and sets the password", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { base, login, sql, suite } = yield* signInSuite()
      const [line] = yield* suite.daemon("identity")!.greeting({ base: base(), gateway: false })
      const page = yield* visit(line!.text.split(" ")[0]!)
      expect([page.address(), page.part("form").hidden]).toEqual([path, false])

      yield* page.submit("short", "another")
      expect(page.part("message").textContent).toBe("The passwords differ. Type the same password twice.")
      yield* page.submit("short", "short")
      expect(page.part("message").textContent).toContain("at least 10 characters")
      expect(page.part("password").attributes["aria-invalid"]).toBe("true")
      // The link is used up, and the page has a session.
      yield* page.submit("words in a row", "words in a row")
      expect([page.part("form").hidden, page.part("done").hidden, page.part("email").textContent]).toEqual([
        true,
        false,
        "admin@localhost"
      ])
      expect((yield* login("admin@localhost", "words in a row")).status).toBe(200)
      expect((yield* sql`select 1 from identity.session where 'link:first_admin' = any(methods)`).length).toBe(1)

      const again = yield* visit(line!.text.split(" ")[0]!)
      yield* again.submit("words in a row", "words in a row")
      expect([again.part("form").hidden, again.part("message").textContent]).toEqual([
        true,
        expect.stringContaining("was used")
      ])
      const without = yield* visit(base() + path)
      expect([without.part("form").hidden, without.part("message").textContent]).toEqual([
        true,
        expect.stringContaining("incomplete")
      ])
    })
  )
)

it.live("the page shows the reason for a refused password in its own language", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { base, sql, suite } = yield* signInSuite()
      const [line] = yield* suite.daemon("identity")!.greeting({ base: base(), gateway: false })
      const page = yield* visit(line!.text.split(" ")[0]!, "de")
      const refused = [
        ["short", "mindestens 10 Zeichen"],
        ["x".repeat(1025), "höchstens 1024 Zeichen"],
        ["😀".repeat(1025), "höchstens 1024 Zeichen"],
        ["tab\tin the middle", "Steuerzeichen"],
        ["aaaaaaaaaaaa", "ein einziges Zeichen"],
        ["Admin@localhost", "E-Mail-Adresse"],
        ["passwort1234", "zuerst geraten"]
      ] as const
      for (const [typed, told] of refused) {
        yield* page.submit(typed, typed)
        expect([typed, page.part("message").textContent]).toEqual([typed, expect.stringContaining(told)])
      }
      yield* sql`update identity.account set password_hash = 'another one by now'`
      yield* page.submit("words in a row", "words in a row")
      expect(page.part("message").textContent).toContain("bereits ein Passwort")
    })
  )
)

it.live("a user who returns from an external provider is signed in without a password form", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { base, suite } = yield* signInSuite()
      const [line] = yield* suite.daemon("identity")!.greeting({ base: base(), gateway: false })
      const page = yield* visit(line!.text.split(" ")[0]!.replace("#", "?return_to=%2F#"))
      expect([page.address(), page.part("form").hidden]).toEqual([path, true])
      yield* until(
        "it says who",
        Effect.sync(() => !page.part("done").hidden)
      )
      expect([page.part("what").textContent, page.part("email").textContent, page.part("next").hidden]).toEqual([
        "You are signed in as",
        "admin@localhost",
        true
      ])
    })
  )
)
