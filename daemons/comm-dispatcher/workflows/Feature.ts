import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { alarmMinute } from "#core/config/AlarmSettings.ts"
import { settings } from "#core/config/Environment.ts"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { callSettings } from "../channels/Exports.ts"
import { alarmServices } from "../alarms/Exports.ts"
import { WorkflowsApi } from "./Api.ts"
import { eventWorkflows } from "./definitions/Registry.ts"
import { registryComponent } from "./engine/ConsumerLag.ts"
import { engineQueues, workflowEngine } from "./engine/WorkflowEngine.ts"
import { workflowHandlers } from "./Handlers.ts"
import { workflows } from "./migrations/0004_workflows.ts"

const workflowSettings = { language: callSettings.alarmLanguage, minute: alarmMinute }

export const workflowsFeature = Feature.make({
  settings: workflowSettings,
  migrations: [workflows],
  queues: [...engineQueues, NotificationWanted],
  api: WorkflowsApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(WorkflowsApi).pipe(Layer.provide(workflowHandlers)),
    Layer.effectDiscard(
      Effect.gen(function* () {
        yield* workflowEngine(eventWorkflows, yield* settings(workflowSettings))
        yield* Health.component("workflows", registryComponent(eventWorkflows))
      })
    )
  ).pipe(Layer.provide(alarmServices))
})
