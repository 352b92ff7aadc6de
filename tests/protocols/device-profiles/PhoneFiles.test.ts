import { DOMParser, onErrorStopParsing } from "@xmldom/xmldom"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { grandstream } from "#protocols/device-profiles/Grandstream.ts"
import { linphone } from "#protocols/device-profiles/Linphone.ts"
import { phoneFile } from "#protocols/device-profiles/PhoneFile.ts"
import { snom } from "#protocols/device-profiles/Snom.ts"
import { oneLine } from "#protocols/device-profiles/Text.ts"
import { yealink } from "#protocols/device-profiles/Yealink.ts"
import { hostileNames, sip } from "./Accounts.ts"

/** Text of the elements of an XML file by their name, or by the attribute `name` of an entry. */
const xmlValues = (text: string): Record<string, string> => {
  const document = new DOMParser({ onError: onErrorStopParsing }).parseFromString(text, "text/xml")
  return Object.fromEntries(
    Array.from(document.getElementsByTagName("*"))
      .filter((element) => element.getElementsByTagName("*").length === 0)
      .map((element) => [element.getAttribute("name") ?? element.tagName, element.textContent ?? ""])
  )
}

/** Settings of a Yealink file by their name. */
const lines = (text: string): Record<string, string> => {
  const [header, ...rest] = text.split(/\r\n|[\r\n\u2028\u2029]/)
  expect(header).toBe("#!version:1.0.0.1")
  return Object.fromEntries(
    rest
      .filter((line) => line !== "")
      .map((line) => {
        const at = line.indexOf(" = ")
        return [line.slice(0, at), line.slice(at + 3)]
      })
  )
}

describe("files of telephones", () => {
  it("have the account in each vendor's words", () => {
    expect(lines(yealink(sip))).toEqual({
      "account.1.enable": "1",
      "account.1.label": "1001",
      "account.1.display_name": "Anna Müller",
      "account.1.user_name": "1001",
      "account.1.auth_name": "1001",
      "account.1.password": sip.password,
      "account.1.sip_server.1.address": "voice.example.org",
      "account.1.sip_server.1.port": "5061",
      "account.1.sip_server.1.transport_type": "2",
      "account.1.outbound_proxy_enable": "1",
      "account.1.outbound_proxy.1.address": "sip.example.org",
      "account.1.outbound_proxy.1.port": "5061",
      "account.1.srtp_encryption": "1"
    })
    expect(xmlValues(snom(sip))).toMatchObject({
      user_active: "on",
      user_name: "1001",
      user_pname: "1001",
      user_pass: sip.password,
      user_host: "voice.example.org",
      user_outbound: "sip:sip.example.org:5061;transport=tls",
      user_srtp: "on",
      user_savp: "optional"
    })
    expect(xmlValues(grandstream({ ...sip, transport: "udp", srtp: "off" }))).toEqual({
      P271: "1",
      P270: "1001",
      P3: "Anna Müller",
      P47: "voice.example.org",
      P48: "sip.example.org:5061",
      P35: "1001",
      P36: "1001",
      P34: sip.password,
      P130: "0",
      P183: "0"
    })
    expect(xmlValues(linphone(sip))).toMatchObject({
      reg_identity: '"Anna Müller" <sip:1001@voice.example.org>',
      reg_proxy: "<sip:sip.example.org:5061;transport=tls>",
      passwd: sip.password,
      media_encryption_mandatory: "0"
    })
  })

  it.each([
    { srtp: "off", number: "0", snom: ["off", "off"], linphone: ["none", "0"] },
    { srtp: "optional", number: "1", snom: ["on", "optional"], linphone: ["srtp", "0"] },
    { srtp: "mandatory", number: "2", snom: ["on", "mandatory"], linphone: ["srtp", "1"] }
  ] as const)("say that encryption is $srtp", ({ number, srtp, ...of }) => {
    const account = { ...sip, srtp }
    expect(lines(yealink(account))["account.1.srtp_encryption"]).toBe(number)
    expect(xmlValues(grandstream(account))["P183"]).toBe(number)
    const { user_savp, user_srtp } = xmlValues(snom(account))
    expect([user_srtp, user_savp]).toEqual(of.snom)
    const { media_encryption, media_encryption_mandatory } = xmlValues(linphone(account))
    expect([media_encryption, media_encryption_mandatory]).toEqual(of.linphone)
  })

  it.each([
    { transport: "udp", number: "0" },
    { transport: "tcp", number: "1" },
    { transport: "tls", number: "2" }
  ] as const)("say that the transport is $transport", ({ number, transport }) => {
    const account = { ...sip, transport }
    expect(lines(yealink(account))["account.1.sip_server.1.transport_type"]).toBe(number)
    expect(xmlValues(grandstream(account))["P130"]).toBe(number)
    const ending = `sip.example.org:5061;transport=${transport}`
    expect(xmlValues(snom(account))["user_outbound"]).toBe(`sip:${ending}`)
    expect(xmlValues(linphone(account))["reg_proxy"]).toBe(`<sip:${ending}>`)
  })

  it("keep every name in its own value, also hostile ones", () => {
    const usual = { yealink: lines(yealink(sip)), snom: xmlValues(snom(sip)), linphone: xmlValues(linphone(sip)) }
    const keep = (name: string) => {
      const named = { ...sip, displayName: name }
      const { "account.1.display_name": shown, ...rest } = lines(yealink(named))
      expect(shown).toBe(oneLine(name))
      expect({ ...rest, "account.1.display_name": "Anna Müller" }).toEqual(usual.yealink)
      expect(xmlValues(snom(named))).toEqual({
        ...usual.snom,
        user_realname: oneLine(name),
        user_idle_text: oneLine(name)
      })
      expect(xmlValues(grandstream(named))["P3"]).toBe(oneLine(name))
      const identity = xmlValues(linphone(named))["reg_identity"]!
      expect(identity.endsWith('" <sip:1001@voice.example.org>')).toBe(true)
      expect(identity.slice(1, -'" <sip:1001@voice.example.org>'.length)).toMatch(/^(?:[^"\\]|\\["\\])*$/)
    }
    for (const name of hostileNames) keep(name)
    fc.assert(fc.property(fc.string({ unit: "binary" }), keep), { numRuns: 200 })
  })

  it("are chosen by the name that the phone asks for", () => {
    const account = (kind: string) => ({ _tag: "Account", kind })
    expect(
      [
        "805ec079c37f.cfg",
        "805EC079C37F.cfg",
        "yealink.cfg",
        "snom.xml",
        "snomD785-000413A1B2C3.htm",
        "cfg000b82112233.xml",
        "grandstream.xml",
        "linphone.xml"
      ].map(phoneFile)
    ).toEqual(["yealink", "yealink", "yealink", "snom", "snom", "grandstream", "grandstream", "linphone"].map(account))
    expect(phoneFile("y000000000044.cfg")).toEqual({ _tag: "CommonFile" })
    for (const other of ["805ec079c37f.boot", "y000000000044.boot", "", "cfg.xml", "../snom.xml", "snom.xml ", "x.cfg"])
      expect(phoneFile(other)).toBe(undefined)
  })
})
