import * as Daemon from "#core/daemon/Daemon.ts"
import { acknowledgeLinksFeature } from "./acknowledge-links/Feature.ts"
import { alarmsFeature } from "./alarms/Feature.ts"
import { channelsFeature } from "./channels/Feature.ts"
import { consoleHostFeature } from "./console-host/Feature.ts"
import { eventSocketFeature } from "./event-socket/Feature.ts"
import { notificationsFeature } from "./notifications/Feature.ts"
import { runsFeature } from "./runs/Feature.ts"
import { supportFeature } from "./support/Feature.ts"
import { testAlarmFeature } from "./test-alarm/Feature.ts"
import { webhookSecretsFeature } from "./webhook-secrets/Feature.ts"
import { workflowsFeature } from "./workflows/Feature.ts"
import "./HealthTexts.ts"
import "./ProblemTexts.ts"

export const commDispatcher = Daemon.make({
  name: "comm-dispatcher",
  title: "Alarms and messages",
  description: "Alarm workflows, direct messages and calls with their ledger; notifications of users; the event log",
  port: 8105,
  features: [
    workflowsFeature,
    alarmsFeature,
    acknowledgeLinksFeature,
    testAlarmFeature,
    runsFeature,
    channelsFeature,
    webhookSecretsFeature,
    notificationsFeature,
    supportFeature,
    eventSocketFeature,
    consoleHostFeature
  ]
})
