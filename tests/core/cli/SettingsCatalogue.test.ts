import {
  catalogue,
  environmentFile,
  example,
  unknownVariableLines,
  unknownVariables
} from "#core/cli/SettingsCatalogue.ts"
import { settingsTable } from "#core/cli/SettingsTable.ts"
import { daemons } from "#daemons/Suite.ts"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const file = new URL("../../../config/signalbox.env.example", import.meta.url)
const table = new URL("../../../docs/settings.md", import.meta.url)

describe("the settings' document", () => {
  it("is config/signalbox.env.example, word for word", () => {
    expect(readFileSync(file, "utf8"), "run: bin/signalbox check --list > config/signalbox.env.example").toBe(
      environmentFile(daemons)
    )
  })

  it("is docs/settings.md too, with where each setting lives and what locks it", () => {
    expect(readFileSync(table, "utf8"), "run: bin/signalbox settings table > docs/settings.md").toBe(
      `${settingsTable(daemons).trimEnd()}\n`
    )
  })

  it("names every setting of every daemon exactly once", () => {
    const text = environmentFile(daemons)
    const named = Array.from(text.matchAll(/^#([A-Z0-9_]+)=/gm), (match) => match[1])
    expect(named.length).toBe(new Set(named).size)
    for (const setting of daemons.flatMap((daemon) => Object.values(daemon.settings)))
      expect(named).toContain(setting.name)
    expect(named).toEqual(
      expect.arrayContaining([
        "SIGNALBOX_DATA_DIR",
        "DATABASE_URL",
        "SIGNALBOX_GATEWAY_PORT",
        "SIGNALBOX_COMM_DISPATCHER_PORT"
      ])
    )
  })

  it("contains the effective defaults, and no path of this machine", () => {
    for (const setting of catalogue(daemons).flatMap((section) => section.settings)) {
      if (example(setting) === "" || setting.name === "SIGNALBOX_DATA_DIR") continue
      expect(setting.parse(example(setting)), setting.name).toMatchObject({ success: setting.fallback?.value })
    }
    expect(environmentFile(daemons)).not.toContain(process.cwd())
  })

  it("reports misspelt variables", () => {
    const names = [
      "SIGNALBOX_GATEWAY_PROT",
      "SIGNALBOX_GATEWAY_PORT",
      "DATABASE_URL_FILE",
      "SIGNALBOX_MESSENGER_TOKEN_FILE",
      "SIGNALBOX_DATA_DIR_FILE",
      "SIGNALBOX_TEST_LONG",
      "PATH"
    ]
    expect(unknownVariables(names, daemons)).toEqual(["SIGNALBOX_DATA_DIR_FILE", "SIGNALBOX_GATEWAY_PROT"])
  })
  it("suggests the nearest name for a misspelt variable", () => {
    const meant = (name: string) => /did you mean (\w+)\?/.exec(unknownVariableLines([name], daemons).join("\n"))?.[1]
    expect(meant("SIGNALBOX_GATEWAY_PROT")).toBe("SIGNALBOX_GATEWAY_PORT")
    expect(meant("SIGNALBOX_ALARM_ALOWED_DOMAIN")).toBe("SIGNALBOX_ALARM_ALLOWED_DOMAINS")
    expect(meant("SIGNALBOX_MAILHOST")).toBe("SIGNALBOX_MAIL_HOST")
    expect(meant("SIGNALBOX_X")).toBeUndefined()
    expect(meant("SIGNALBOX_SOMETHING_ENTIRELY_DIFFERENT")).toBeUndefined()
    expect(unknownVariableLines(["SIGNALBOX_ENV_DIR", "SIGNALBOX_BENCH_X", "PATH"], daemons)).toEqual([])
  })
})
