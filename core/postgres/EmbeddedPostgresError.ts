/**
 * Errors of the embedded Postgres. Each carries advice for the operator. Errors of SQL statements are `SqlError`
 * instead.
 */
import { Schema } from "effect"

/** Every reason, and whether a retry without operator help can succeed. */
const retryHelps = {
  BinariesMissing: false,
  BinariesUnusable: false,
  NoServerAccount: false,
  DirectoryUnreachable: false,
  DirectoryNotOurs: false,
  VersionMismatch: false,
  SocketDirectoryTaken: false,
  DataDirectoryGone: false,
  FileSystem: true,
  InitFailed: true,
  StartFailed: true,
  StartTimeout: true,
  BootstrapFailed: true
} as const

export type EmbeddedPostgresReason = keyof typeof retryHelps

/** The error of this folder. `log`: last lines that the server or initdb wrote; may be empty. */
export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()("EmbeddedPostgresError", {
  reason: Schema.Literals(Object.keys(retryHelps) as Array<EmbeddedPostgresReason>),
  detail: Schema.String,
  advice: Schema.String,
  log: Schema.String
}) {
  /** True when the same call may succeed later without any change. */
  get isRetryable(): boolean {
    return retryHelps[this.reason]
  }

  override get message(): string {
    const said = this.log === "" ? "" : `\nThe server's last lines:\n${this.log}`
    return `Embedded Postgres: ${this.detail}. ${this.advice}${said}`
  }
}

/** Creates an error; `log` is empty by default. */
export const failure = (
  reason: EmbeddedPostgresReason,
  detail: string,
  advice: string,
  log = ""
): EmbeddedPostgresError => new EmbeddedPostgresError({ reason, detail, advice, log })

/** Wraps a failed file-system call; the message contains the system's own error text. */
export const fileSystemFailure =
  (what: string) =>
  (cause: unknown): EmbeddedPostgresError =>
    failure(
      "FileSystem",
      `${what}: ${cause instanceof Error ? cause.message : String(cause)}`,
      "Check the rights and the free space of SIGNALBOX_DATA_DIR."
    )
