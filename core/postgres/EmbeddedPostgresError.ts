/**
 * What can go wrong with the embedded Postgres, each reason with what an operator does about it.
 * Not for errors of SQL statements: those stay `SqlError`.
 */
import { Schema } from "effect"

/** Every reason, and whether trying again without an operator's help can make it go away. */
const retryHelps = {
  BinariesMissing: false,
  BinariesUnusable: false,
  NoServerAccount: false,
  DirectoryUnreachable: false,
  DirectoryNotOurs: false,
  VersionMismatch: false,
  SocketDirectoryTaken: false,
  FileSystem: true,
  InitFailed: true,
  StartFailed: true,
  StartTimeout: true,
  BootstrapFailed: true
} as const

export type EmbeddedPostgresReason = keyof typeof retryHelps

/** The one error of this folder. `log` holds the last lines the server or initdb wrote, empty when there are none. */
export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()("EmbeddedPostgresError", {
  reason: Schema.Literals(Object.keys(retryHelps) as Array<EmbeddedPostgresReason>),
  detail: Schema.String,
  advice: Schema.String,
  log: Schema.String
}) {
  /** True when the same call may succeed later with nobody doing anything. */
  get isRetryable(): boolean {
    return retryHelps[this.reason]
  }

  override get message(): string {
    const said = this.log === "" ? "" : `\nThe server's last lines:\n${this.log}`
    return `Embedded Postgres: ${this.detail}. ${this.advice}${said}`
  }
}

/** Short constructor: the log is empty unless given. */
export const failure = (
  reason: EmbeddedPostgresReason,
  detail: string,
  advice: string,
  log = ""
): EmbeddedPostgresError => new EmbeddedPostgresError({ reason, detail, advice, log })

/** A file-system call that failed, told with the system's own words. */
export const fileSystemFailure =
  (what: string) =>
  (cause: unknown): EmbeddedPostgresError =>
    failure(
      "FileSystem",
      `${what}: ${cause instanceof Error ? cause.message : String(cause)}`,
      "Check the rights and the free space of SIGNALBOX_DATA_DIR."
    )
