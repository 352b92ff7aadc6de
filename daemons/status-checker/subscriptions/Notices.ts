/** Tells subscribers: decides who is told of which update, and sends the mails. Placed: one process in the fleet sends. */
import { Effect } from "effect"
import type { ActorSpec } from "#core/Supervisor.ts"
import type { StatusCheckerConfig } from "../Config.ts"

export const noticeActors = (_config: StatusCheckerConfig): ReadonlyArray<ActorSpec<any>> => [{ name: "notices", placed: true, run: Effect.never }]
