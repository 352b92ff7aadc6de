import { expect, it } from "vitest"
import { speechFindings } from "#core/cli/SpeechCheck.ts"

const remote = { SIGNALBOX_SWITCH_HOST: "192.0.2.5" }

it.each([
  ["no switch", {}, undefined],
  ["a switch on this machine", { SIGNALBOX_SWITCH_HOST: "127.0.0.1" }, "ok"],
  ["a switch on this machine by name", { SIGNALBOX_SWITCH_HOST: "localhost" }, "ok"],
  ["a remote switch and the default address", remote, "warn"],
  ["a remote switch and all interfaces", { ...remote, SIGNALBOX_BIND: "0.0.0.0" }, "warn"],
  ["a remote switch by name", { SIGNALBOX_SWITCH_HOST: "switch.example" }, "warn"],
  ["a loopback address that was set", { ...remote, SIGNALBOX_SPEECH_BASE_URL: "http://[::1]:8080" }, "warn"],
  ["an address of this machine", { ...remote, SIGNALBOX_BIND: "192.0.2.4" }, "ok"],
  ["an address that was set", { ...remote, SIGNALBOX_SPEECH_BASE_URL: "https://voice.example" }, "ok"],
  ["a shared folder", { ...remote, SIGNALBOX_SPEECH_DIR: "/srv/speech" }, "ok"]
])("%s", (_, env, status) => {
  const findings = speechFindings(env as Record<string, string>)
  expect(findings.map((finding) => finding.status)).toEqual(status === undefined ? [] : [status])
  for (const { detail } of findings) if (status === "warn") expect(detail).toContain("SIGNALBOX_SPEECH_BASE_URL")
})
