import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { readFileSync } from "node:fs"
import { parse } from "#daemons/status-checker/status-files/JsonText.ts"
import { decodeServices, maxChecks, maxComponents } from "#daemons/status-checker/status-files/Services.ts"

const mail = { id: "mail", name: "E-Mail", name_en: "Mail" }
const taken = (json: unknown) => Result.getOrThrow(decodeServices(json))
const problem = (json: unknown) =>
  Result.match(decodeServices(json), { onFailure: (text) => text, onSuccess: () => undefined })
const withCheck = (check: unknown) => ({ services: [mail, { ...mail, id: "web", checks: [check] }] })
const probe = (check: unknown) => taken(withCheck(check)).value[1]!.probes[0]
const checkProblem = (check: unknown) => problem(withCheck(check))

describe("SERVICES_FILE", () => {
  it("is shipped as an example that can be read", () => {
    const { value, warnings } = taken(Result.getOrThrow(parse(readFileSync("config/status/services.json"))))
    expect(warnings).toEqual([])
    expect(
      value.map(({ container, group, id, name_en, probes }) => [
        id,
        name_en,
        group,
        container,
        probes.map(({ kind }) => kind)
      ])
    ).toEqual([
      ["mail", "Mail", "Kommunikation", "postfix", ["tls", "tcp", "dns"]],
      ["webmail", "Webmail", "Kommunikation", null, ["http"]],
      ["telephony", "Telephony", null, "switch", []]
    ])
  })

  it("is a list, or an object with a list under one of two names", () => {
    const component = { ...mail, container: null, group: null, probes: [] }
    for (const json of [[mail], { services: [mail] }, { components: [mail], note: "ours" }])
      expect(taken(json).value).toEqual([component])
    expect(taken([]).value).toEqual([])
    expect(problem({ services: [], components: [] })).toBe('has both "services" and "components": use only one')
    expect(problem({ services: {} })).toBe("services must be a list [ ]")
    for (const json of [
      null,
      3,
      "x",
      {},
      JSON.parse('{"__proto__": {"services": []}}'),
      Object.create({ services: [] })
    ]) {
      expect(problem(json)).toBe('must be a list [ ], or an object with a list under "services" or "components"')
    }
  })

  it("accepts unknown keys of components, and optional fields", () => {
    expect(
      taken([{ ...mail, container: "", group: null, checks: null, owner: "Anna", constructor: 1 }]).value[0]
    ).toEqual({ ...mail, container: null, group: null, probes: [] })
    const { value, warnings } = taken({ services: [{ id: "mail", name: "Post" }] })
    expect(value[0]).toMatchObject({ name: "Post", name_en: "Post" })
    expect(warnings).toEqual(["services[0].name_en is missing: its German name is shown in English too"])
  })

  it("accepts ids that fit into a URL, each once", () => {
    for (const id of ["a", "Mail-2_x.y~z", "constructor", "9", "a".repeat(64)])
      expect(taken([{ ...mail, id }]).value[0]!.id).toBe(id)
    for (const id of [
      "",
      "a b",
      "ä",
      "a/b",
      "..",
      ".a",
      "-a",
      "__proto__",
      "a?b",
      "a%2f",
      "a".repeat(65),
      "a\n",
      3,
      null,
      {}
    ]) {
      expect(problem({ services: [mail, { ...mail, id }] })).toMatch(/^services\[1\]\.id must be /)
    }
    expect(problem({ services: [{ name: "x" }] })).toBe("services[0].id is missing: add it")
    expect(problem({ services: [mail, { ...mail, id: "web" }, mail] })).toBe(
      'services[2].id is "mail", as services[0].id is: give each component a unique id'
    )
    expect(
      taken([
        { ...mail, id: "toString" },
        { ...mail, id: "constructor" }
      ]).value
    ).toHaveLength(2)
  })

  it("refuses names that break a line, a page or a mail", () => {
    for (const name of ["a\nb", "a\u0000", "a\u0007", "a\u2028", "\u202eliaM", "\ud800"]) {
      expect(problem([{ ...mail, name }])).toBe(
        "[0].name must not contain control characters or line breaks: type it again"
      )
      expect(problem([{ ...mail, group: name }])).toMatch(/^\[0\]\.group /)
    }
    expect(problem([{ ...mail, name_en: " " }])).toBe("[0].name_en must not be empty")
    expect(problem([{ ...mail, name: "x".repeat(201) }])).toBe("[0].name must be at most 200 characters long")
    expect(taken([{ ...mail, name: '<b>Post & "Fax" 👩‍💻' }]).value[0]!.name).toBe('<b>Post & "Fax" 👩‍💻')
    for (const container of ["../x", "a b", "a/b", "a?x", "-a", "a".repeat(300)])
      expect(problem([{ ...mail, container }])).toMatch(/^\[0\]\.container must be the name of a container/)
  })

  it("has bounds", () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ ...mail, id: `c${index}` }))
    expect(taken(many(maxComponents)).value).toHaveLength(maxComponents)
    expect(problem(many(maxComponents + 1))).toBe("has 501 components: at most 500 are allowed")
    const checks = (count: number) => [
      { ...mail, checks: Array.from({ length: count }, () => ({ type: "tcp", host: "a", port: 1 })) }
    ]
    expect(taken(checks(maxChecks)).value[0]!.probes).toHaveLength(maxChecks)
    expect(problem(checks(maxChecks + 1))).toBe("[0].checks has 21 checks: at most 20 are allowed")
  })

  it("never throws for any content", () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom("http", "tcp", "tls", "dns"), fc.anything(), (value, type, other) => {
        decodeServices(value)
        decodeServices([value])
        decodeServices([
          {
            ...mail,
            checks: [value, { type, url: other, host: other, port: other, name: other, expect: other, server: other }]
          }
        ])
      })
    )
  })
})

