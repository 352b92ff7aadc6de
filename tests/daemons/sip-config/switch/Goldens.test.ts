/** Requests of a real switch and our answers, for every kind of look-up. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { hash } from "node:crypto"
import { asking, lookUp, lookUps } from "#support/switch/LookUps.ts"
import { requirePeer } from "#support/peers/install.ts"
import { startSwitch } from "./SwitchSuite.ts"

const xmllint = requirePeer("xmllint")

/** Fails with xmllint's message when the XML is invalid. */
const lint = (xml: string) => {
  if (xmllint.available) execFileSync(xmllint.path, ["--noout", "-"], { input: xml, stdio: ["pipe", "ignore", "pipe"] })
}

const register = lookUp("A10-register-a1hash", "action=sip_auth")
const fromPhone = lookUp("A30-invite-dialplan-good", "section=dialplan")
const fromOutside = lookUp("A31", "section=dialplan")
const configuration = lookUp("A02", "key_value=sofia.conf")

/** A call from extension 1001 of tenant 2. */
const dialling = (number: string) =>
  asking(fromPhone, { "Hunt-Destination-Number": number, "Hunt-Context": "tenant-2" })
/** An incoming call from outside. */
const calling = (number: string, from = "%2B4940777") =>
  asking(fromOutside, {
    "Hunt-Destination-Number": number,
    "Hunt-Caller-ID-Number": from,
    // In the networks of the trunk.
    "Hunt-Network-Addr": "192.0.2.9"
  })

/** Request bodies by name of the golden file. */
const asked: Readonly<Record<string, string>> = {
  "directory-sip-auth": asking(register, { user: "1001" }),
  "directory-sip-auth-name-of-umlauts": asking(register, { user: "1002" }),
  "directory-unknown-user": register,
  "directory-disabled-user": asking(register, { user: "1009" }),
  "directory-unknown-domain": asking(register, { user: "1001", domain: "nobody.example" }),
  "directory-other-tenant": asking(register, { user: "1001", domain: "other.example" }),
  "directory-locate-user": asking(lookUp("A10-register-a1hash", "switch_xml_locate_user"), { user: "1001" }),
  "directory-user-data": lookUp("A41", "user_data_function", "user=1001"),
  "directory-number-alias": asking(register, { key: "number-alias", user: "1001" }),
  "directory-domain": lookUp("A41", "switch_xml_locate_domain"),
  "directory-xml-locate-domain": lookUp("A41", "section=directory", "xml_locate_function"),
  "directory-root": lookUps("A41").find((body) => body.includes("section=directory") && body.length < 80)!,
  "directory-user-call": lookUp("A42", "action=user_call"),
  "directory-group-call": asking(lookUp("A41", "action=group_call"), { group: "sales", group_name: "sales" }),
  "directory-group-call-default": lookUp("A41", "action=group_call"),
  "directory-voicemail-check": lookUp("A43", "action=voicemail-lookup"),
  "directory-voicemail-leave": lookUp("A45", "action=voicemail-lookup"),
  "directory-voicemail-box-only": asking(lookUp("A43", "action=voicemail-lookup"), { user: "2000" }),
  "directory-box-is-no-phone": asking(register, { user: "2000" }),
  "directory-message-count": asking(lookUp("A43", "action=voicemail-lookup"), { action: "message-count" }),
  "directory-gateways-all": lookUp("A02", "purpose=gateways"),
  "directory-gateways-named": lookUp("A41", "switch_xml_locate_domain") + "&purpose=gateways&profile=internal",
  "directory-network-list": lookUp("A02", "purpose=network-list"),
  "directory-reverse-auth": asking(register, { action: "reverse-auth-lookup", user: "lab", domain: "provider.test" }),
  "directory-event-socket": asking(register, { action: "event_socket_auth", user: "1001" }),
  "directory-jsonrpc": asking(register, { action: "jsonrpc-authenticate", user: "1001" }),
  "dialplan-extension": dialling("1002"),
  "dialplan-extension-with-box": dialling("1001"),
  "dialplan-disabled-extension": dialling("1009"),
  "dialplan-group-simultaneous": dialling("600"),
  "dialplan-group-sequence": dialling("601"),
  "dialplan-voicemail-check": dialling("*97"),
  "dialplan-voicemail-leave": dialling("2000"),
  "dialplan-outside": dialling("%2B4940123456"),
  "dialplan-outside-national": dialling("040123456"),
  "dialplan-emergency": dialling("112"),
  "dialplan-own-number": dialling("030123001"),
  "dialplan-unknown": dialling("9001"),
  "dialplan-external-of-menu": dialling("external_1"),
  "dialplan-foreign-context": fromPhone,
  "dialplan-without-context": lookUp("A41", "section=dialplan"),
  "dialplan-did-extension": calling("%2B4930123001"),
  "dialplan-did-00": calling("004930123001"),
  "dialplan-did-digits": calling("4930123001"),
  "dialplan-did-national": calling("030123001"),
  "dialplan-did-group": calling("%2B4930123002"),
  "dialplan-did-menu": calling("%2B4930123003"),
  "dialplan-did-box": calling("%2B4930123004"),
  "dialplan-did-external": calling("%2B4930123005"),
  "dialplan-did-external-own": calling("%2B4930123006"),
  "dialplan-did-unknown": calling("%2B4930999999"),
  "dialplan-rejected": calling("%2B4930123001", "0900123456"),
  "dialplan-captured-from-outside": fromOutside,
  "configuration-sofia": configuration,
  "configuration-sofia-of-profile": lookUp("A02", "key_value=sofia.conf", "profile=external"),
  "configuration-acl": lookUp("A02", "key_value=acl.conf"),
  "configuration-ivr": `${lookUp("A02", "key_value=acl.conf").replace("acl.conf", "ivr.conf")}&Menu-Name=menu_1`,
  "configuration-ivr-unknown": `${lookUp("A02", "key_value=acl.conf").replace("acl.conf", "ivr.conf")}&Menu-Name=menu_9`,
  "configuration-foreign": lookUp("A02", "key_value=event_socket.conf"),
  languages: lookUp("A43", "section=languages"),
  "directory-posted-without-user": lookUp("A50", "action=sip_auth"),
  "dialplan-posted-without-context": lookUp("A50", "section=dialplan")
}

