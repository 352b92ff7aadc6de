/** Implementation of `signalbox workflow …`. */
import { Effect, Option } from "effect"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { print } from "#core/cli/Output.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { alarmName, RunViews } from "../runs/Exports.ts"
import { commDispatcher } from "../Daemon.ts"
import { eventWorkflows } from "./definitions/Registry.ts"
import * as RunCounts from "./RunCounts.ts"
import { workflowList } from "./WorkflowList.ts"
import { workflowLines, workflowRunLines } from "./WorkflowReport.ts"

/** Prints the workflows. */
export const workflows = Effect.fnUntraced(function* (flags: { readonly json: boolean }) {
  const found = workflowList(eventWorkflows, yield* withLedger(RunCounts.lastDay))
  yield* print(flags.json, found, workflowLines)
})

/** Prints the newest runs of all workflows, or of one. */
export const runs = Effect.fnUntraced(function* (flags: {
  readonly workflow: Option.Option<string>
  readonly limit: number
  readonly json: boolean
}) {
  const workflow = Option.getOrUndefined(flags.workflow)
  const known = [alarmName, ...eventWorkflows.map(({ name }) => name)]
  if (workflow !== undefined && !known.includes(workflow))
    return yield* fail(`unknown workflow ${workflow}; known workflows: ${known.join(", ")}`, exitUsage)
  const found = yield* withLedger(
    RunViews.listRuns({ limit: flags.limit, ...(workflow === undefined ? {} : { workflow }) })
  )
  yield* print(flags.json, found, workflowRunLines)
})

const withLedger = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(Effect.andThen(Migrations.run(commDispatcher.migrations), use))
