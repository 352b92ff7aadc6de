/** Requests to the root helper: only the typed verbs, only listed names. */
import { describe, expect, it } from "vitest"
import { peerOf, permits } from "#daemons/watchdog/services/root-helper/Peer.ts"
import { decode, isRefusal, maxUnits } from "#daemons/watchdog/services/root-helper/Verbs.ts"

const allowed = { restartable: ["web", "nginx.service", "mail-watcher"], units: ["postfix.service"] }
const codeOf = (request: unknown) => {
  const decoded = decode(typeof request === "string" ? request : JSON.stringify(request), allowed)
  return isRefusal(decoded) ? decoded.code : "ok"
}

describe("verbs of the root helper", () => {
  it("accepts each verb with valid arguments", () => {
    for (const request of [
      { verb: "list_units" },
      { verb: "mail_queue" },
      { verb: "show_units", units: ["a.service", "b.timer"] },
      { verb: "journal", unit: "postfix.service", lines: 10, follow: true },
      { verb: "journal", unit: "nginx.service", lines: 5_000, follow: false },
      { verb: "restart_unit", unit: "nginx.service" },
      { verb: "restart_unit", unit: "signalbox@mail-watcher.service" },
      { verb: "restart_container", name: "web" },
      { verb: "read_certificate", path: "/etc/letsencrypt/live/example.org/cert.pem" }
    ])
      expect(codeOf(request), JSON.stringify(request)).toBe("ok")
  })

  it("refuses names that the settings do not list", () => {
    for (const request of [
      { verb: "restart_unit", unit: "ssh.service" },
      { verb: "restart_unit", unit: "postfix.service" },
      { verb: "restart_unit", unit: "web.service" },
      { verb: "restart_unit", unit: "signalbox@identity.service" },
      { verb: "restart_container", name: "nginx" },
      { verb: "journal", unit: "ssh.service", lines: 1, follow: false }
    ])
      expect(codeOf(request), JSON.stringify(request)).toBe("not_listed")
  })

  it("refuses everything else", () => {
    for (const request of [
      "",
      "null",
      "[]",
      "{",
      '"restart_unit"',
      {},
      { verb: "restart_unit" },
      { verb: "exec", command: "id" },
      { verb: "__proto__" },
      { verb: "restart_unit", unit: "--now" },
      { verb: "restart_unit", unit: "../../etc/x.service" },
      { verb: "restart_unit", unit: "nginx.service --force" },
      { verb: "restart_unit", unit: ["nginx.service"] },
      { verb: "restart_unit", unit: "nginx.service", extra: 1 },
      { verb: "restart_container", name: "web/../../x" },
      { verb: "restart_container", name: "web?signal=9" },
      { verb: "show_units", units: [] },
      { verb: "show_units", units: ["a.service", "--help"] },
      { verb: "show_units", units: Array.from({ length: maxUnits + 1 }, (_, at) => `u${at}.service`) },
      { verb: "journal", unit: "postfix.service", lines: -1, follow: false },
      { verb: "journal", unit: "postfix.service", lines: 5_001, follow: false },
      { verb: "journal", unit: "postfix.service", lines: 1.5, follow: false },
      { verb: "journal", unit: "postfix.service", lines: 1, follow: "yes" },
      { verb: "read_certificate", path: "relative.pem" },
      { verb: "read_certificate", path: "/etc/ssl/../shadow" },
      { verb: "read_certificate", path: "/etc/ssl/a\n.pem" },
      { verb: "read_certificate", path: `/${"x".repeat(5_000)}` }
    ])
      expect(codeOf(request), JSON.stringify(request).slice(0, 80)).toBe("bad_request")
  })
})

describe("the peer of the root helper", () => {
  const passwd = "root:x:0:0::/root:/bin/sh\nsignalbox:x:990:990::/var/lib/signalbox:/bin/false\n"
  it("is root or the user of the daemon, as the instance name states", () => {
    expect(permits(peerOf("3-1234-990"), "signalbox", passwd)).toBe(true)
    expect(permits(peerOf("3-1234-0"), "signalbox", passwd)).toBe(true)
    expect(permits(peerOf("3-1234-1000"), "signalbox", passwd)).toBe(false)
    for (const instance of ["", "990", "3-1234", "a-b-c", "3-1234-990-0", "3-1234--990"])
      expect(permits(peerOf(instance), "signalbox", passwd), instance).toBe(false)
    expect(permits(peerOf("3-1234-990"), "nobody-there", passwd)).toBe(false)
  })
})