it.live(
  "each kind of look-up gets its document, and xmllint accepts all of them",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask, fill } = yield* startSwitch()
        yield* fill
        const plain = /secret-|trunk-secret-2/
        for (const [name, body] of Object.entries(asked)) {
          const { status, text, type } = yield* ask(body)
          expect([name, status, type]).toEqual([name, 200, "text/xml"])
          expect(plain.test(text) && !/sofia|reverse/.test(name), name).toBe(false)
          if (name.startsWith("directory-"))
            for (const [user] of text.matchAll(/<user[ >].*?<\/user>|<user[^>]*\/>/gs))
              expect([name, user.includes("<params>")]).toEqual([name, true])
          if (text.includes("<domain ") && name.startsWith("directory-"))
            expect(text, name).toContain('<param name="allow-empty-password" value="false"/>')
          lint(text)
          yield* Effect.promise(() => expect(text).toMatchFileSnapshot(`../../../goldens/switch-xml/${name}.xml`))
        }
        // The hash equals the one that the switch computes. In a different tenant's domain it is that tenant's hash.
        const a1 = (realm: string, password: string) => hash("md5", `1001:${realm}:${password}`, "hex")
        expect((yield* ask(asked["directory-sip-auth"]!)).text).toContain(a1("lab.example", "secret-1001"))
        expect((yield* ask(asked["directory-other-tenant"]!)).text).toContain(a1("other.example", "secret-other"))
      })
    ),
  120_000
)

it.live(
  "everything a switch was seen to post is answered with a document",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask, fill } = yield* startSwitch()
        yield* fill
        const bodies = lookUps()
        expect(bodies.length).toBeGreaterThan(90)
        for (const text of new Set(
          (yield* Effect.forEach(bodies, (body) => ask(body), { concurrency: 8 })).map(
            ({ status, text }) => `${status} ${text}`
          )
        )) {
          expect(text).toMatch(/^200 <\?xml/)
          lint(text.slice(4))
        }
      })
    ),
  120_000
)

it.live(
  "a random group rings in another order each time, everybody once",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask, fill } = yield* startSwitch()
        yield* fill
        const orders = new Set<string>()
        for (let round = 0; round < 40; round++) {
          const { text } = yield* ask(dialling("group_3"))
          lint(text)
          const order = [...text.matchAll(/\[leg_timeout=10\]user\/(\d+)@lab\.example/g)].map(([, number]) => number)
          expect(order.toSorted()).toEqual(["1001", "1002", "1003"])
          orders.add(order.join())
        }
        expect(orders.size).toBeGreaterThan(2)
      })
    ),
  120_000
)
