/** Every workflow says what it does in the language of the reader. */
import { expect, it } from "vitest"
import { eventWorkflows } from "#daemons/comm-dispatcher/workflows/definitions/Registry.ts"
import { workflowList } from "#daemons/comm-dispatcher/workflows/WorkflowList.ts"

it("names each workflow in German too", () => {
  const english = workflowList(eventWorkflows, new Map())
  const german = workflowList(eventWorkflows, new Map(), "de")
  expect(english.length).toBeGreaterThan(5)
  for (const [at, { title }] of english.entries()) expect(german[at]!.title).not.toBe(title)
})
