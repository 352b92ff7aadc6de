/** Values of alerts, messages and ways, for schemas, tables and commands. */

export const severities = ["warning", "critical"] as const
export type Severity = (typeof severities)[number]

/** `opened`, `recovered`, `flapping`: once an incident. `repeated`: still open. `test`: a person asked for it. */
export const messageKinds = ["opened", "flapping", "repeated", "recovered", "test"] as const
export type MessageKind = (typeof messageKinds)[number]

/** Ways to people. `alarm`: a run of the alarm workflow. `app`: a notification to every admin of the provider. */
export const ways = ["mail", "messenger", "webhook", "app", "alarm"] as const
export type Way = (typeof ways)[number]

/** Ways that need no Postgres. */
export const directWays = ["mail", "messenger", "webhook"] as const
export type DirectWay = (typeof directWays)[number]

/**
 * - `pending`: not sent yet. `sending`: a process sends it now.
 * - `sent`: accepted. `uncertain`: perhaps accepted; not sent again, because another way has it.
 * - `failed`: given up.
 */
export const deliveryStates = ["pending", "sending", "sent", "uncertain", "failed"] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const closeReasons = ["recovered", "removed"] as const
export type CloseReason = (typeof closeReasons)[number]

/** Longest key, group and pattern. Unit: UTF-16 units. Reason: a path or a host name with room to spare. */
export const maxName = 200

/** Longest summary. Unit: UTF-16 units. Reason: one line of a message. */
export const maxSummary = 500

/** Longest detail. Unit: UTF-16 units. Reason: a screen of text; longer output belongs into the log. */
export const maxDetail = 4_000