describe("checks", () => {
  it("become probes", () => {
    expect(probe({ type: "http", url: "https://a.example/x?y" })).toEqual({
      kind: "http",
      url: "https://a.example/x?y",
      expect: null,
      contains: null
    })
    expect(probe({ kind: "http", url: "http://[::1]:8080/", expect: 204, contains: "ok" })).toEqual({
      kind: "http",
      url: "http://[::1]:8080/",
      expect: [204],
      contains: "ok"
    })
    expect(probe({ type: "http", kind: "http", url: "http://a", expect: [200, 401] })).toMatchObject({
      expect: [200, 401]
    })
    expect(probe({ type: "tcp", host: "10.0.0.1", port: 65_535 })).toEqual({
      kind: "tcp",
      host: "10.0.0.1",
      port: 65_535
    })
    expect(probe({ type: "tls", host: "2001:db8::1" })).toEqual({
      kind: "tls",
      host: "2001:db8::1",
      port: 443,
      servername: null,
      days: 14
    })
    expect(probe({ type: "tls", host: "a", port: 993, servername: "mail.example", days: 30 })).toMatchObject({
      port: 993,
      servername: "mail.example",
      days: 30
    })
    expect(probe({ type: "dns", name: "_dmarc.example.org" })).toEqual({
      kind: "dns",
      name: "_dmarc.example.org",
      type: "A",
      server: null,
      expect: null
    })
    expect(
      probe({ type: "dns", name: "example.org", record_type: "TXT", server: "127.0.0.1:5353", expect: "v=spf1 -all" })
    ).toEqual({ kind: "dns", name: "example.org", type: "TXT", server: "127.0.0.1:5353", expect: ["v=spf1 -all"] })
    for (const server of ["192.0.2.1", "2001:db8::1", "[2001:db8::1]:53", "[::1]"])
      expect(probe({ type: "dns", name: "a", server })).toMatchObject({ server })
  })

  it("are refused with a misspelt key, because the check would be incomplete", () => {
    expect(checkProblem({ type: "http", url: "https://a", expct: 200 })).toBe(
      "services[1].checks[0].expct is not a key of a check of type http: correct or remove it; valid keys are url, expect, contains"
    )
    expect(checkProblem({ type: "tcp", host: "a", port: 1, "x\n y": 1 })).toMatch(
      /^services\[1\]\.checks\[0\]\["x\\n y"\] is not a key of a check of type tcp/
    )
    expect(checkProblem(JSON.parse('{"type": "tcp", "host": "a", "port": 1, "__proto__": 1}'))).toMatch(
      /__proto__ is not a key/
    )
    expect(checkProblem({ type: "tcp", host: "a", port: 1, days: 3 })).toMatch(
      /days is not a key of a check of type tcp/
    )
  })

  it("name the position of an error, but no address", () => {
    for (const type of ["ping", "constructor", "__proto__", 3, null, undefined]) {
      expect(checkProblem({ type, url: "https://a" })).toBe(
        "services[1].checks[0].type must be one of http, tcp, tls, dns"
      )
    }
    expect(checkProblem({ kind: "ping" })).toBe("services[1].checks[0].kind must be one of http, tcp, tls, dns")
    expect(checkProblem({ type: "tcp", kind: "tls", host: "a", port: 1 })).toMatch(/has both type and kind/)
    for (const check of [null, [], "http"])
      expect(checkProblem(check)).toMatch(/^services\[1\]\.checks\[0\] must be an object/)
    const wrong: ReadonlyArray<readonly [object, string]> = [
      [{ type: "http" }, "url is missing"],
      [{ type: "http", url: "ftp://a" }, "url must be an http"],
      [{ type: "http", url: "javascript:alert(1)" }, "url must be an http"],
      [{ type: "http", url: `https://a/${"x".repeat(2_000)}` }, "url must be an http"],
      [{ type: "http", url: "https://anna:geheim@a/" }, "url must not contain a user name"],
      [{ type: "http", url: "https://a", expect: [] }, "expect must have 1 to 20"],
      [{ type: "http", url: "https://a", expect: 99 }, "expect must be a whole number from 100 to 599"],
      [{ type: "http", url: "https://a", expect: [200, "200"] }, "expect[1] must be a number"],
      [{ type: "http", url: "https://a", contains: "" }, "contains must not be empty"],
      [{ type: "tcp", host: "a" }, "port is missing"],
      [{ type: "tcp", host: "a", port: 0 }, "port must be a whole number"],
      [{ type: "tcp", host: "a", port: 1.5 }, "port must be a whole number"],
      [{ type: "tcp", host: "a", port: Number.POSITIVE_INFINITY }, "port must be a finite number"],
      [{ type: "tcp", host: "a", port: "25" }, "port must be a number"],
      [{ type: "tcp", host: "a b", port: 25 }, "host must be a host name"],
      [{ type: "tcp", host: "[::1]", port: 25 }, "host must be a host name"],
      [{ type: "tcp", host: "-oProxy", port: 25 }, "host must be a host name"],
      [{ type: "tls", host: "a", days: -1 }, "days must be a whole number from 0 to 365"],
      [{ type: "dns", name: "a..b" }, "name must be a host name"],
      [{ type: "dns", name: "a", record_type: "ANY" }, 'record_type must be "A"'],
      [{ type: "dns", name: "a", server: "dns.example" }, "server must be an IP address"],
      [{ type: "dns", name: "a", server: "192.0.2.1:0" }, "server must be an IP address"],
      [{ type: "dns", name: "a", server: "[192.0.2.1]:53" }, "server must be an IP address"],
      [{ type: "dns", name: "a", server: "999.0.2.1:53" }, "server must be an IP address"]
    ]
    for (const [check, said] of wrong) {
      const sentence = checkProblem(check)
      expect(sentence).toContain(`services[1].checks[0].${said}`)
      expect(sentence).not.toMatch(/geheim|ftp:|oProxy/)
    }
  })
})
