/** Tells subscribers: decides who is told of what, and sends the mails. */
import type { ActorSpec } from "#core/supervision/Supervisor.ts"
import type { StatusCheckerConfig } from "../status-files/Config.ts"
import { mailWay } from "./MailWay.ts"
import { noticing } from "./Noticing.ts"
import { pruning } from "./Pruning.ts"
import { sending } from "./Sending.ts"

export const noticeActors = (config: StatusCheckerConfig): ReadonlyArray<ActorSpec<any>> => {
  const way = mailWay(config)
  return [
    noticing({ way, checkInterval: config.checkInterval, waitsForImport: config.notifiedFile !== undefined }),
    ...(way === undefined ? [] : [sending(way, { connections: config.mailConnections, rate: config.mailRate })]),
    pruning
  ]
}
