import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { replayActor } from "./DirectoryReplay.ts"
import { telling } from "./migrations/0007_telling.ts"

/** Directory replay: emits the state of every tenant and user again before older events are pruned. */
export const directoryReplay = Feature.make({
  migrations: [telling],
  layer: Layer.effectDiscard(Supervisor.actor(replayActor))
})
