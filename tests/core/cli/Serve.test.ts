import { describe, expect, it } from "vitest"
import { readyLines } from "#core/cli/Serve.ts"
import { startProgress } from "#core/cli/StartProgress.ts"

const at = (port: number) => ({ host: "127.0.0.1", port })

describe("the lines of a ready program", () => {
  it("have one order, whatever the order of the daemons, and aligned labels", () => {
    const lines = readyLines(
      new Map([
        ["status-checker", at(8112)],
        ["gateway", at(8080)]
      ]),
      ["identity", "status-checker"],
      [
        { kind: "SMTP", text: "127.0.0.1:2525" },
        { kind: "sign-in link", text: "http://a/#token=x (once, as admin@localhost)" },
        { kind: "console", text: "http://a/console/" }
      ],
      "/srv/var"
    )
    expect(lines).toEqual([
      "ready http://127.0.0.1:8080",
      "console:         http://a/console/",
      "sign-in link:    http://a/#token=x (once, as admin@localhost)",
      "SMTP:            127.0.0.1:2525",
      "data directory:  /srv/var",
      "try:             bin/signalbox alarm send --demo"
    ])
  })

  it("name the daemons and nothing to try without a gateway", () => {
    expect(readyLines(new Map([["identity", at(8101)]]), ["identity"], [], "/srv/var")).toEqual([
      "ready identity http://127.0.0.1:8101",
      "data directory:  /srv/var"
    ])
  })
})

describe("the steps of a start", () => {
  const steps = ["the database in /var", "daemons: 0 of 2 are up", "daemons: 1 of 2 are up", "daemons: 2 of 2 are up"]
  const shown = (isTTY: boolean) => {
    let text = ""
    const progress = startProgress({ isTTY, write: (more) => (text += more) })
    for (const step of steps) progress.show(step)
    progress.end()
    return text
  }

  it("replace each other on a terminal, and leave nothing", () => {
    const clear = "\r\u001b[2K"
    expect(shown(true)).toBe(steps.map((step) => `${clear}starting ${step}`).join("") + clear)
  })

  it("are one line each elsewhere, without counts", () => {
    expect(shown(false)).toBe("signalbox: starting the database in /var\nsignalbox: starting daemons\n")
  })
})
