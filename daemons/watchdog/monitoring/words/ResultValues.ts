/** What checks find, by code: the values of each code. Stored with the check and answered by the API. */
import type { ProbeValues } from "#core/probes/ProbeResult.ts"

/** What an HTTP or TCP check found, and how long it took. */
type Timed<V> = { readonly [C in keyof V]: V[C] & { readonly response_ms?: number } }

/** Codes without values. */
interface NoValues {
  readonly memory_hidden: {}
  readonly memory_unnamed: {}
  readonly no_inode_limit: {}
  readonly systemd_silent: {}
  readonly unit_missing: {}
  readonly container_missing: {}
  readonly container_bad_name: {}
  readonly container_out_of_memory: {}
  readonly engine_absent: {}
  readonly mail_queue_hidden: {}
  readonly no_certificate: {}
  readonly postgres_silent: {}
  readonly no_transaction: {}
  readonly daemon_ok: {}
  readonly daemon_silent: {}
  readonly backup_unscheduled: {}
  readonly command_killed: {}
}

/** `error`: a system error code. Sizes in bytes, shares in percent. */
export interface ResultValues extends NoValues, Timed<ProbeValues> {
  readonly timed_out: { readonly seconds: number }
  readonly unreadable: { readonly error: string }
  /** `full_in_hours`: at the rate of the last hours; null: no forecast. */
  readonly disk: {
    readonly share: number
    readonly available_bytes: number
    readonly size_bytes: number
    readonly full_in_hours: number | null
  }
  readonly inodes: { readonly share: number; readonly inodes: number }
  readonly memory: { readonly share: number; readonly available_bytes: number; readonly total_bytes: number }
  readonly load: { readonly load_5: number; readonly processors: number }
  /** `server`: what the clock is compared with; null: the database. `seconds` is positive when ours is behind. */
  readonly clock: { readonly seconds: number; readonly server: string | null }
  readonly time_server: { readonly why: string }
  /** `result`: what systemd says. */
  readonly unit_failed: { readonly result: string }
  readonly unit_restarting: { readonly result: string }
  readonly unit: { readonly state: string; readonly sub_state: string }
  readonly container: { readonly state: string }
  readonly container_exited: { readonly exit_code: number }
  readonly engine: { readonly containers: number }
  readonly engine_unusable: { readonly error: string }
  readonly engine_timed_out: { readonly milliseconds: number }
  readonly engine_refused: { readonly status: number }
  readonly engine_unclear: { readonly why: string }
  /** `at_least`: the output was cut. `queues`: messages of each queue that has some. */
  readonly mail_queue: {
    readonly messages: number
    readonly at_least: boolean
    readonly queues: Readonly<Record<string, number>>
  }
  /** `until`: a day. */
  readonly certificate: { readonly until: string; readonly expired: boolean; readonly intermediate: boolean }
  readonly certificate_early: { readonly from: string }
  readonly postgres: { readonly milliseconds: number }
  /** `message`: of the server or the driver. `state`: SQLSTATE or system error code; null: there is none. */
  readonly postgres_failed: { readonly message: string; readonly state: string | null }
  readonly connections: { readonly used: number; readonly most: number }
  readonly transaction: { readonly seconds: number }
  readonly dead_rows: { readonly dead: number; readonly live: number; readonly table: string }
  readonly few_dead_rows: { readonly rows: number }
  /** `away`: names of those that are not connected. */
  readonly replication: { readonly count: number; readonly lag_bytes: number; readonly away: ReadonlyArray<string> }
  /** Names of components. */
  readonly daemon: {
    readonly verdict: "degraded" | "down"
    readonly degraded: ReadonlyArray<string>
    readonly down: ReadonlyArray<string>
  }
  /** `hours`: age; null: there is none yet. */
  readonly backup: { readonly hours: number | null; readonly last_failed: boolean }
  /** `text`: of the program. */
  readonly command: { readonly exit_code: number; readonly text: string }
  readonly command_refused: {
    readonly program: string
    readonly why: "no_file" | "others_may_change" | "foreign_owner" | "not_started"
    readonly error: string | null
  }
}

export type ResultCode = keyof ResultValues

/** A sentence for each code. */
export type Sentences = { readonly [C in ResultCode]: (values: ResultValues[C]) => string }
