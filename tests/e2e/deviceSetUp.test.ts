/**
 * Devices without a client of ours, set up by a link: what the page shows is used as written, at a real Dovecot,
 * Postfix and Radicale. Python's plistlib reads the profile, openssl verifies it, zbarimg reads the codes.
 */
import { layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import { identity } from "#daemons/identity/Daemon.ts"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { provisioning } from "#daemons/provisioning/Daemon.ts"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { peerOf } from "#support/peers/DovecotPlace.ts"
import type { DovecotVersion } from "#support/peers/DovecotSnippet.ts"
import * as MailDatabase from "#support/peers/MailDatabase.ts"
import * as MailStack from "#support/peers/MailStack.ts"
import * as Radicale from "#support/peers/Radicale.ts"
import { readSvg } from "#support/peers/Zbarimg.ts"
import { makeCertificateFor } from "#support/sip/TestCertificate.ts"
import * as TlsFront from "#support/sip/TlsFront.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { untilWithin } from "#support/Within.ts"
import { type helpers, startProvisioning } from "../daemons/provisioning/ProvisioningSuite.ts"
import { dav, davLogin, loadProfile, pressButton, principalOf, readByPlistlib } from "./DeviceSteps.ts"
import { findServers, type Network } from "./MailProgram.ts"
import { auth, send, signIn, subjects, submission } from "./MailStackSteps.ts"

class World extends Context.Service<
  World,
  {
    readonly suite: TestSuite
    readonly stack: MailStack.MailStack
    readonly radicale: Radicale.Radicale
    readonly help: Effect.Success<ReturnType<typeof helpers>>
    /** File with the authority that issued the signer's certificate. */
    readonly authority: string
  }
>()("test/DeviceWorld") {
  static readonly layer = (version: DovecotVersion) =>
    Layer.effect(
      World,
      Effect.gen(function* () {
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "devices-"))),
          (made) => Effect.sync(() => rmSync(made, { recursive: true }))
        )
        const signer = certificate(folder)
        const mail = yield* MailDatabase.make
        const { suite, ...help } = yield* startProvisioning({
          daemons: [identity, sipConfig, mailAdmin, provisioning],
          fleet: [identity, sipConfig, mailAdmin, provisioning],
          database: mail.database,
          env: {
            SIGNALBOX_MAIL_HOST: "mx.provider.test",
            SIGNALBOX_PLATFORM_IPV4: "192.0.2.10",
            SIGNALBOX_MAIL_LOOKUP_PORT: "0",
            SIGNALBOX_POSTFIX_DIR: mail.postfixDir,
            SIGNALBOX_PROFILE_CERTIFICATE: signer.chain,
            SIGNALBOX_PROFILE_KEY: readFileSync(signer.key, "utf8")
          }
        })
        const stack = yield* MailStack.make({ version, mail })
        const radicale = yield* Radicale.make
        const template = (slug: string, url_template: string, more = {}) =>
          help.admin("PUT", `/api/v1/provisioning/services/${slug}`, { config_template: { url_template, ...more } })
        const changed = [
          yield* template("email", `127.0.0.1:${stack.imapsPort}/${stack.submissionPort}`, {
            protocol: "IMAP+SMTP",
            provides_app_password: true
          }),
          yield* template("contacts", `http://127.0.0.1:${radicale.port}/{email}/contacts/`),
          yield* template("calendar", `http://127.0.0.1:${radicale.port}/{email}/default/`)
        ]
        expect(changed.map(({ status }) => status)).toEqual([200, 200, 200])
        return { suite, stack, radicale, help, authority: signer.authority }
      })
    )
}

/** An authority and a certificate that it has issued. */
const certificate = (folder: string) => {
  const openssl = (args: string) => execFileSync("openssl", args.split(" "), { cwd: folder, stdio: "ignore" })
  const key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
  openssl(`req -x509 ${key} -days 30 -subj /CN=authority -keyout ca.key -out ca.pem`)
  openssl(`req ${key} -subj /CN=box.example.org -keyout own.key -out own.csr`)
  openssl("x509 -req -in own.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -out own.pem")
  const at = (name: string) => join(folder, name)
  return { chain: at("own.pem"), key: at("own.key"), authority: at("ca.pem") }
}

