/** The URLs of further databases, and the names of their dumps. Pure. */
import { Result } from "effect"
import { type ConnectionTarget, parse } from "#core/postgres/ConnectionTarget.ts"

/** Name of a database that stands for all databases of its server. */
export const everyDatabase = "*"

/** The servers and databases of the setting; or what is wrong with it, without a part of it. Pure. */
export const targetsOf = (text: string): Result.Result<ReadonlyArray<ConnectionTarget>, string> => {
  const targets: Array<ConnectionTarget> = []
  for (const [at, url] of text
    .split(/[,\s]+/)
    .filter((one) => one !== "")
    .entries()) {
    const parsed = parse(url)
    if (Result.isFailure(parsed)) return Result.fail(`URL ${at + 1}: ${parsed.failure.detail}`)
    targets.push(parsed.success)
  }
  return Result.succeed(targets)
}

/** `shop at db.example:5432`. */
export const nameOf = ({ database, host, port }: ConnectionTarget): string => `${database} at ${host}:${port}`

/** Folder of a dump. Pure. */
export const folderOf = ({ database, host, port }: ConnectionTarget, at: number): string =>
  `${at + 1}-${`${database}@${host}:${port}`.replace(/[^\w.@:-]/g, "_")}`

/** Whether both name the same database, whoever signs in. */
export const isSame = (one: ConnectionTarget, other: ConnectionTarget): boolean =>
  one.host === other.host && one.port === other.port && one.database === other.database
