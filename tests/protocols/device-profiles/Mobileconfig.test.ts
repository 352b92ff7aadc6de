import fc from "fast-check"
import { parse } from "plist"
import { describe, expect, it } from "vitest"
import { mobileconfig, type Profile } from "#protocols/device-profiles/Mobileconfig.ts"
import { oneLine } from "#protocols/device-profiles/Text.ts"
import { calendar, contacts, hostileNames, mail } from "./Accounts.ts"

const profile: Profile = {
  identifier: "org.example.0190",
  title: "example.org",
  organization: "Example",
  description: "Accounts",
  mail,
  contacts,
  calendar
}

const read = (text: string) => parse(text) as Record<string, any>

describe("configuration profiles", () => {
  it("have one payload for each account, with fixed identifiers", () => {
    const found = read(mobileconfig(profile))
    expect(found).toMatchObject({
      PayloadType: "Configuration",
      PayloadVersion: 1,
      PayloadIdentifier: "org.example.0190",
      PayloadRemovalDisallowed: false
    })
    const [mailPayload, contactsPayload, calendarPayload] = found["PayloadContent"]
    expect(mailPayload).toMatchObject({
      PayloadType: "com.apple.mail.managed",
      EmailAddress: mail.address,
      EmailAccountName: mail.displayName,
      IncomingMailServerHostName: "mail.example.org",
      IncomingMailServerPortNumber: 993,
      IncomingMailServerUseSSL: true,
      IncomingPassword: mail.password,
      OutgoingMailServerPortNumber: 587
    })
    expect(contactsPayload).toMatchObject({
      PayloadType: "com.apple.carddav.account",
      CardDAVHostName: "example.org",
      CardDAVPort: 8443,
      CardDAVPrincipalURL: "/dav/addressbooks/anna_at_example.org/contacts/",
      CardDAVUseSSL: true
    })
    expect(calendarPayload).toMatchObject({ PayloadType: "com.apple.caldav.account", CalDAVPort: 443 })
    const uuids = [found, ...found["PayloadContent"]].map((payload) => payload["PayloadUUID"])
    expect(new Set(uuids).size).toBe(4)
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/)
    expect(mobileconfig(profile)).toBe(mobileconfig(profile))
  })

  it("leave out accounts that are not booked", () => {
    const { calendar: _, contacts: __, ...mailOnly } = profile
    expect(read(mobileconfig(mailOnly))["PayloadContent"]).toHaveLength(1)
  })

  it("keep every name as text, also hostile ones", () => {
    const keep = (name: string) => {
      const found = read(
        mobileconfig({
          ...profile,
          title: name,
          organization: name,
          description: name,
          mail: { ...mail, displayName: name }
        })
      )
      expect(found["PayloadRemovalDisallowed"]).toBe(false)
      expect(found["PayloadContent"]).toHaveLength(3)
      expect([found["PayloadDisplayName"], found["PayloadOrganization"]]).toEqual([oneLine(name), oneLine(name)])
      expect(found["PayloadContent"][0]["EmailAccountName"]).toBe(oneLine(name))
      expect(found["PayloadContent"][0]["IncomingPassword"]).toBe(mail.password)
    }
    for (const name of hostileNames) keep(name)
    fc.assert(fc.property(fc.string({ unit: "binary" }), keep), { numRuns: 200 })
  })
})