/** Content of a signed profile, verified by openssl. */
const verified = (bytes: Buffer, authority: string): Buffer =>
  execFileSync("openssl", ["cms", "-verify", "-inform", "DER", "-CAfile", authority, "-purpose", "any"], {
    input: bytes,
    stdio: ["pipe", "pipe", "ignore"]
  })

let people = 0

/**
 * Creates a user with an extension and a mailbox whose address is the user's. Then opens a link of the user, presses
 * its button, and returns the page with the credentials of the device.
 */
const device = Effect.gen(function* () {
  const world = yield* World
  const { admin, extension, known, link, person } = world.help
  const user = yield* person({ name: 'Änna "<b>" Müller' })
  const address = user.email
  const [local, domain] = address.split("@") as [string, string]
  const all = (yield* admin("GET", "/api/v1/mail/domains")).json.items
  const found =
    all.find((one: { readonly domain: string }) => one.domain === domain) ??
    (yield* admin("POST", "/api/v1/mail/domains", { domain, customer_id: 5 })).json
  const mailbox = yield* admin("POST", `/api/v1/mail/domains/${found.id}/accounts`, {
    local_part: local,
    password: "four words in a row",
    user_id: user.id
  })
  expect(mailbox.status, mailbox.text).toBe(201)
  yield* known("known_mailbox", "address", address)
  const extensionId = yield* extension(user, String(1000 + ++people))
  const { path } = yield* link(user, "Anna's phone")
  const page = yield* Effect.promise(() => pressButton(world.suite, path))
  const [row] = (yield* admin("GET", `/api/v1/provisioning/devices?user_id=${user.id}`)).json.items
  return { ...world, user, address, extensionId, path, page, id: row.id as string }
})

