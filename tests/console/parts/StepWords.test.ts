/** Words of workflows, their steps, measurements and phases, compared with the sources that name them. */
import "#support/console/PageGlobals.ts"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { alarmWorkflow } from "#daemons/comm-dispatcher/alarms/AlarmWorkflow.ts"
import { readSourceTree } from "#support/SourceTree.ts"
import { chosen } from "../../../console/lib/Language.ts"
import { knownStep, stepName } from "../../../console/parts/StepWords.ts"
import { backupWord } from "../../../console/pages/operations/backups/Words.ts"
import { measurement } from "../../../console/pages/operations/checks/MeasurementWords.ts"
import { measurementText } from "../../../console/pages/operations/checks/Words.ts"

const sources = readSourceTree(join(import.meta.dirname, "../../.."))
const within = (folder: string) => sources.filter(({ path }) => path.startsWith(folder))

/** Names of measurements that are values: the mail queues. */
const queues = ["maildrop", "hold", "incoming", "active", "deferred"]

/** Names of measurements that are members of object literals, and the mail queues. */
const measurements = new Set(
  within("daemons/watchdog/monitoring/probes/")
    .flatMap(({ text }) => [...text.matchAll(/\bmeasurements(?::| =) \{([^{}]*)\}/g)])
    .flatMap(([, members]) => members!.split(","))
    .flatMap((member) => /^\s*([a-z_\d]+)\s*(?::|$)/.exec(member)?.[1] ?? [])
    .concat(queues)
)

/** Names of the workflows that events begin, and of their steps. */
const defined = ["definitions", "steps"].flatMap((folder) =>
  within(`daemons/comm-dispatcher/workflows/${folder}/`).flatMap(({ text }) =>
    [...text.matchAll(/^ {2}name: "([a-z_.-]+)"/gm)].map(([, name]) => name!)
  )
)

const backupSteps = within("daemons/watchdog/backups/jobs/").flatMap(({ text }) =>
  [...text.matchAll(/\bat\("([a-z_]+)"/g)].map(([, step]) => step!)
)

describe.each(["en", "de"])("in %s", (language) => {
  it("workflows, their steps and the steps of backups have words", () => {
    chosen.value = language
    const names = [alarmWorkflow.name, ...alarmWorkflow.steps.map((step) => step.name), ...defined]
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => knownStep(name) === undefined)).toEqual([])
    expect(backupSteps.length).toBeGreaterThan(4)
    // For this step the English word and the code are the same: "databases".
    expect(backupSteps.filter((step) => step !== "databases" && backupWord(step) === step)).toEqual([])
  })

  it("measurements have words", () => {
    chosen.value = language
    expect(measurements.size).toBeGreaterThan(25)
    expect([...measurements].filter((name) => measurement(name).title === undefined)).toEqual([])
  })
})

it("reads as words, and keeps what it does not know", () => {
  chosen.value = "de"
  expect(stepName("notify.admins")).toBe("Die Administration benachrichtigen")
  expect(stepName("order.paid")).toBe("order.paid")
  expect(measurementText("dead_rows", 3)).toBe("tote Zeilen 3")
  expect(measurementText("strange_thing_ms", 3)).toMatch(/^strange thing ms 3 /)
  chosen.value = "en"
  expect(measurementText("restarts", 2)).toBe("restarts 2")
})
