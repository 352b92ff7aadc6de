import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { eventually } from "#support/Processes.ts"
import { allProcessesOf, makeGroup, moveInto, readOwnUsage, readUsage, removeGroup } from "./Cgroups.ts"

const name = `signalbox-cgroups-test-${process.pid}`

/** A shell that waits for its move, leaves a grandchild of its own session behind and works until it is killed. */
const work = "read go; setsid sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done' & while :; do :; done"

it("counts a killed process and a grandchild that outlives it", async ({ skip }) => {
  const group = makeGroup(name)
  if (group === undefined) return skip("no control group can be made here")
  try {
    const child = spawn("sh", ["-c", work], { stdio: ["pipe", "ignore", "ignore"] })
    moveInto(join(group, "servers"), child.pid!)
    child.stdin.write("go\n")
    await Effect.runPromise(eventually("processor time", () => (readUsage(group) ?? 0) > 0.05, 20))
    child.kill("SIGKILL")
    await once(child, "exit")
    await Effect.runPromise(eventually("the grandchild's end", () => allProcessesOf(group).length === 0, 20))
    expect(readUsage(group)).toBeGreaterThan(0.05)
    expect(readUsage(join(group, "servers"))).toBe(readUsage(group))
    expect(readOwnUsage(group)).toBe(0)
  } finally {
    removeGroup(group)
  }
  expect(readUsage(group)).toBeUndefined()
})
