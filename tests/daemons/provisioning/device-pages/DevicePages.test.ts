import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { join } from "node:path"
import { parse } from "plist"
import * as Secrets from "#core/config/Secrets.ts"
import { setUpPage } from "#daemons/provisioning/device-pages/pages/SetUpPage.ts"
import * as ProfileTicket from "#daemons/provisioning/device-pages/ProfileTicket.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { loadProfile, pressButton } from "../../../e2e/DeviceSteps.ts"
import { calendar, contacts, hostileNames, mail } from "../../../protocols/device-profiles/Accounts.ts"
import { appPassword, startProvisioning } from "../ProvisioningSuite.ts"
import { oncePerFile } from "#support/OncePerFile.ts"

const running = oncePerFile(startProvisioning())

it.live(
  "the page after the button has what each kind of device needs, in the language of the browser",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { extension, link, mailbox, person, suite } = yield* running
        const user = yield* person({ name: "Änna Müller" })
        yield* extension(user, "1001")
        yield* mailbox(user, "anna@box.test")
        const shown = yield* Effect.forEach(["de", "en"] as const, (language) =>
          Effect.flatMap(link(user), ({ path }) => Effect.promise(() => pressButton(suite, path, language)))
        )
        expect(shown.map(({ status }) => status)).toEqual([200, 200])
        const [german, english] = [shown[0]!, shown[1]!]
        expect(german.html).toContain('<html lang="de">')
        expect(german.html).toContain("Profil laden")
        expect(english.html).toContain("Download the profile")
        for (const page of shown) {
          expect(page.html).not.toMatch(/<script|javascript:/i)
          expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
          expect(page.headers.get("referrer-policy")).toBe("no-referrer")
          expect(page.codes).toContain(appPassword)
          expect(page.links.find((one) => one.startsWith("davx5:"))).toMatch(
            /^davx5:\/\/anna%40box\.test:app-password-of-the-double@box\.example\.org\/dav\/addressbooks\//
          )
          expect(Object.keys(page.qr)).toHaveLength(2)
        }
        // Two devices, two addresses.
        const phones = shown.map(({ codes }) => codes.find((code) => code.includes("/provision/phone/"))!)
        expect(new Set(phones).size).toBe(2)

        const loaded = yield* Effect.promise(() => loadProfile(suite, english.hidden["profile"]!))
        expect(loaded.status).toBe(200)
        const profile = parse(loaded.bytes.toString()) as Record<string, any>
        expect(profile["PayloadDisplayName"]).toBe("Accounts of box.example.org")
        expect(profile["PayloadContent"].map((one: any) => one.PayloadType)).toEqual([
          "com.apple.mail.managed",
          "com.apple.carddav.account",
          "com.apple.caldav.account"
        ])
        expect(profile["PayloadContent"][0].IncomingMailServerHostName).toBe("mail.box.example.org")
      })
    ),
  120_000
)

it.live(
  "a user without mailbox and extension gets a page without secrets",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { link, person, suite } = yield* running
        const user = yield* person()
        const { path } = yield* link(user)
        const page = yield* Effect.promise(() => pressButton(suite, path))
        expect(page.status).toBe(200)
        expect([page.codes, page.qr, page.hidden]).toEqual([[], {}, {}])
        expect(page.html).toContain("None of the booked services needs anything else on this device.")
      })
    ),
  120_000
)

it.live(
  "a client address may load only so many files",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { suite } = yield* running
        const path = `/provision/phone/${"x".repeat(32)}/snom.xml`
        // 300 requests are free, and two more each second. The others are refused even if all of them take a minute.
        const found = yield* Effect.all(
          Array.from({ length: 500 }, () => suite.call("GET", path)),
          { concurrency: 20 }
        )
        const counted = Object.groupBy(found, ({ status }) => status)
        expect(Object.keys(counted)).toEqual(["404", "429"])
        expect(counted[404]!.length).toBeGreaterThanOrEqual(300)
        expect(counted[429]![0]!.headers.get("retry-after")).toBe("1")
      })
    ),
  120_000
)

const tickets = Effect.gen(function* () {
  const about = { device: "0190", host: "example.org", language: "de" } as const
  const sealed = yield* ProfileTicket.seal(about, { mail, contacts, calendar }, 1_000_000)
  const minutes = (count: number) => ProfileTicket.open(sealed, 1_000_000 + count * 60_000)
  expect(yield* minutes(0)).toMatchObject({ ...about, mail, contacts, calendar })
  expect(yield* minutes(29)).toMatchObject(about)
  expect(yield* minutes(30)).toBe(undefined)
  expect(sealed).not.toContain(mail.password)
  const secrets = yield* Secrets.Secrets
  const foreign = yield* secrets.seal(Redacted.make("{}"), "another context")
  for (const wrong of ["", "x", sealed.slice(1), `${sealed}A`, foreign])
    expect(yield* ProfileTicket.open(wrong, 1_000_000)).toBe(undefined)
})

it.live("the button of the profile works for 30 minutes, and only with what this installation sealed", () =>
  Effect.scoped(
    Effect.flatMap(temporaryDirectory(), (folder) => Effect.provide(tickets, Secrets.layer(join(folder, "keys"))))
  )
)

it("keeps names as text", () => {
  for (const displayName of hostileNames) {
    const named = { ...mail, displayName }
    const { body } = setUpPage({
      language: "en",
      displayName,
      server: "https://example.org",
      accounts: { mail: named, contacts, calendar },
      profile: "sbx1",
      phoneAddress: "https://example.org/provision/phone/x/"
    }) as unknown as { readonly body: { readonly body: Uint8Array } }
    const html = new TextDecoder().decode(body.body)
    expect(html).not.toContain("<evil")
    expect(html).not.toContain("<key>")
    expect(html.match(/<form/g)).toHaveLength(1)
  }
})
