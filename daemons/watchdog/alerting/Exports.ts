/**
 * What the other features may use of alerting. `Alerts` needs the layer `alerts`: provide it as a constant, so that all
 * features share one instance.
 */
export { Alerts, type AlertReport, alerts } from "./Alerts.ts"
/** Settings of the messages, and the one that shortens the second in tests. */
export { alertSettings, second } from "./Settings.ts"
/** Key of the alert about Postgres, which alerting raises itself. */
export { databaseKey } from "./Senders.ts"