for (const version of ["2.3", "2.4"] as const) {
  const peers = [peerOf(version), "postfix", "swaks", "radicale", "python3", "zbarimg", "ffmpeg", "caddy"] as const
  describePeers([...peers], `devices that are set up by a link, Dovecot ${version}`, () => {
    layer(World.layer(version), { excludeTestServices: true, timeout: "90 seconds" })((it) => {
      it.effect(
        "an Apple device signs in everywhere with its profile, until it is revoked",
        () =>
          Effect.gen(function* () {
            const { address, authority, help, id, page, path, radicale, stack, suite } = yield* device
            expect(page.status).toBe(200)
            expect(page.headers.get("cache-control")).toBe("no-store")
            const loaded = yield* Effect.promise(() => loadProfile(suite, page.hidden["profile"]!))
            expect(loaded.status).toBe(200)
            expect(loaded.headers.get("content-type")).toBe("application/x-apple-aspen-config")
            const profile = readByPlistlib(verified(loaded.bytes, authority))
            const [mail, contacts, calendar] = profile["PayloadContent"]
            expect(profile["PayloadContent"]).toHaveLength(3)
            expect(mail.EmailAccountName).toBe('Änna "<b>" Müller')
            expect([mail.IncomingMailServerHostName, mail.IncomingMailServerPortNumber]).toEqual([
              "127.0.0.1",
              stack.imapsPort
            ])

            const login = { user: mail.IncomingMailServerUsername, pass: mail.IncomingPassword }
            expect(yield* signIn(stack, login)).toBe("ok")
            expect(yield* signIn(stack, { ...login, method: "LOGIN" })).toBe("ok")
            expect(yield* signIn(stack, { user: address })).toBe("ok")
            expect(yield* signIn(stack, { ...login, pass: `${login.pass}x` })).toBe("AUTHENTICATIONFAILED")
            expect(mail.OutgoingMailServerPortNumber).toBe(stack.submissionPort)
            const smtp = yield* submission(stack, 587)
            expect(yield* auth(smtp, { user: mail.OutgoingMailServerUsername, pass: mail.OutgoingPassword })).toBe(235)
            expect(yield* send(smtp, mail.EmailAddress, address, "from the device")).toEqual([250, 250, 250])
            expect(yield* subjects(stack, login, 1)).toEqual(["from the device"])

            radicale.setUsers([{ name: contacts.CardDAVUsername, password: contacts.CardDAVPassword }])
            for (const [login, type, file, body] of [
              [davLogin(contacts, "CardDAV"), "text/vcard", "anna.vcf", card],
              [davLogin(calendar, "CalDAV"), "text/calendar", "one.ics", appointment]
            ] as const) {
              const kind = type === "text/vcard" ? addressBook : calendarKind
              expect((yield* Effect.promise(() => dav(login, "MKCOL", login.principal, kind))).status).toBe(201)
              expect(decodeURIComponent((yield* Effect.promise(() => principalOf(login)))!)).toBe(`/${address}/`)
              const at = `${login.principal}${file}`
              const put = yield* Effect.promise(() => dav(login, "PUT", at, body, { "content-type": type }))
              expect(put.status).toBe(201)
              expect(yield* Effect.promise(() => dav(login, "GET", at).then((got) => got.text()))).toContain("Anna")
              expect((yield* Effect.promise(() => dav({ ...login, password: "x" }, "GET", at))).status).toBe(401)
            }

            // A second use of the link shows no credentials. A changed, malformed or empty ticket gives no profile.
            expect((yield* Effect.promise(() => pressButton(suite, path))).status).toBe(404)
            const ticket = page.hidden["profile"]!
            for (const wrong of [`${ticket.slice(0, -3)}AAA`, "sbx1.a.b.c", ""])
              expect((yield* Effect.promise(() => loadProfile(suite, wrong))).status).toBe(404)

            const revoked = yield* help.admin("DELETE", `/api/v1/provisioning/devices/${id}`)
            expect(revoked.status).toBe(200)
            yield* untilWithin(
              30,
              "the app password is refused",
              Effect.map(signIn(stack, login), (found) => found === "AUTHENTICATIONFAILED")
            )
            expect(yield* auth(yield* submission(stack, 587), login)).toBe(535)
            expect(yield* signIn(stack, { user: address })).toBe("ok")
            expect((yield* Effect.promise(() => loadProfile(suite, ticket))).status).toBe(404)
          }),
        120_000
      )

      it.effect(
        "a mail program finds the servers from the address alone, and signs in with the password of the page",
        () =>
          Effect.gen(function* () {
            const { address, page, stack, suite } = yield* device
            const names = ["example.org", "autoconfig.example.org"]
            const certificate = yield* makeCertificateFor(names.map((name) => `DNS:${name}`).join(","))
            const gateway = new URL(suite.base())
            const front = new URL(yield* TlsFront.make(gateway.host, certificate, names))
            const ca = readFileSync(certificate.authorityFile)
            const ports = { http: Number(gateway.port), https: Number(front.port) }
            const find = (net: Partial<Network>) =>
              Effect.promise(() => findServers(address, { ca, ports, names, ...net }))
            const { asked, servers } = yield* find({})
            expect(asked).toEqual([
              `https://autoconfig.example.org/mail/config-v1.1.xml?emailaddress=${encodeURIComponent(address)}`
            ])
            expect(servers.map(({ authentication, ...server }) => [authentication[0], server])).toEqual([
              [
                "password-cleartext",
                { type: "imap", host: "mx.provider.test", port: 993, socket: "SSL", user: address }
              ],
              [
                "password-cleartext",
                { type: "smtp", host: "mx.provider.test", port: 587, socket: "STARTTLS", user: address }
              ],
              [
                "password-cleartext",
                { type: "smtp", host: "mx.provider.test", port: 465, socket: "SSL", user: address }
              ]
            ])
            // Without a name for autoconfig, or without TLS for the domain, the next address of the order answers.
            const known = "example.org/.well-known/autoconfig/mail/config-v1.1.xml"
            expect((yield* find({ names: ["example.org"] })).asked.slice(1)).toEqual([`https://${known}`])
            const plain = yield* find({ ports: { http: ports.http } })
            expect(plain.asked.map((one) => one.split("?")[0])).toEqual([
              "https://autoconfig.example.org/mail/config-v1.1.xml",
              `https://${known}`,
              "http://autoconfig.example.org/mail/config-v1.1.xml"
            ])
            expect(plain.servers).toEqual(servers)
            const nobody = yield* Effect.promise(() =>
              findServers("a@nobody.test", { ca, ports, names: ["nobody.test"] })
            )
            expect([nobody.asked.length, nobody.servers]).toEqual([4, []])

            const [user, pass] = [servers[0]!.user, page.codes[2]!]
            expect(yield* signIn(stack, { user, pass })).toBe("ok")
            expect(yield* auth(yield* submission(stack, 587), { user, pass })).toBe(235)
          }),
        120_000
      )

      it.effect(
        "telephones load their files from an address of their own, and Android and softphones scan codes",
        () =>
          Effect.gen(function* () {
            const { address, extensionId, help, id, page, suite, user } = yield* device
            const phone = page.codes.find((text) => text.includes("/provision/phone/"))!
            expect(phone).toMatch(/^https:\/\/box\.example\.org\/provision\/phone\/[\w-]{32}\/$/)
            expect(readSvg(page.qr["QR code for Linphone"]!)).toBe(`${phone}linphone.xml`)
            // Contacts are not served over TLS here, so DAVx⁵ gets no link.
            expect(page.links.filter((link) => link.startsWith("davx5:"))).toEqual([])
            expect(page.html).not.toContain("<script")
            expect(page.html).toContain("Änna &quot;&lt;b>&quot; Müller")

            const { pathname } = new URL(phone)
            const file = (name: string) => help.as({})("GET", `${pathname}${name}`)
            const config = yield* help.as(user.headers)("GET", `/api/v1/sip/extensions/mine/${extensionId}/config`)
            for (const name of ["805ec079c37f.cfg", "snom.xml", "cfg000b82112233.xml", "linphone.xml"]) {
              const found = yield* file(name)
              expect(found.status, name).toBe(200)
              expect(found.text, name).toContain(config.json.password)
              expect(found.headers.get("cache-control")).toBe("no-store")
            }
            expect(yield* file("y000000000044.cfg")).toMatchObject({ status: 200, text: "#!version:1.0.0.1\n" })
            for (const name of ["805ec079c37f.boot", "other.txt"]) expect((yield* file(name)).status).toBe(404)
            const other = yield* help.as({})("GET", `/provision/phone/${"x".repeat(32)}/snom.xml`)
            expect([other.status, other.json.code]).toEqual([404, "link_gone"])
            const seen = yield* help.admin("GET", `/api/v1/provisioning/devices/${id}`)
            expect(seen.json.last_seen_at).not.toBe(null)
            const [shown] = yield* suite.sql<{ n: number }>`select count(*)::int as n from core.audit
              where action = 'sip_extension.config_shown' and entity_id = ${String(extensionId)}
                and detail ->> 'device_id' = ${id}`
            expect(shown!.n).toBe(5)

            yield* help.admin("DELETE", `/api/v1/provisioning/devices/${id}`)
            expect((yield* file("snom.xml")).json.code).toBe("link_gone")
            const rows = yield* suite.sql`select * from provisioning.phone_link`
            expect(JSON.stringify([rows, address])).not.toContain(pathname.split("/")[3])
          }),
        120_000
      )
    })
  })
}

const card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:anna\r\nFN:Anna\r\nN:Anna;;;;\r\nEND:VCARD\r\n"
const appointment =
  "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nBEGIN:VEVENT\r\nUID:one\r\nDTSTAMP:20260101T000000Z\r\n" +
  "DTSTART:20260101T100000Z\r\nSUMMARY:Anna\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
const collection = (type: string) =>
  '<mkcol xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CR="urn:ietf:params:xml:ns:carddav"><set><prop>' +
  `<resourcetype><collection/>${type}</resourcetype></prop></set></mkcol>`
const addressBook = collection("<CR:addressbook/>")
const calendarKind = collection("<C:calendar/>")
