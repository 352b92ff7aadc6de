/**
 * What a backup contained when it was made, stored in the backup itself. A drill compares the restored data with it.
 */
import { Schema } from "effect"

/** Folder at the top of each snapshot: the manifest, the dump of the databases. */
export const backupFolder = "signalbox-backup"

/** Rows of a table: as counted in the moment of the dump, or before and after a physical copy with its changes. */
export const TableCount = Schema.Struct({ table: Schema.String, least: Schema.Number, most: Schema.Number })

export const DatabaseManifest = Schema.Struct({
  /** `dump`: pg_dump in the directory format. `physical`: the files of the server and its write-ahead log. */
  form: Schema.Literals(["dump", "physical"]),
  database: Schema.String,
  /** Whether it was the embedded server in the data directory. Missing in old manifests. */
  embedded: Schema.optionalKey(Schema.Boolean),
  server_major: Schema.Int,
  /** Unit: bytes. */
  size: Schema.Number,
  tables: Schema.Array(TableCount)
})

/** A database beside that of the suite. `folder`: of its dump. `server`: `host:port`. */
export const FurtherDatabase = Schema.Struct({
  folder: Schema.String,
  server: Schema.String,
  database: DatabaseManifest
})

/** A file that was read at the time of the backup. */
export const FileSample = Schema.Struct({
  path: Schema.String,
  size: Schema.Number,
  /** Time of the last change, in milliseconds since 1970. A restored file with another time was changed meanwhile. */
  changed_at: Schema.Number,
  sha256: Schema.String
})

/** Number of files below a folder with mail, when the backup began. Maildir has one file for each message. */
export const MailCount = Schema.Struct({ folder: Schema.String, files: Schema.Int })

export const Manifest = Schema.Struct({
  version: Schema.Literal(1),
  job_id: Schema.String,
  type: Schema.Literals(["full", "databases", "files", "configuration"]),
  made_at: Schema.String,
  database: Schema.NullOr(DatabaseManifest),
  /** Missing in old manifests. */
  further: Schema.optionalKey(Schema.Array(FurtherDatabase)),
  files: Schema.Array(FileSample),
  mail: Schema.Array(MailCount),
  /** Short hashes of the keys of stored secrets; the keys themselves are in the backup only by a setting. */
  key_fingerprints: Schema.Array(Schema.String)
})

export type Manifest = typeof Manifest.Type
export type DatabaseManifest = typeof DatabaseManifest.Type
export type FurtherDatabase = typeof FurtherDatabase.Type
export type TableCount = typeof TableCount.Type
export type FileSample = typeof FileSample.Type
