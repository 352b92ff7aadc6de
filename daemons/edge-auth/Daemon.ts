import { Effect, Layer } from "effect"
import * as Legacy from "#core/daemon/Legacy.ts"
import { settings } from "#core/config/Environment.ts"
import * as Bcrypt from "./accounts/Bcrypt.ts"
import { sealedCodes, sealedSecret } from "./accounts/FactorRows.ts"
import { EdgeAuthApi } from "./Api.ts"
import { edgeAuthSettings } from "./Config.ts"
import * as Edge from "./Edge.ts"
import { handlers } from "./Handlers.ts"
import { Imported, takeIn } from "./imports/Import.ts"
import { edge } from "./migrations/0001_edge.ts"
import { housekeeping } from "./accounts/Housekeeping.ts"
import * as Refusals from "./Refusals.ts"
import * as Picture from "./verify/Picture.ts"
import * as SeenHosts from "./verify/SeenHosts.ts"
import * as VerifyLane from "./verify/VerifyLane.ts"

/** Where it listens unless it is told otherwise. */
const port = 8113

const services = Layer.unwrap(
  Effect.gen(function* () {
    const config = yield* settings(edgeAuthSettings)
    // Before anybody can register: the first who does may become the admin.
    const imported = yield* takeIn(config.databasePath)
    const firstUserAdmin = config.firstUserAdmin && imported._tag !== "Failed"
    return Layer.mergeAll(
      Edge.layer({ ...config, firstUserAdmin }, port),
      Layer.succeed(Imported, imported),
      Bcrypt.layer,
      Picture.layer,
      SeenHosts.layer,
      Refusals.layer
    )
  })
)

/** The door before other services: forward authentication for the reverse proxy. */
export const edgeAuth = Legacy.make({
  name: "edge-auth",
  title: "Forward authentication",
  port,
  ownPort: true,
  settings: edgeAuthSettings,
  migrations: { schema: "edge_auth", steps: [edge] },
  queues: [],
  sealed: [sealedSecret, sealedCodes],
  routes: [{ prefix: "/" }],
  api: EdgeAuthApi,
  http: handlers,
  services,
  actors: Effect.gen(function* () {
    return [(yield* SeenHosts.SeenHosts).actor, housekeeping((yield* Edge.Edge).signInOptions.limits)]
  }),
  components: Effect.map(Effect.all([Picture.Picture, Imported]), ([picture, imported]) => ({
    picture: picture.component(),
    ...(imported._tag === "Failed" ? { import: { status: "degraded" as const, detail: imported.detail } } : {})
  })),
  fastLane: Effect.gen(function* () {
    const { defaultDeny, home } = yield* Edge.Edge
    return new Map([
      [
        VerifyLane.verifyLane,
        VerifyLane.handler(yield* Picture.Picture, yield* SeenHosts.SeenHosts, { base: home.base, defaultDeny })
      ]
    ])
  })
})
