/**
 * What a process knows of every daemon of the installation, whichever of them it runs. Daemons must not import each
 * other, and a process loads the code of those that it runs. `Daemon` has all these fields.
 */
import { Context } from "effect"

export interface KnownDaemon {
  readonly name: string
  /** Default port. */
  readonly port: number
  /** Shows settings, texts or states of all daemons, so its process loads the code of all. */
  readonly showsAll: boolean
  readonly migrations: { readonly schema: string; readonly steps: ReadonlyArray<{ readonly id: number }> }
  /** Settings by variable; without the code of the daemon only their names. */
  readonly settings: Readonly<Record<string, { readonly name: string; readonly secret: boolean }>>
}

export class KnownDaemons extends Context.Service<KnownDaemons, ReadonlyArray<KnownDaemon>>()(
  "signalbox/core/KnownDaemons"
) {}

/** The variable that sets a daemon's port. */
export const portVariable = (name: string): string => `SIGNALBOX_${name.toUpperCase().replaceAll("-", "_")}_PORT`

/**
 * What the build keeps of a daemon: these fields and no others, and of the migrations only the last one, by which a
 * process finds that the database is newer. Pure.
 */
export const known = ({ migrations, name, port, settings, showsAll }: KnownDaemon): KnownDaemon => ({
  name,
  port,
  showsAll,
  migrations: { schema: migrations.schema, steps: migrations.steps.slice(-1).map(({ id }) => ({ id })) },
  settings: Object.fromEntries(Object.entries(settings).map(([field, { name, secret }]) => [field, { name, secret }]))
})
