/** Workflows and their runs in lines for a terminal. Pure. */
import { columns } from "#core/cli/Output.ts"
import { second } from "#core/cli/Moment.ts"
import type { RunSummary } from "../runs/Exports.ts"
import type { WorkflowView } from "./WorkflowList.ts"

/** A table of workflows. */
export const workflowLines = (workflows: ReadonlyArray<WorkflowView>): ReadonlyArray<string> =>
  columns([
    ["NAME", "BEGINS WITH", "LAST 24 HOURS", "TITLE"],
    ...workflows.map(({ counts, name, pattern, title }) => [
      name,
      pattern,
      Object.entries(counts)
        .map(([state, n]) => `${n} ${state}`)
        .join(", ") || "none",
      title
    ])
  ])

/** A table of runs of any workflow. */
export const workflowRunLines = (runs: ReadonlyArray<RunSummary>): ReadonlyArray<string> =>
  runs.length === 0
    ? ["No runs yet."]
    : columns([
        ["RECEIVED", "WORKFLOW", "STATE", "ID", "SUBJECT"],
        ...runs.map((run) => [
          second(run.received_at),
          run.workflow,
          run.state,
          run.id,
          run.subject.replace(/\p{C}/gu, " ")
        ])
      ])
