import { Result } from "effect"
import { join } from "node:path"
import { expect, it } from "vitest"
import { decode } from "#core/config/Settings.ts"
import { fileSettings } from "#daemons/status-checker/status-files/Settings.ts"

it("paths of files may be relative to the working directory", () => {
  const read = (path: string) => decode(fileSettings.incidentsFile, { INCIDENTS_FILE: path })
  expect(read("data/incidents.json")).toEqual(Result.succeed(join(process.cwd(), "data/incidents.json")))
  expect(read("/srv/incidents.json")).toEqual(Result.succeed("/srv/incidents.json"))
  expect(decode(fileSettings.incidentsFile, {})).toEqual(Result.succeed(undefined))
})
