/** Every daemon of the suite, whichever of them this process runs. Daemons must not import each other. */
import { Context } from "effect"

export interface KnownDaemon {
  readonly name: string
  /** Default port. */
  readonly port: number
}

export class KnownDaemons extends Context.Service<KnownDaemons, ReadonlyArray<KnownDaemon>>()(
  "signalbox/core/KnownDaemons"
) {}
